//! The verifier's own rules and solver agree with the others, and it takes no certificate that is wrong.

use obverse_board::{Counting as Count, Position, Size};
use obverse_engine::classic::{Rng, Spec, duel};
use obverse_engine::solve::Request;
use obverse_engine::{Config, Engine, Monitor};
use obverse_proof::{
    Board, Certificate, Claim, Counting, Field, How, Refusal, Solver, Writer, verify,
};
use proptest::prelude::*;

fn plain(position: Position) -> (Board, Field) {
    let board = position.board();
    let plain = Board { mover: board.player().0, other: board.opponent().0 };
    (plain, Field { side: position.size().side().into() })
}

fn random_games(size: Size, n: u64) -> impl Iterator<Item = Position> {
    (0..n).flat_map(move |seed| {
        let mut player = "random".parse::<Spec>().unwrap().player(seed);
        let game = duel::self_play(Position::start(size), &mut player, 0, &mut Rng::new(seed));
        game.steps().map(|step| step.0).collect::<Vec<_>>()
    })
}

#[test]
fn the_plain_rules_are_the_rules() {
    for size in Size::ALL {
        for position in random_games(size, 40) {
            let (board, field) = plain(position);
            assert_eq!(board.moves(field), position.moves().0);
            assert_eq!(board.is_over(field), position.is_over());
            assert_eq!(board.n_empties(field), position.empties().count());
            for square in position.moves() {
                let next = plain(position.play_unchecked(square)).0;
                assert_eq!(board.play(1 << square.index()), next);
            }
            for (counting, count) in [
                (Counting::Discs, Count::Discs),
                (Counting::WinnerTakesEmpties, Count::WinnerTakesEmpties),
            ] {
                let score = position.score_for(position.turn(), count);
                assert_eq!(board.score(field, counting), i32::from(score.0));
            }
            let (least, _) = position.board().canonical(size);
            assert_eq!(
                (board.least(field).mover, board.least(field).other),
                (least.player().0, least.opponent().0)
            );
        }
    }
}

#[test]
fn the_plain_solver_finds_the_scores_of_the_engine() {
    let mut engine = Engine::new(Config { threads: 1, table_mib: 1 });
    let mut solvers = std::collections::HashMap::new();
    let mut n_solved = 0;
    for size in [Size::Eight, Size::Six] {
        let near = random_games(size, 40).filter(|p| (4..=9).contains(&p.empties().count()));
        for position in near.step_by(5) {
            for (counting, count) in [
                (Counting::Discs, Count::Discs),
                (Counting::WinnerTakesEmpties, Count::WinnerTakesEmpties),
            ] {
                let request = Request::exact(position, count);
                let proof = engine.solve(request, &Monitor::default(), &mut |_| {});
                let score = i32::from(proof.score().unwrap().0);
                let (board, field) = plain(position);
                let solver = solvers
                    .entry((field.side, counting == Counting::Discs))
                    .or_insert_with(|| Solver::new(field, counting));
                assert!(solver.holds(board, Claim::at_least(score)));
                assert!(solver.holds(board, Claim::at_most(score)));
                assert!(!solver.holds(board, Claim::at_least(score + 1)));
                assert!(!solver.holds(board, Claim::at_most(score - 1)));
                n_solved += 1;
            }
        }
    }
    assert!(n_solved > 50, "{n_solved}");
}

/// A certificate of the 4×4 start with leaves at 6 empties: `<= -8` by all moves, `>= 8` by the best.
fn tiny() -> String {
    let start = Position::start(Size::Four);
    let (root, field) = plain(start);
    let mut solver = Solver::new(field, Counting::Discs);
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, field, Counting::Discs, root, "= -8").unwrap();
    let mut seen = std::collections::HashSet::new();
    let mut open = vec![(start, Claim::at_least(-8)), (start, Claim::at_most(-8))];
    while let Some((position, claim)) = open.pop() {
        let (board, _) = plain(position);
        if position.is_over() || !seen.insert((board.least(field), claim)) {
            continue;
        }
        if position.must_pass() {
            open.push((position.pass_unchecked(), claim.turned()));
            continue;
        }
        let children = position.moves().into_iter().map(|mv| (mv, position.play_unchecked(mv)));
        if position.empties().count() <= 6 {
            writer.add(board, claim, How::Leaf).unwrap();
        } else if claim.sense == obverse_proof::Sense::AtMost {
            writer.add(board, claim, How::All).unwrap();
            open.extend(children.map(|(_, next)| (next, claim.turned())));
        } else {
            let best = children
                .clone()
                .find(|(_, next)| solver.holds(plain(*next).0, claim.turned()))
                .expect("the claim is true");
            writer.add(board, claim, How::Move(1 << best.0.index())).unwrap();
            open.push((best.1, claim.turned()));
        }
    }
    writer.finish().unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Reads, verifies and solves all leaves.
