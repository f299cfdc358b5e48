//! Overlays, the search tree and puzzles.

use obverse_board::perft::Passes;
use obverse_board::{Move, Position, Size};
use obverse_engine::classic::{Algorithm, Depth, Eval, Lookahead, Weights};
use obverse_engine::{Candidate, Value};

use super::review::Mistake;
use super::{Order, Refusal, Report, Sitting, square};
use crate::overlay;
use crate::search_tree;
use crate::tree::AddError;
use crate::view;
use crate::wire::{
    ErrorCode, EvalWire, LineWire, OverlayKind, PassWire, PuzzleQuestion, PuzzleSource,
    PuzzleStatus, ToPage,
};
use crate::work::{Job, JobId, MakePuzzle, News, OWN_EMPTIES_MAX, Puzzle};

/// The puzzle of a sitting.
#[derive(Debug)]
pub(super) struct Puzzling {
    number: u32,
    source: PuzzleSource,
    status: PuzzleStatus,
    job: Option<JobId>,
    /// The mistake it is made of.
    mistake: Option<Mistake>,
    puzzle: Option<Puzzle>,
    /// The wrong moves that were tried.
    tries: Vec<Move>,
}

impl Sitting {
    // Overlays.

    pub(super) fn choose_overlay(&mut self, kind: OverlayKind) {
        self.overlay = kind;
        self.overlaid = None;
        if kind == OverlayKind::None {
            self.tell_overlay();
        }
    }

    /// Makes the overlay follow the board.
    pub(super) fn follow_overlay(&mut self) {
        if self.overlay != OverlayKind::None && self.overlaid != Some(self.at) && self.is_attended {
            self.tell_overlay();
        }
    }

    fn tell_overlay(&mut self) {
        let position = self.position();
        let (squares, sums) = overlay::overlay(self.overlay, position);
        self.overlaid = Some(self.at);
        self.out.messages.push(ToPage::Overlay {
            node: self.at,
            kind: self.overlay,
            squares,
            sums,
            heuristic: overlay::heuristic(position),
        });
    }

    // The search tree.

    pub(super) fn search_tree(
        &mut self,
        to: Option<u32>,
        depth: u8,
        eval: EvalWire,
        pass: PassWire,
    ) -> Result<(), Refusal> {
        let plies = Depth::new(depth).ok_or_else(|| {
            let text = format!("found depth {depth}, expected 1 to 60");
            Refusal::new(ErrorCode::BadLimit, text).found(&depth).expected(&"1 to 60")
        })?;
        let lookahead = Lookahead {
            depth: plies,
            eval: match eval {
                EvalWire::Discs => Eval::Discs,
                EvalWire::Positional => Eval::Positional(Weights::default()),
            },
            passes: match pass {
                PassWire::Ply => Passes::Ply,
                PassWire::Free => Passes::Free,
            },
        };
        let position = match self.position() {
            position if position.size() == Size::Four => position,
            _ => Position::start(Size::Four),
        };
        let search = |algorithm| {
            search_tree::search(position, lookahead, algorithm).map_err(|error| {
                Refusal::new(ErrorCode::TreeTooLarge, error.to_string()).found(&depth)
            })
        };
        // The larger one first: if that is too large nothing is searched.
        let minimax = search(Algorithm::Minimax)?;
        let alphabeta = search(Algorithm::AlphaBeta)?;
        let position = view::view(position);
        self.out.messages.push(ToPage::SearchTree { to, position, depth, minimax, alphabeta });
        Ok(())
    }

    // Puzzles.

    pub(super) fn puzzle(&mut self, source: PuzzleSource) -> Result<(), Refusal> {
        if source == PuzzleSource::Own && self.own_puzzles().next().is_none() {
            let text = "no mistake near enough to the end has been found in a reviewed game";
            return Err(Refusal::new(ErrorCode::NoOwnMistakes, text));
        }
        self.stop_puzzle();
        let number = self.puzzling.as_ref().map_or(1, |puzzling| puzzling.number + 1);
        self.puzzling = Some(Puzzling {
            number,
            source,
            status: PuzzleStatus::Making,
            job: None,
            mistake: None,
            puzzle: None,
            tries: Vec::new(),
        });
        self.changes.puzzle = true;
        Ok(())
    }

    /// The mistakes that can be solved.
    fn own_puzzles(&self) -> impl Iterator<Item = &Mistake> {
        self.mistakes.iter().filter(|mistake| mistake.position.empties().count() <= OWN_EMPTIES_MAX)
    }

    /// Has a puzzle made if one is wanted.
    pub(super) fn continue_puzzle(&mut self) {
        let Some(puzzling) = &self.puzzling else { return };
        let is_wanted = puzzling.status == PuzzleStatus::Making && puzzling.job.is_none();
        if !is_wanted || !self.is_attended {
            return;
        }
        let mistake = self.own_puzzles().next().copied();
        let make = match (puzzling.source, mistake) {
            (PuzzleSource::Win, _) => MakePuzzle::Win { seed: self.rng.next_u64() },
            (PuzzleSource::Own, Some(Mistake { position, played, counting })) => {
                MakePuzzle::Own { position, played, counting }
            }
            (PuzzleSource::Own, None) => {
                self.end_puzzle();
                return;
            }
        };
        let job = self.order(Job::MakePuzzle(make));
        if let Some(puzzling) = &mut self.puzzling {
            puzzling.job = Some(job);
            puzzling.mistake = mistake.filter(|_| puzzling.source == PuzzleSource::Own);
        }
    }

