//! The whole game, judged move by move from its end.

use std::collections::HashMap;

use obverse_board::{Color, Counting, Move, Position};

use super::analysis::{read_level, read_time};
use super::{Order, Refusal, Report, Sitting};
use crate::judge::{Fault, Judged, Review, Total, Verdict};
use crate::tree::NodeId;
use crate::view::{self, for_black};
use crate::wire::{
    BestMove, BothSides, EffortWire, ErrorCode, FaultWire, JudgedMove, ReviewStatus, ToPage,
    TotalWire,
};
use crate::work::{Effort, Job, JobId, JudgeMove, News};

/// How far a review thinks if nobody says.
const EFFORT: EffortWire = EffortWire::Level { level: 12 };

/// How many mistakes are kept for puzzles; the oldest go first.
const MISTAKES_MAX: usize = 100;

/// The judgement of a line of the tree.
#[derive(Debug)]
pub(super) struct Reviewing {
    pub(super) effort: EffortWire,
    pub(super) status: ReviewStatus,
    /// The nodes of the line, the root included.
    pub(super) line: Vec<NodeId>,
    /// What is known of the moves that lead to them.
    pub(super) verdicts: HashMap<NodeId, Verdict>,
    job: Option<(JobId, NodeId)>,
}

/// A mistake of the person's own.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Mistake {
    pub(super) position: Position,
    pub(super) played: Move,
    pub(super) counting: Counting,
}

impl Reviewing {
    pub(super) fn new(effort: EffortWire, line: Vec<NodeId>) -> Reviewing {
        let verdicts = HashMap::new();
        Reviewing { effort, status: ReviewStatus::Running, line, verdicts, job: None }
    }
}

impl Sitting {
    pub(super) fn review(&mut self, effort: Option<EffortWire>) -> Result<(), Refusal> {
        let effort = effort.unwrap_or(EFFORT);
        read_effort(effort)?;
        let line = self.tree.main_line();
        if !line.iter().any(|&id| self.is_placed(id)) {
            return Err(Refusal::new(ErrorCode::NothingToReview, "there are no moves to review"));
        }
        let before = self.halt_review();
        let mut reviewing = Reviewing::new(effort, line);
        // What has been judged as carefully need not be judged again.
        if let Some(before) = before.filter(|before| before.effort == effort) {
            reviewing.verdicts = before.verdicts;
        }
        self.reviewing = Some(reviewing);
        self.changes.review = true;
        Ok(())
    }

    pub(super) fn stop_review(&mut self) {
        if let Some(mut reviewing) = self.halt_review() {
            if reviewing.status == ReviewStatus::Running {
                reviewing.status = ReviewStatus::Stopped;
            }
            self.reviewing = Some(reviewing);
            self.changes.review = true;
        }
    }

    /// There is another game on the board.
    pub(super) fn forget_review(&mut self) {
        self.changes.review |= self.halt_review().is_some();
    }

    /// Stops working on it for as long as nobody looks.
    pub(super) fn suspend_review(&mut self) {
        self.reviewing = self.halt_review();
    }

    /// Takes the review away and stops its job.
    fn halt_review(&mut self) -> Option<Reviewing> {
        let mut reviewing = self.reviewing.take()?;
        if let Some((job, _)) = reviewing.job.take() {
            self.out.orders.push(Order::Stop(job));
        }
        Some(reviewing)
    }

    /// Nodes have been removed: what is left of the line is still judged.
    pub(super) fn prune_review(&mut self) {
        let Some(mut reviewing) = self.halt_review() else { return };
        let n_before = reviewing.line.len();
        reviewing.line.retain(|&id| self.tree.get(id).is_some());
        reviewing.verdicts.retain(|&id, _| self.tree.get(id).is_some());
        self.changes.review |= reviewing.line.len() != n_before;
        self.reviewing = Some(reviewing);
    }

    /// Has the next move judged.
    pub(super) fn continue_review(&mut self) {
        let Some(reviewing) = &self.reviewing else { return };
        if reviewing.status != ReviewStatus::Running || reviewing.job.is_some() || !self.is_attended
        {
            return;
        }
        let (Ok(effort), counting) = (read_effort(reviewing.effort), self.table.counting) else {
            return;
        };
        let next = reviewing
            .line
            .iter()
            .rev()
            .copied()
            .find(|id| self.is_placed(*id) && !reviewing.verdicts.contains_key(id));
        let job = next.and_then(|id| {
            let node = self.tree.node(id);
            let position = self.tree.node(node.parent?).position;
            Some((id, Job::Judge(JudgeMove { position, mv: node.mv?, counting, effort })))
        });
        let job = job.map(|(id, job)| (self.order(job), id));
        let Some(reviewing) = &mut self.reviewing else { return };
        reviewing.job = job;
        if job.is_none() {
            reviewing.status = ReviewStatus::Done;
            self.changes.review = true;
        }
    }

    pub(super) fn is_review(&self, job: JobId) -> bool {
        let current = self.reviewing.as_ref().and_then(|reviewing| reviewing.job);
        current.is_some_and(|(id, _)| id == job)
    }

    pub(super) fn hear_review(&mut self, report: Report) {
        let Some(reviewing) = &mut self.reviewing else { return };
        let Some((_, node)) = reviewing.job else { return };
        if let Some(News::Judged(verdict)) = report.news {
            reviewing.job = None;
            reviewing.verdicts.insert(node, verdict);
            self.remember_mistake(node);
            self.tell_judged(node);
            self.save_soon();
        }
    }