fn check(text: &str) -> Result<usize, Refusal> {
    let certificate = Certificate::read(text.as_bytes())?;
    let leaves = verify(&certificate)?;
    let mut solver = Solver::new(certificate.field, certificate.counting);
    match leaves.iter().find(|leaf| !solver.holds(leaf.board, leaf.claim)) {
        Some(leaf) => Err(Refusal(format!("line {}: it is not {}", leaf.line, leaf.claim))),
        None => Ok(leaves.len()),
    }
}

#[test]
fn a_true_certificate_is_taken() {
    assert!(check(&tiny()).unwrap() > 10);
}

#[test]
fn one_bound_changed_is_one_too_many() {
    let text = tiny();
    let lines: Vec<&str> = text.lines().collect();
    for (i, line) in lines.iter().enumerate().skip(3).take(lines.len() - 4) {
        for change in [-2, -1, 1, 2] {
            let words: Vec<&str> = line.split(' ').collect();
            let at = words.iter().position(|word| word.ends_with('=')).unwrap() + 1;
            let bound: i32 = words[at].parse().unwrap();
            let changed = (bound + change).to_string();
            let mut words = words.clone();
            words[at] = &changed;
            let line = words.join(" ");
            let mut lines = lines.clone();
            lines[i] = &line;
            let refusal = check(&(lines.join("\n") + "\n"));
            assert!(refusal.is_err(), "line {} is now {line}", i + 1);
        }
    }
}

#[test]
fn all_bounds_changed_alike_are_found_by_solving() {
    // The whole tree claims two discs more: it is consistent, and wrong.
    let text = tiny();
    let changed = text.replace("= -8", "= -6").replace("= 8", "= 6");
    let certificate = Certificate::read(changed.as_bytes()).unwrap();
    assert!(verify(&certificate).is_ok());
    assert!(check(&changed).unwrap_err().0.contains("it is not"));
}

#[test]
fn nothing_may_be_missing_or_too_much() {
    let text = tiny();
    let lines: Vec<&str> = text.lines().collect();
    let n = lines.len() - 5;
    for i in 4..lines.len() - 1 {
        let mut fewer = lines.clone();
        fewer.remove(i);
        assert!(check(&(fewer.join("\n") + "\n")).unwrap_err().0.contains("lines"));
        let end = format!("end {}", n - 1);
        *fewer.last_mut().unwrap() = &end;
        let refusal = check(&(fewer.join("\n") + "\n")).unwrap_err();
        assert!(refusal.0.contains("there is no line for"), "{refusal}");
    }
    let more = text.replace("end ", "XXXXOOOO-------- >= 3 leaf\nend ");
    let end = format!("end {n}");
    let more = more.replace(&end, &format!("end {}", n + 1));
    assert!(check(&more).unwrap_err().0.contains("nothing needs it"));
    assert!(check(&text[..text.len() - 8]).is_err());
    assert!(check(&(text.clone() + "more\n")).unwrap_err().0.contains("after the end"));
    let leaf_moves = text.replacen(" all", " leaf", 1);
    assert!(check(&leaf_moves).is_err());
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,60}", at in 0..2000_usize, byte in 32..127_u8) {
        let _ = Certificate::read(text.as_bytes());
        let mut bytes = "obverse certificate 1\ncounting discs\nposition -----OX--XO----- X\n\
                         claim <= -8\n-----OX--XO----- <= -8 leaf\nend 1\n".as_bytes().to_vec();
        let n = bytes.len();
        bytes[at % n] = byte;
        if let Ok(certificate) = Certificate::read(&bytes[..]) {
            let _ = verify(&certificate);
        }
    }
}