    pub(super) fn stop_puzzle(&mut self) {
        let job = self.puzzling.as_mut().and_then(|puzzling| puzzling.job.take());
        self.out.orders.extend(job.map(Order::Stop));
    }

    pub(super) fn is_puzzle(&self, job: JobId) -> bool {
        self.puzzling.as_ref().is_some_and(|puzzling| puzzling.job == Some(job))
    }

    pub(super) fn hear_puzzle(&mut self, report: Report) {
        let Some(News::Puzzle(made)) = report.news else { return };
        let Some(puzzling) = &mut self.puzzling else { return };
        puzzling.job = None;
        if made.is_some() {
            puzzling.puzzle = made;
            puzzling.status = PuzzleStatus::Open;
            self.changes.puzzle = true;
        } else if let Some(mistake) = puzzling.mistake.take() {
            // It was no mistake after all; the next one is tried.
            self.mistakes.retain(|other| *other != mistake);
        }
    }

    /// The puzzle that waits for a move.
    fn open_puzzle(&mut self) -> Result<(&mut Puzzling, Puzzle), Refusal> {
        let open = self.puzzling.as_mut().filter(|p| p.status == PuzzleStatus::Open);
        let open = open.and_then(|puzzling| {
            let puzzle = puzzling.puzzle.clone()?;
            Some((puzzling, puzzle))
        });
        open.ok_or_else(|| Refusal::new(ErrorCode::NoPuzzle, "there is no puzzle to solve"))
    }

    pub(super) fn puzzle_try(&mut self, text: &str) -> Result<(), Refusal> {
        let square = square(text)?;
        let (puzzling, puzzle) = self.open_puzzle()?;
        puzzle.position.play(square).map_err(AddError::Illegal)?;
        let mv = Move::Place(square);
        let tried = puzzle.moves.iter().find(|candidate| candidate.mv == mv);
        let best = puzzle.moves.first().map(|best| best.value.discs);
        if tried.map(|tried| tried.value.discs) == best {
            puzzling.status = PuzzleStatus::Solved;
            // Of several best moves the one that was found is the solution.
            if let Some(puzzle) = &mut puzzling.puzzle {
                puzzle.moves.sort_by_key(|candidate| candidate.mv != mv);
            }
            if let Some(mistake) = puzzling.mistake {
                self.mistakes.retain(|other| *other != mistake);
            }
            self.save_soon();
        } else if !puzzling.tries.contains(&mv) {
            puzzling.tries.push(mv);
        }
        self.changes.puzzle = true;
        Ok(())
    }

    pub(super) fn puzzle_show(&mut self) -> Result<(), Refusal> {
        let (puzzling, _) = self.open_puzzle()?;
        puzzling.status = PuzzleStatus::Shown;
        // It comes again after the others.
        if let Some(mistake) = puzzling.mistake {
            self.mistakes.retain(|other| *other != mistake);
            self.mistakes.push(mistake);
        }
        self.changes.puzzle = true;
        self.save_soon();
        Ok(())
    }

    pub(super) fn end_puzzle(&mut self) {
        self.stop_puzzle();
        if let Some(puzzling) = &mut self.puzzling {
            puzzling.status = PuzzleStatus::Ended;
            puzzling.puzzle = None;
            puzzling.tries.clear();
            self.changes.puzzle = true;
        }
    }

    /// The position of the puzzle, if there is one.
    pub(super) fn puzzle_position(&self) -> Option<Position> {
        Some(self.puzzling.as_ref()?.puzzle.as_ref()?.position)
    }

    /// Whether there is a puzzle to tell of.
    pub(super) fn has_puzzle(&self) -> bool {
        self.puzzling.as_ref().is_some_and(|puzzling| puzzling.status != PuzzleStatus::Ended)
    }

    pub(super) fn puzzle_message(&self) -> Option<ToPage> {
        let puzzling = self.puzzling.as_ref()?;
        let puzzle = puzzling.puzzle.as_ref();
        let line = |mv: &Move| -> Option<LineWire> {
            let found = puzzle?.moves.iter().find(|candidate| candidate.mv == *mv)?;
            Some(found.into())
        };
        let is_told = matches!(puzzling.status, PuzzleStatus::Solved | PuzzleStatus::Shown);
        Some(ToPage::Puzzle {
            number: puzzling.number,
            status: puzzling.status,
            source: puzzling.source,
            position: puzzle.map(|puzzle| view::view(puzzle.position)),
            question: puzzle.and_then(|puzzle| question(puzzle, puzzling.mistake)),
            tries: puzzling.tries.iter().filter_map(line).collect(),
            solution: puzzle.filter(|_| is_told).and_then(|p| p.moves.first()).map(Into::into),
            own_left: self.own_puzzles().count() as u32,
        })
    }
}

fn question(puzzle: &Puzzle, mistake: Option<Mistake>) -> Option<PuzzleQuestion> {
    let side = puzzle.position.turn().into();
    let empties = puzzle.position.empties().count();
    let Some(mistake) = mistake else { return Some(PuzzleQuestion::Win { side, empties }) };
    let value = |candidate: &Candidate| candidate.value;
    let best: Value = puzzle.moves.iter().map(value).max_by(|a, b| a.discs.total_cmp(&b.discs))?;
    let played = puzzle.moves.iter().find(|candidate| candidate.mv == mistake.played)?.value;
    Some(PuzzleQuestion::Better {
        side,
        empties,
        loss: view::tenths(best.discs - played.discs),
        played: played.into(),
    })
}
