//! Positions with known scores, to measure the solver by.

use anyhow::{Context, Result, bail};
use obverse_board::notation::obf::Problem;

use crate::input;

/// Reads a suite: `ffo`, or an OBF file.
pub(crate) fn read(name: &str) -> Result<Vec<Problem>> {
    if name == "ffo" {
        return Ok(problems(&FFO_40_59));
    }
    let text = input::large_text(name)?;
    let mut problems = Vec::new();
    for (line, problem) in Problem::parse_lines(&text) {
        problems.push(problem.with_context(|| format!("{name}, line {line}"))?);
    }
    if problems.is_empty() {
        bail!("{name}: found no position, expected one a line");
    }
    Ok(problems)
}

/// What `obverse bench` solves for its signature.
pub(crate) fn standard() -> Vec<Problem> {
    problems(&STANDARD)
}

fn problems(lines: &[&str]) -> Vec<Problem> {
    lines.iter().map(|line| Problem::parse(line).expect("the table is well formed")).collect()
}

/// The endgame suite of the French Othello federation's magazine, problems 40 to 59, with one best
/// move and its score each.
const FFO_40_59: [&str; 20] = [
    "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38;",
    "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X; H4:+0;",
    "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X; G2:+6;",
    "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O; G3:-12;",
    "--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O; D2:-14;",
    "---XXXX-X-XXXO--XXOXOO--XXXOXO--XXOXXO---OXXXOO-O-OOOO------OO-- X; B2:+6;",
    "---XXX----OOOX----OOOXX--OOOOXXX--OOOOXX--OXOXXX--XXOO---XXXX-O- X; B3:-8;",
    "-OOOOO----OOOO---OOOOX--XXXXXX---OXOOX--OOOXOX----OOXX----XXXX-- O; G2:+4;",
    "-----X--X-XXX---XXXXOO--XOXOOXX-XOOXXX--XOOXX-----OOOX---XXXXXX- O; F6:+28;",
    "--OX-O----XXOO--OOOOOXX-OOOOOX--OOOXOXX-OOOOXX-----OOX----X-O--- X; E1:+16;",
    "----X-----XXX----OOOXOOO-OOOXOOO-OXOXOXO-OOXXOOO--OOXO----O--O-- X; D8:+10;",
    "----O-X------X-----XXXO-OXXXXXOO-XXOOXOOXXOXXXOO--OOOO-O----OO-- O; E2:+6;",
    "---X-------OX--X--XOOXXXXXXOXXXXXXXOOXXXXXXOOOXX--XO---X-------- O; A3:+0;",
    "----OO-----OOO---XXXXOOO--XXOOXO-XXXXXOO--OOOXOO--X-OX-O-----X-- X; D8:-2;",
    "--OOO---XXOO----XXXXOOOOXXXXOX--XXXOXX--XXOOO------OOO-----O---- X; C7:-2;",
    "--------X-X------XXXXOOOOOXOXX--OOOXXXX-OOXXXX--O-OOOX-----OO--- O; G6:+0;",
    "--XXXXX---XXXX---OOOXX---OOXOX---OXXXXX-OOOOOXO----OXX---------- O; H5:+2;",
    "-------------------XXOOO--XXXOOO--XXOXOO-OOOXXXO--OXOO-O-OOOOO-- X; A6:-10;",
    "--XOOO----OOO----OOOXOO--OOOOXO--OXOXXX-OOXXXX----X-XX---------- X; G1:+4;",
    "-----------------------O--OOOOO---OOOOOXOOOOXXXX--XXOOXX--XX-O-X X; H4:+64;",
];

/// Positions of our own players' games, 16 to 20 empties.
const STANDARD: [&str; 12] = [
    "OOO-----OX------OX-X-XXOOX-XXXOOOOXXXXOO-XOXOXXOXXXOOXXO-XOOOOOO X; -60;",
    "O-------OO-O----OOO--XXXOOOXXXO-OOOOOXOOOOOOOXXOOOOOOO-OOOOOOOOO O; +64;",
    "-X-OO---OXXOO---OOOOOOO-OXOOOOOOOOXXOX--OXXOOXX-OXOOOX--OXXXXO-- X; -34;",
    "-XXXXX--XOXXX-X-XOOXXX--XOXOOOO-XXXXXOX-XOOOOO--XOOOO---XOOOOX-- X; +20;",
    "---O-O-O-XXXXXXX-----O-OO-XXXOOO-OXXOOOO--OOOOOO-XOOOOOO-OOOOOOO X; -62;",
    "XOOXX----OOOXX--OOOOOXOO-XXOOOOOOXOOOO--XXXOOO----OOOO---OOOOO-- X; +18;",
    "--XXOOOX-OOOOOXXOOXOOX-X-OXXXXX-OOXXXX--XXXXXX---XXOO----OOOO--- X; +0;",
    "O-O--O--OOOOOO-OXOOOXXOOXXOOOOOOXXOOOOOOXXXXXXOO--XOX-----X----- X; -6;",
    "XXXXX---OOOOOO--OXXXO---OXXOOO--OXXOOO---OXXOO--OOOOO-O-X-OOO--O X; +62;",
    "--OXXO----OOXX--XOOOXX---OOXXXOOOXXOXXX-O-XXOXXXO-XXOO----XOXX-- X; -10;",
    "--XOX----O-XOX--X-OOXO-OXXOOOOOOXXXOOOO-XXXXOXXX--XOXX---XXXX--- X; -12;",
    "-XXXXXXX--XXXXX---OXXXXO--OXXXOO-OOXXOOOOO-XOOOOO-XOXX------X--- X; +22;",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_hold_legal_moves_and_scores() {
        assert_eq!(problems(&FFO_40_59).len(), 20);
        for problem in problems(&FFO_40_59).iter().chain(&standard()) {
            assert!(problem.score.is_some());
        }
    }
}
