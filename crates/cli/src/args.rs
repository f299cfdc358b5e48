//! The command line: what was typed.

use std::io::Write;

use anyhow::Result;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{Parser, Subcommand};

use crate::Answer;
use crate::command::{
    analyze, apply, batch, bench, cassio, check, cluster, convert, ggs, gtp, kply, lab, matches,
    moves, nboard, perft, play, prove, serve, show, solve, stats, tiny, tree, verify, worker,
    xboard,
};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Reversi and Othello: play, study, analyze.
///
/// Without a command, the web app starts and opens in the browser.
///
/// A POSITION is written in any of these forms, which are told apart by themselves:
///
///   start  start:4x4  start:6x6  start:mirrored      a start by name
///   f5d6c3                                           the moves since the start
///   8/8/8/3wb3/3bw3/8/8/8 b                          SRN: rows, empties counted, the side
///   0000021001200000 1                               digits: 0 empty, 1 dark, 2 light, the side
///   [[0,0,…],…] 1                                    a list of lists of the same digits
///   -----OX--XO----- X;                              OBF: squares in reading order, the side
///   (;GM[Othello]…;)  (;GM[2]…)  1. f5 d6 2. c3 d3   GGF, SGF, PGN
///   8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1                  FEN: p black, P white, rows from the bottom
///   a grid of rows, or a kply file
///
/// `-` reads the position from standard input, `@FILE` from a file (WTHOR too) and `@FILE#3` the third
/// game of one.
///
/// Exit status: 0 done, 1 a negative answer, 2 wrong usage or a failure.
#[derive(Parser, Debug)]
#[command(name = "obverse", version, styles = STYLES, verbatim_doc_comment, propagate_version = true)]
#[command(arg_required_else_help = false, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one value, made once")]
enum Command {
    Serve(serve::Args),
    Play(play::Args),
    Show(show::Args),
    Moves(moves::Args),
    Apply(apply::Args),
    Check(check::Args),
    Solve(solve::Args),
    Analyze(analyze::Args),
    Convert(convert::Args),
    Bench(bench::Args),
    Match(matches::Args),
    Tree(tree::Args),
    Stats(stats::Args),
    Kply(kply::Args),
    Tiny(tiny::Args),
    Perft(perft::Args),
    Prove(prove::Args),
    Verify(verify::Args),
    Batch(batch::Args),
    Cluster(cluster::Args),
    Worker(worker::Args),
    Lab(lab::Args),
    Nboard(nboard::Args),
    Gtp(gtp::Args),
    Cassio(cassio::Args),
    Xboard(xboard::Args),
    Ggs(ggs::Args),
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        match self.command.unwrap_or_else(|| Command::Serve(serve::Args::default())) {
            Command::Serve(args) => args.run(out),
            Command::Play(args) => args.run(out),
            Command::Show(args) => args.run(out),
            Command::Moves(args) => args.run(out),
            Command::Apply(args) => args.run(out),
            Command::Check(args) => args.run(out),
            Command::Solve(args) => args.run(out),
            Command::Analyze(args) => args.run(out),
            Command::Convert(args) => args.run(out),
            Command::Bench(args) => args.run(out),
            Command::Match(args) => args.run(out),
            Command::Tree(args) => args.run(out),
            Command::Stats(args) => args.run(out),
            Command::Kply(args) => args.run(out),
            Command::Tiny(args) => args.run(out),
            Command::Perft(args) => args.run(out),
            Command::Prove(args) => args.run(out),
            Command::Verify(args) => args.run(out),
            Command::Batch(args) => args.run(out),
            Command::Cluster(args) => args.run(out),
            Command::Worker(args) => args.run(out),
            Command::Lab(args) => args.run(out),
            Command::Nboard(args) => args.run(out),
            Command::Gtp(args) => args.run(out),
            Command::Cassio(args) => args.run(out),
            Command::Xboard(args) => args.run(out),
            Command::Ggs(args) => args.run(out),
        }
    }
}
