//! `obverse`: the one binary, its only argument parser and its only printer.
//!
//! Exit status: 0 done, 1 a negative answer, 2 usage or failure. A closed pipe is not an error.

#![allow(
    clippy::doc_markdown,
    rustdoc::bare_urls,
    rustdoc::broken_intra_doc_links,
    rustdoc::private_intra_doc_links,
    reason = "the comments on arguments are manual pages, not rustdoc"
)]

mod args;
mod command;
mod draw;
mod duel;
mod input;
mod output;
mod player;
mod protocol;
mod suite;
mod watch;
mod weights;
mod wire;

#[doc(hidden)]
pub use crate::protocol::rehearsal;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::args::Args;

/// What a command has to say to the shell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    /// Done, or yes.
    Yes,
    /// A negative answer.
    No,
}

/// Runs the program.
pub fn main() -> ExitCode {
    // Before anything else: without the instructions it was built for the program would just die.
    if let Some(feature) = obverse_board::kernel::cpu_lacks() {
        let _ = writeln!(
            anstream::stderr(),
            "error: this build needs a CPU with {feature}, which this one lacks; \
             use a build for an older CPU, or build it here with cargo build --release"
        );
        return ExitCode::from(2);
    }
    let args = Args::parse();
    let mut out = anstream::stdout().lock();
    let outcome = args.run(&mut out).and_then(|answer| {
        out.flush()?;
        Ok(answer)
    });
    match outcome {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // What was printed before the failure comes first; if it cannot be, that is no news.
            let _ = out.flush();
            let _ = writeln!(anstream::stderr(), "error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let kind = cause
            .downcast_ref::<std::io::Error>()
            .map(std::io::Error::kind)
            .or_else(|| cause.downcast_ref::<serde_json::Error>()?.io_error_kind());
        kind == Some(ErrorKind::BrokenPipe)
    })
}
