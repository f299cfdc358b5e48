//! What is asked of positions, and with what means: arguments that several commands share.

use std::sync::Arc;
use std::time::Duration;

use obverse_board::Counting;
use obverse_cluster::{Control, Crew, EngineShop, Event, Limits, MemoryTransport, Task};
use obverse_engine::eval::Weights;

use crate::command::solve::{Window, all_threads};

#[derive(clap::Args, Debug, Clone)]
pub(crate) struct TaskArgs {
    /// Prove only whether it is a win, a draw or a loss
    #[arg(long, conflicts_with_all = ["window", "level", "all_moves"])]
    wld: bool,

    /// Prove the score only if it lies between A and B
    #[arg(long, value_name = "A,B", allow_hyphen_values = true, conflicts_with_all = ["level", "all_moves"])]
    window: Option<Window>,

    /// Estimate by this level of play; near the end the score is proven
    #[arg(long, value_name = "L", conflicts_with = "all_moves", value_parser = clap::value_parser!(u8).range(1..=30))]
    level: Option<u8>,

    /// Prove the score of every move
    #[arg(long)]
    all_moves: bool,

    /// How to count a finished game
    #[arg(long, value_enum, default_value = "winner-takes-empties")]
    counting: CountingArg,

    #[command(flatten)]
    limits: LimitArgs,
}

/// What a position may cost.
#[derive(clap::Args, Debug, Clone)]
pub(crate) struct LimitArgs {
    /// Give each position at most so long, for example 10s or 500ms
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Duration>,

    /// Visit at most about so many positions for each
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
}

/// Longer than this is no limit.
const TIME_MAX: Duration = Duration::from_millis(u32::MAX as u64);

fn time(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    if time > TIME_MAX {
        return Err(format!("found {text}, expected at most 49 days"));
    }
    Ok(time)
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CountingArg {
    /// Own discs minus the opponent's
    Discs,
    /// The same, with the empty squares given to the winner
    WinnerTakesEmpties,
}

impl From<CountingArg> for Counting {
    fn from(counting: CountingArg) -> Counting {
        match counting {
            CountingArg::Discs => Counting::Discs,
            CountingArg::WinnerTakesEmpties => Counting::WinnerTakesEmpties,
        }
    }
}

impl LimitArgs {
    pub(crate) fn limits(&self) -> Limits {
        Limits { time_ms: self.time.map(|time| time.as_millis() as u32), nodes: self.nodes }
    }
}

impl TaskArgs {
    pub(crate) fn task(&self) -> Task {
        match (self.wld, self.window, self.level, self.all_moves) {
            (true, ..) => Task::Outcome,
            (_, Some(Window(low, high)), ..) => Task::Window(low.0, high.0),
            (_, _, Some(level), _) => Task::Level(level),
            (.., true) => Task::Moves,
            _ => Task::Exact,
        }
    }

    pub(crate) fn counting(&self) -> Counting {
        self.counting.into()
    }

    pub(crate) fn limits(&self) -> Limits {
        self.limits.limits()
    }
}

/// How much of the machine to use.
#[derive(clap::Args, Debug, Clone)]
pub(crate) struct Means {
    /// Threads that work side by side, or together on a hard position [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// The size of each thread's table in MiB [default: by the number of empty squares]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    table_mib: Option<u32>,

    /// The evaluation [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<String>,
}

impl Means {
    pub(crate) fn n_threads(&self) -> usize {
        self.threads.map_or_else(all_threads, usize::from)
    }

    pub(crate) fn table_mib(&self) -> Option<usize> {
        self.table_mib.map(|mib| mib as usize)
    }

    /// Does something with a crew on this machine, which answers what `transport` is offered until it is
    /// told to leave. `say` hears of what goes wrong.
    pub(crate) fn with_crew<T>(
        &self,
        weights: Arc<Weights>,
        transport: &MemoryTransport,
        say: &(dyn Fn(&str) + Sync),
        work: impl FnOnce(&Control) -> T,
    ) -> T {
        let shop = EngineShop { weights, table_mib: self.table_mib() };
        let control = Control::default();
        let crew = Crew {
            transport,
            shop: &shop,
            n_threads: self.n_threads(),
            limits: Limits::default(),
            name: "local".into(),
            tell: &|event| {
                if let Event::Failed(reason) = event {
                    say(&reason);
                }
            },
        };
        std::thread::scope(|scope| {
            scope.spawn(|| crew.run(&control));
            let done = work(&control);
            control.leave();
            done
        })
    }
}
