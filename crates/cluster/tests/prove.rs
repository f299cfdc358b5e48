//! A prover that is shown the way does nothing in vain.

use obverse_board::{Counting, Position, Score};
use obverse_cluster::prove::{Claim, Goal, Oracle, Prover, Settled};
use obverse_cluster::{Question, Task};
use obverse_engine::solve::{Goal as Aim, Proof, Request};
use obverse_engine::{Config, Engine, Monitor};

/// Knows nothing beforehand, and solves lower bounds of positions with few enough empty squares.
struct Guide {
    engine: Engine,
    n_empties_max: u32,
    n_settled: usize,
}

impl Guide {
    fn new(n_empties_max: u32) -> Guide {
        let config = Config { threads: 1, table_mib: 4 };
        Guide { engine: Engine::new(config), n_empties_max, n_settled: 0 }
    }

    fn solve(&mut self, position: Position, (low, high): (i8, i8)) -> Proof {
        let request = Request {
            goal: Aim::Window(Score(low), Score(high)),
            ..Request::exact(position, Counting::Discs)
        };
        self.engine.solve(request, &Monitor::default(), &mut |_| {})
    }
}

impl Oracle for Guide {
    fn value(&mut self, position: Position, _: u32) -> f32 {
        // As poor a guess as can be.
        position.moves().count() as f32
    }

    fn known(&mut self, _: Position) -> Option<(Score, Score)> {
        None
    }

    fn settle(&mut self, position: Position, claim: Claim) -> Option<Settled> {
        if position.empties().count() > self.n_empties_max {
            return None;
        }
        self.n_settled += 1;
        let proof = self.solve(position, claim.window());
        match claim.is_settled_by(proof.lower, proof.upper) {
            Some(true) => proof.best?.square().map(Settled::By),
            Some(false) => Some(Settled::False),
            None => None,
        }
    }
}

/// Proves a claim; returns the verdict, the leaves that were solved, and those of the proof.
fn prove(claim: Claim, split: u32, guide: &mut Guide) -> (bool, usize, usize) {
    let position = Position::parse("start:4x4").unwrap();
    let goal = Goal { position, claim, counting: Counting::Discs, split };
    let mut prover = Prover::new(goal, guide);
    let mut n_solved = 0;
    loop {
        if let Some(verdict) = prover.verdict() {
            return (verdict, n_solved, prover.size().leaves);
        }
        let questions: Vec<Question> = prover.next(4, guide);
        let is_open = prover.verdict().is_none();
        assert!(!is_open || !questions.is_empty(), "what is open can be asked for");
        for question in questions {
            let Task::Window(low, high) = question.task else { panic!("{question:?}") };
            let proof = guide.solve(question.position(), (low, high));
            prover.answer(&question, proof.lower, proof.upper);
            n_solved += 1;
        }
    }
}

#[test]
fn all_that_is_solved_is_needed() {
    let mut n_in_vain = 0;
    for split in [4, 6, 8] {
        for claim in [Claim::AtLeast(-8), Claim::AtMost(-8)] {
            let (verdict, n_solved, n_leaves) = prove(claim, split, &mut Guide::new(16));
            assert!(verdict, "{claim}");
            assert_eq!(n_solved, n_leaves, "{claim}, split {split}");
            // With nobody to show the way more is solved than is needed.
            let (verdict, n_solved, n_leaves) = prove(claim, split, &mut Guide::new(0));
            assert!(verdict, "{claim}");
            n_in_vain += n_solved - n_leaves;
            // Halfway down it is shown the way from there on.
            let mut guide = Guide::new(10);
            let (verdict, ..) = prove(claim, split, &mut guide);
            assert!(verdict && guide.n_settled > 0, "{claim}");
        }
    }
    assert!(n_in_vain > 0);
}

#[test]
fn a_claim_that_is_false_is_not_pursued() {
    let (verdict, n_solved, _) = prove(Claim::AtLeast(-6), 6, &mut Guide::new(16));
    assert_eq!((verdict, n_solved), (false, 0));
    let (verdict, n_solved, _) = prove(Claim::AtMost(-10), 6, &mut Guide::new(16));
    // An upper bound is false by one move, and the first that is looked at may not be the one.
    assert!(!verdict && n_solved < 100, "{n_solved}");
    for claim in [Claim::AtLeast(-6), Claim::AtMost(-10)] {
        assert!(!prove(claim, 6, &mut Guide::new(0)).0, "{claim}");
    }
}
