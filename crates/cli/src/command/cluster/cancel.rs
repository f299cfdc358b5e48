//! `obverse cluster cancel`: what is not done yet is not to be done.

use std::io::Write;

use anyhow::{Result, bail};
use obverse_cluster::nats::Campaign;
use serde::Serialize;

use super::connect::{CampaignArg, Server};
use crate::{Answer, wire};

/// Take the positions of a campaign that are not solved yet out of the queue.
///
/// What is being solved right now is finished; results stay until `obverse cluster purge`.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    #[command(flatten)]
    campaign: CampaignArg,

    #[command(flatten)]
    server: Server,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct CancelWire {
    campaign: String,
    chunks: u64,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let name = &self.campaign.campaign;
        let nats = self.server.connect(name, "obverse cancel")?;
        let Some(campaign) = nats.campaign()? else {
            bail!("found no campaign {name}; `obverse cluster status` lists those there are");
        };
        let chunks = nats.cancel()?;
        nats.describe(&Campaign { cancelled: true, ..campaign })?;
        if self.json {
            wire::print(out, &CancelWire { campaign: name.clone(), chunks })?;
        } else {
            writeln!(out, "cancelled {name}: {chunks} chunks taken out of the queue")?;
        }
        Ok(Answer::Yes)
    }
}
