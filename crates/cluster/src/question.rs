//! What is asked of a position.

use std::fmt;
use std::str::FromStr;

use obverse_board::{Bitboard, Board, Color, Counting, Position, Size, Symmetry};
use obverse_engine::Level;

/// What to find out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Task {
    /// The score.
    Exact,
    /// The score of the position and of every move.
    Moves,
    /// Whether it is a win, a draw or a loss.
    Outcome,
    /// The score if it lies between the two, else on which side of them; the first is the smaller.
    Window(i8, i8),
    /// What a level of play thinks, which near the end is proven.
    Level(u8),
    /// What a search of so many moves thinks.
    Depth(u8),
}

/// `exact`, `moves`, `wld`, `window -4 4`, `level 12`, `depth 8`.
impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Task::Exact => f.write_str("exact"),
            Task::Moves => f.write_str("moves"),
            Task::Outcome => f.write_str("wld"),
            Task::Window(low, high) => write!(f, "window {low} {high}"),
            Task::Level(level) => write!(f, "level {level}"),
            Task::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

impl FromStr for Task {
    type Err = String;

    fn from_str(text: &str) -> Result<Task, String> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let score = |word: &str| word.parse::<i8>().ok().filter(|n| n.abs() <= 64);
        let found = match words[..] {
            ["exact"] => Some(Task::Exact),
            ["moves"] => Some(Task::Moves),
            ["wld"] => Some(Task::Outcome),
            ["window", low, high] => match (score(low), score(high)) {
                (Some(low), Some(high)) if low < high => Some(Task::Window(low, high)),
                _ => None,
            },
            ["level", level] => {
                level.parse().ok().filter(|level| Level::new(*level).is_some()).map(Task::Level)
            }
            ["depth", depth] => {
                depth.parse().ok().filter(|depth| (1..=60).contains(depth)).map(Task::Depth)
            }
            _ => None,
        };
        found.ok_or_else(|| {
            format!(
                "found {text:?}, expected exact, moves, wld, window A B with -64 <= A < B <= 64, \
                 level 1 to 30 or depth 1 to 60"
            )
        })
    }
}

/// How much an answer may cost; what is then known is the answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Limits {
    /// Milliseconds, if there is a limit.
    pub time_ms: Option<u32>,
    /// Positions visited, roughly, if there is a limit.
    pub nodes: Option<u64>,
}

impl Limits {
    /// The stricter of both in each respect.
    #[must_use = "this returns other limits"]
    pub fn and(self, other: Limits) -> Limits {
        let least = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
        Limits {
            time_ms: self.time_ms.into_iter().chain(other.time_ms).min(),
            nodes: least(self.nodes, other.nodes),
        }
    }
}

/// Something asked of a position, the same for all eight symmetric ones and both colors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Question {
    board: Board,
    size: Size,
    counting: Counting,
    /// What to find out.
    pub task: Task,
    /// What it may cost.
    pub limits: Limits,
}

impl Question {
    /// Asks something of a position; also returns the symmetry that leads from it to the board of the
    /// question.
    pub fn new(
        position: Position,
        counting: Counting,
        task: Task,
        limits: Limits,
    ) -> (Question, Symmetry) {
        let size = position.size();
        let (board, symmetry) = position.board().canonical(size);
        (Question { board, size, counting, task, limits }, symmetry)
    }

    /// The position asked about, black to move.
    ///
    /// # Panics
    /// Never: questions are made of positions.
    pub fn position(&self) -> Position {
        let (player, opponent) = (self.board.player(), self.board.opponent());
        Position::new(self.size, player, opponent, Color::Black).expect("made of a position")
    }

    /// How a finished game is counted.
    pub const fn counting(&self) -> Counting {
        self.counting
    }

    /// The size of the board.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The discs as the side to move sees them.
    pub const fn board(&self) -> Board {
        self.board
    }

    /// The number of empty squares.
    pub const fn n_empties(&self) -> u32 {
        self.size.area() as u32 - self.board.occupied().count()
    }

    /// The question as bytes, different for different ones.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (task, low, high) = match self.task {
            Task::Exact => (0, 0, 0),
            Task::Moves => (1, 0, 0),
            Task::Outcome => (2, 0, 0),
            Task::Window(low, high) => (3, low as u8, high as u8),
            Task::Level(level) => (4, level, 0),
            Task::Depth(depth) => (5, depth, 0),
        };
        let counting = u8::from(self.counting == Counting::Discs);
        let mut bytes = vec![self.size.side(), counting, task, low, high];
        bytes.extend(self.board.player().0.to_be_bytes());
        bytes.extend(self.board.opponent().0.to_be_bytes());
        bytes.extend(self.limits.time_ms.map_or(0, |ms| u64::from(ms) + 1).to_be_bytes());
        bytes.extend(self.limits.nodes.map_or(0, |n| n.saturating_add(1)).to_be_bytes());
        bytes
    }

    /// The question about the board with these discs.
    ///
    /// # Errors
    /// If there is no such board.
    pub(crate) fn of_discs(
        size: Size,
        player: u64,
        opponent: u64,
        counting: Counting,
        task: Task,
        limits: Limits,
    ) -> Result<Question, String> {
        let position = Position::new(size, Bitboard(player), Bitboard(opponent), Color::Black)
            .map_err(|error| format!("found a board of which {error}"))?;
        Ok(Question::new(position, counting, task, limits).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_reads_as_it_prints() {
        let tasks = [
            Task::Exact,
            Task::Moves,
            Task::Outcome,
            Task::Window(-4, 4),
            Task::Level(12),
            Task::Depth(8),
        ];
        for task in tasks {
            assert_eq!(task.to_string().parse(), Ok(task));
        }
        for text in ["", "window 4 4", "window -65 0", "level 0", "level 31", "depth 61", "exactly"]
        {
            assert!(text.parse::<Task>().is_err(), "{text}");
        }
    }

    #[test]
    fn symmetric_positions_ask_the_same() {
        let ask = |text: &str| {
            let position = Position::parse(text).unwrap();
            Question::new(position, Counting::Discs, Task::Exact, Limits::default())
        };
        let (first, symmetry) = ask("f5d6c3");
        let (second, _) = ask("d3c5f6");
        assert_eq!(first, second);
        assert_eq!(first.to_bytes(), second.to_bytes());
        let position = Position::parse("f5d6c3").unwrap();
        assert_eq!(position.transformed(symmetry).board(), first.board());
        let other = Question { task: Task::Outcome, ..first };
        assert_ne!(first.to_bytes(), other.to_bytes());
        let limited = Question { limits: Limits { time_ms: Some(0), nodes: None }, ..first };
        assert_ne!(first.to_bytes(), limited.to_bytes());
    }
}
