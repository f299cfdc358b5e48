//! The tests of the web app in a real browser: installs what they need, then runs them.
//!
//! Chromium, Node.js and npm come from the system, or from its package manager where we may use it; the
//! npm packages are those of `crates/web/e2e/package-lock.json`, to the byte.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run;

/// Sets up and runs them with a program built as for the other tests.
pub(crate) fn test(root: &Path) -> Result<(), String> {
    let chromium = program(&["chromium", "chromium-browser", "google-chrome"], "chromium")?;
    let node = program(&["node"], "nodejs")?;
    let npm = program(&["npm"], "npm")?;
    let folder = root.join("crates/web/e2e");
    if !is_installed(&folder) {
        let arguments = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
        run(Command::new(npm).args(arguments).current_dir(&folder))?;
    }
    run(Command::new("cargo").args(["build", "-p", "obverse-cli"]).current_dir(root))?;
    run(Command::new(node)
        .args(["--test", "--test-reporter=spec", "--test-concurrency=2"])
        .env("OBVERSE", target(root).join("debug/obverse"))
        .env("CHROMIUM", chromium)
        .current_dir(&folder))
}

/// Where cargo builds.
fn target(root: &Path) -> PathBuf {
    // Relative to the workspace, as cargo takes it when it is called there.
    std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), |folder| root.join(folder))
}

/// A program of the system; a missing one is installed if this is Debian and we may.
fn program(names: &[&str], package: &str) -> Result<PathBuf, String> {
    if let Some(found) = find(names) {
        return Ok(found);
    }
    let name = names[0];
    let missing =
        |why: &str| format!("the browser tests need {name}: install the package {package} ({why})");
    let apt = find(&["apt-get"]).ok_or_else(|| missing("there is no apt-get to do it"))?;
    run(Command::new(&apt).arg("update")).map_err(|e| missing(&e))?;
    let install = ["install", "-y", "--no-install-recommends", package];
    run(Command::new(&apt).args(install).env("DEBIAN_FRONTEND", "noninteractive"))
        .map_err(|e| missing(&e))?;
    find(names).ok_or_else(|| missing("it was installed and is not there"))
}

/// The first of some programs that is on the path.
fn find(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names.iter().flat_map(|name| folders.iter().map(move |f| f.join(name))).find(|f| f.is_file())
}

/// Whether the packages are those of the lock file: npm leaves a list of what it has installed.
fn is_installed(folder: &Path) -> bool {
    let changed = |name: &str| std::fs::metadata(folder.join(name)).and_then(|m| m.modified()).ok();
    let installed = changed("node_modules/.package-lock.json");
    installed.is_some() && installed >= changed("package-lock.json")
}