    fn is_placed(&self, id: NodeId) -> bool {
        self.tree.node(id).mv.is_some_and(|mv| mv != Move::Pass)
    }

    fn remember_mistake(&mut self, node: NodeId) {
        let verdict = self.reviewing.as_ref().and_then(|r| r.verdicts.get(&node));
        let Some((parent, played)) = self.tree.node(node).parent.zip(self.tree.node(node).mv)
        else {
            return;
        };
        let position = self.tree.node(parent).position;
        let is_own = self.table.seat(position.turn()).is_human();
        let is_fault = verdict.is_some_and(|verdict| verdict.fault().is_some());
        let is_known = self.mistakes.iter().any(|mistake| mistake.position == position);
        if is_own && is_fault && !is_known {
            if self.mistakes.len() >= MISTAKES_MAX {
                self.mistakes.remove(0);
            }
            self.mistakes.push(Mistake { position, played, counting: self.table.counting });
        }
    }

    /// The next mistake of the line after the node on the board, or the one before it.
    pub(super) fn mistake(&self, step: i32) -> Option<NodeId> {
        let reviewing = self.reviewing.as_ref()?;
        let number = self.tree.node(self.at).number;
        let mut faults = reviewing.line.iter().copied().filter(|id| {
            reviewing.verdicts.get(id).is_some_and(|verdict| verdict.fault().is_some())
        });
        if step > 0 {
            faults.find(|&id| self.tree.node(id).number > number)
        } else {
            faults.rfind(|&id| self.tree.node(id).number < number)
        }
    }

    // What the page is told.

    /// The line with all verdicts.
    fn judged_line(&self, reviewing: &Reviewing) -> (Vec<NodeId>, Review) {
        let last = reviewing.line.last().copied().unwrap_or_default();
        let nodes = self.tree.path(last);
        let mut review = Review::new(&self.tree.game(last));
        for (&node, (_, judged)) in nodes[1..].iter().zip(&mut review.moves) {
            judged.verdict = reviewing.verdicts.get(&node).cloned();
        }
        (nodes, review)
    }

    pub(super) fn review_message(&self) -> ToPage {
        let Some(reviewing) = &self.reviewing else {
            return ToPage::Review {
                status: ReviewStatus::None,
                effort: EFFORT,
                done: 0,
                total: 0,
                moves: Vec::new(),
                totals: BothSides::default(),
            };
        };
        let (nodes, review) = self.judged_line(reviewing);
        let moves = nodes.windows(2).zip(&review.moves);
        ToPage::Review {
            status: reviewing.status,
            effort: reviewing.effort,
            done: review.n_judged() as u32,
            total: review.placed().count() as u32,
            moves: moves.filter_map(|(nodes, (_, judged))| judged_move(nodes, judged)).collect(),
            totals: totals(&review),
        }
    }

    fn tell_judged(&mut self, node: NodeId) {
        let Some(reviewing) = &self.reviewing else { return };
        let (nodes, review) = self.judged_line(reviewing);
        let mut moves = nodes.windows(2).zip(&review.moves);
        let judged = moves
            .find(|(nodes, _)| nodes[1] == node)
            .and_then(|(nodes, (_, judged))| judged_move(nodes, judged));
        if let Some(judged) = judged {
            self.out.messages.push(ToPage::Judged {
                done: review.n_judged() as u32,
                total: review.placed().count() as u32,
                judged: Box::new(judged),
                totals: totals(&review),
            });
        }
    }
}

fn read_effort(effort: EffortWire) -> Result<Effort, Refusal> {
    Ok(match effort {
        EffortWire::Level { level } => Effort::Level(read_level(level)?),
        EffortWire::Time { time_ms } => Effort::Time(read_time(time_ms)?),
    })
}

/// A move between two nodes, if it has been judged.
fn judged_move(nodes: &[NodeId], judged: &Judged) -> Option<JudgedMove> {
    let verdict = judged.verdict.as_ref()?;
    let best = verdict.best();
    Some(JudgedMove {
        node: nodes[1],
        from: nodes[0],
        number: judged.number,
        side: judged.side.into(),
        mv: judged.mv.to_string(),
        value: verdict.value.into(),
        black: for_black(verdict.value, judged.side),
        loss: verdict.loss(),
        loss_known: verdict.certainty().into(),
        fault: verdict.fault().map(|fault| match fault {
            Fault::Mistake => FaultWire::Mistake,
            Fault::Blunder => FaultWire::Blunder,
        }),
        best: BestMove {
            mv: best.mv.to_string(),
            value: best.value.into(),
            line: view::moves(&best.line),
        },
        choices: judged.n_choices,
    })
}

fn totals(review: &Review) -> BothSides<TotalWire> {
    let total = |side| {
        let total: Total = review.total(side);
        TotalWire {
            moves: total.moves,
            choices: total.choices,
            accurate: total.accurate,
            accuracy: total.accuracy(),
            mistakes: total.mistakes,
            blunders: total.blunders,
            lost: view::tenths(total.lost()),
            proven: view::tenths(total.proven),
            selective: view::tenths(total.selective),
            estimated: view::tenths(total.estimated),
        }
    };
    BothSides { black: total(Color::Black), white: total(Color::White) }
}
