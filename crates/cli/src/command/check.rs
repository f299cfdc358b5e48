//! `obverse check`: can any game reach this position?

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Result;
use obverse_board::notation::Form;
use obverse_board::reach::{self, Verdict};
use serde::Serialize;

use crate::{Answer, input, wire};

/// Find out whether any game can reach a position.
///
/// The answer is one of three:
///   reachable      with a game that reaches it (exit status 0)
///   unreachable    with the reason (exit status 1)
///   not refuted    neither was found within the time; what was tried is told (exit status 0)
///
/// The first two are proofs. Positions of up to 12 discs, and all on 4x4, are always decided; larger
/// ones are searched for --seconds.
///
/// Examples:
///   obverse check f5d6c3
///   obverse check '8/8/8/3wb3/3bw3/8/8/b7 w'
///   obverse check @position.txt --seconds 60
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The position, in any notation; - for standard input, @FILE for a file
    #[arg(allow_hyphen_values = true)]
    position: String,

    /// How long to search
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    seconds: f64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=1e6).contains(&seconds) => Ok(seconds),
        _ => Err(format!("found {text:?}, expected a number of seconds from 0 to 1000000")),
    }
}

#[derive(Serialize)]
struct CheckWire {
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    transcript: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<u64>,
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let position = input::game(&self.position)?.position();
        let (start, limit) = (Instant::now(), Duration::from_secs_f64(self.seconds));
        let verdict = reach::check(position, &mut || start.elapsed() < limit);
        let (transcript, reason, explanation, positions) = match &verdict {
            Verdict::Reachable(game) => (Some(Form::Transcript.print(game)?), None, None, None),
            Verdict::Unreachable(reason) => {
                (None, Some(reason.name()), Some(reason.to_string()), None)
            }
            Verdict::NotRefuted(tried) => {
                (None, None, Some(tried.to_string()), Some(tried.positions))
            }
        };
        let name = match verdict {
            Verdict::Reachable(_) => "reachable",
            Verdict::Unreachable(_) => "unreachable",
            Verdict::NotRefuted(_) => "not refuted",
        };
        if self.json {
            wire::print(
                out,
                &CheckWire { verdict: name, transcript, reason, explanation, positions },
            )?;
        } else {
            let detail = transcript.or(explanation).unwrap_or_default();
            writeln!(out, "{name}: {detail}")?;
        }
        Ok(if name == "unreachable" { Answer::No } else { Answer::Yes })
    }
}
