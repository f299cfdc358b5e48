//! `obverse cluster purge`: a campaign is forgotten.

use std::io::Write;

use anyhow::{Result, bail};
use serde::Serialize;

use super::connect::{CampaignArg, Server};
use crate::{Answer, wire};

/// Forget a campaign: its positions, its results, and who asked.
///
/// Results that were not collected are lost, so --yes is needed.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    #[command(flatten)]
    campaign: CampaignArg,

    /// Yes, even what was not collected
    #[arg(long)]
    yes: bool,

    #[command(flatten)]
    server: Server,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct PurgeWire {
    campaign: String,
    messages: u64,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let name = &self.campaign.campaign;
        if !self.yes {
            bail!("results of {name} that were not collected would be lost; --yes forgets them");
        }
        let nats = self.server.connect(name, "obverse purge")?;
        let messages = nats.purge()?;
        if self.json {
            wire::print(out, &PurgeWire { campaign: name.clone(), messages })?;
        } else {
            writeln!(out, "purged    {name}: {messages} messages")?;
        }
        Ok(Answer::Yes)
    }
}
