//! `cargo xtask`: set-up, tests, release builds and tidiness checks.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is a program for the terminal")]

mod browser;
mod tidy;

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

const HELP: &str = "\
cargo xtask COMMAND

  test             every check: tidiness, format, lints, docs, tests (what .ci/run runs)
  browser          the tests of the web app in Chromium alone; installs it, Node.js and npm where needed
  tidy             the project's own rules: where unsafe code lives, file sizes, dependencies
  fuzz [SECONDS]   each fuzz target for some seconds (needs nightly Rust and cargo-fuzz)
  wasm             whether the crate studio compiles for WebAssembly (part of test)
  babble [LINES]   so many random lines through every protocol, 10 million unless told otherwise
  tsan             the solver's tests with many threads under ThreadSanitizer (needs nightly Rust with
                   the component rust-src)
  dist             release binaries for x86-64-v2, v3, v4 and, where the target is installed, aarch64
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match words[..] {
        ["test"] => test(),
        ["browser"] => browser::test(root()),
        ["tidy"] => tidy::check(root()),
        ["fuzz"] => fuzz("20"),
        ["fuzz", seconds] => fuzz(seconds),
        ["wasm"] => wasm(),
        ["babble"] => babble("10000000"),
        ["babble", lines] => babble(lines),
        ["tsan"] => tsan(),
        ["dist"] => dist(),
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        _ => Err(format!("found {:?}, expected a command:\n\n{HELP}", words.join(" "))),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// The workspace.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace")
}

fn test() -> Result<(), String> {
    tidy::check(root())?;
    set_up_nats()?;
    cargo(&["fmt", "--all", "--check"], &[])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"], &[])?;
    cargo(&["doc", "--workspace", "--no-deps", "--quiet"], &[("RUSTDOCFLAGS", "-D warnings")])?;
    wasm()?;
    cargo(&["test", "--workspace"], &[])?;
    browser::test(root())
}

/// The tests of the cluster run real NATS servers.
fn set_up_nats() -> Result<(), String> {
    let places = ["nats-server", "/usr/sbin/nats-server", "/usr/local/sbin/nats-server"];
    let is_there = || {
        places.iter().any(|place| {
            Command::new(place).arg("--version").output().is_ok_and(|out| out.status.success())
        })
    };
    if is_there() {
        return Ok(());
    }
    println!("\n== apt-get install nats-server");
    for words in [&["update", "-qq"][..], &["install", "-y", "-qq", "nats-server"]] {
        // If it may not, the next line says what is missing.
        let _ =
            Command::new("apt-get").args(words).env("DEBIAN_FRONTEND", "noninteractive").status();
    }
    if is_there() {
        return Ok(());
    }
    Err("the tests need nats-server, which could not be installed: install it by hand, for example \
         with apt-get install nats-server"
        .to_owned())
}

fn fuzz(seconds: &str) -> Result<(), String> {
    let targets = root().join("fuzz/fuzz_targets");
    let entries = std::fs::read_dir(&targets).map_err(|e| format!("{}: {e}", targets.display()))?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.path().file_stem()?.to_str().map(str::to_owned))
        .collect();
    names.sort();
    let limit = format!("-max_total_time={seconds}");
    for name in names {
        // What is found is kept in the first folder; the second holds examples to start from.
        let corpus = format!("fuzz/corpus/{name}");
        std::fs::create_dir_all(root().join(&corpus)).map_err(|e| format!("{corpus}: {e}"))?;
        let run = ["+nightly", "fuzz", "run", &name, &corpus, "fuzz/seeds"];
        let options = ["--", &limit, "-max_len=400", "-verbosity=0", "-print_final_stats=1"];
        cargo(&[&run[..], &options[..]].concat(), &[])?;
    }
    Ok(())
}

/// A sitting and its engine must work in a browser too, so nothing in them may need a system.
fn wasm() -> Result<(), String> {
    let target = "wasm32-unknown-unknown";
    if !is_installed(target) {
        // Where there is rustup it can be had; if not, the check is for whoever has it.
        let added = Command::new("rustup").args(["target", "add", target]).status();
        if !added.is_ok_and(|status| status.success()) {
            println!("{target}: the target is not installed and cannot be added, not checked");
            return Ok(());
        }
    }
    // The flags of this machine's CPU mean nothing there.
    let check = ["check", "--package", "obverse-studio", "--target", target, "--quiet"];
    cargo(&check, &[("RUSTFLAGS", "")])
}

/// Whether the standard library for a target is there.
fn is_installed(target: &str) -> bool {
    Command::new("rustc")
        .args(["--print", "target-libdir", "--target", target])
        .output()
        .is_ok_and(|out| Path::new(String::from_utf8_lossy(&out.stdout).trim()).is_dir())
}

fn babble(lines: &str) -> Result<(), String> {
    let test = ["test", "--release", "-p", "obverse-cli", "--test", "babble", "--", "--nocapture"];
    cargo(&test, &[("OBVERSE_BABBLE_LINES", lines)])
}

fn tsan() -> Result<(), String> {
    // The standard library must be instrumented too, or its locks look like races.
    let target = "x86_64-unknown-linux-gnu";
    let build = ["+nightly", "test", "-Zbuild-std", "--release", "--target", target];
    let tests = ["--target-dir", "target/tsan", "-p", "obverse-engine", "--test", "solve"];
    cargo(&[&build[..], &tests[..]].concat(), &[("RUSTFLAGS", "-Zsanitizer=thread")])
}

fn dist() -> Result<(), String> {
    for tier in ["x86-64-v2", "x86-64-v3", "x86-64-v4"] {
        let flags = format!("-C target-cpu={tier}");
        let target_dir = format!("target/dist/{tier}");
        let args = ["build", "--profile", "dist", "--target-dir", &target_dir];
        cargo(&args, &[("RUSTFLAGS", &flags)])?;
    }
    if is_installed("aarch64-unknown-linux-gnu") {
        let args = ["build", "--profile", "dist", "--target", "aarch64-unknown-linux-gnu"];
        cargo(&args, &[("RUSTFLAGS", "")])?;
    } else {
        println!("aarch64: the target is not installed, skipped");
    }
    Ok(())
}

/// Runs cargo in the workspace.
fn cargo(args: &[&str], variables: &[(&str, &str)]) -> Result<(), String> {
    run(Command::new("cargo").args(args).envs(variables.iter().copied()).current_dir(root()))
}

/// Runs a program and tells how long it took.
fn run(command: &mut Command) -> Result<(), String> {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let line = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    println!("\n== {line}");
    let start = Instant::now();
    let status = command.status().map_err(|e| format!("cannot run {line}: {e}"))?;
    println!("== {:.1} s", start.elapsed().as_secs_f64());
    if status.success() { Ok(()) } else { Err(format!("{line} failed ({status})")) }
}
