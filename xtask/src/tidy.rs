//! The project's own rules, as far as a program can check them.

use std::fs;
use std::path::{Path, PathBuf};

/// The files that may contain unsafe code.
const UNSAFE_HOMES: [&str; 9] = [
    "crates/board/src/kernel.rs",
    "crates/board/src/kernel/avx2.rs",
    "crates/board/src/kernel/avx512.rs",
    "crates/board/src/kernel/cpu.rs",
    "crates/board/src/kernel/neon.rs",
    "crates/cli/src/command/batch/games.rs",
    "crates/engine/src/eval/factors/sum.rs",
    "crates/engine/src/pages.rs",
    "crates/engine/src/table.rs",
];

/// What each crate may depend on of ours: dependencies point down only.
const MAY_USE: [(&str, &[&str]); 9] = [
    ("board", &[]),
    ("proof", &[]),
    ("engine", &["board"]),
    ("lab", &["board", "engine"]),
    ("store", &["board", "engine"]),
    ("cluster", &["board", "engine", "store"]),
    ("studio", &["board", "engine"]),
    ("web", &["board", "engine", "studio"]),
    ("cli", &["board", "engine", "lab", "store", "cluster", "proof", "studio", "web"]),
];

/// What a sitting must do without, so that it is a state machine and nothing else.
const NOT_IN_STUDIO: [&str; 6] =
    ["Instant", "SystemTime", "std::thread", "std::net", "std::fs", "std::env"];

const LINES_MAX: usize = 800;

/// Checks every rule and reports all that are broken.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let mut broken = Vec::new();
    let mut files = Vec::new();
    for folder in ["crates", "xtask", "fuzz/fuzz_targets", "fuzz/src"] {
        collect(&root.join(folder), &mut files);
    }
    for path in &files {
        let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let name = path.strip_prefix(root).unwrap_or(path).display().to_string();
        check_source(&name, &text, &mut broken);
    }
    for (name, may_use) in MAY_USE {
        let path = root.join("crates").join(name).join("Cargo.toml");
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        check_manifest(name, may_use, &text, &mut broken);
    }
    if broken.is_empty() { Ok(()) } else { Err(format!("tidy:\n  {}", broken.join("\n  "))) }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn check_source(name: &str, text: &str, broken: &mut Vec<String>) {
    let n_lines = text.lines().count();
    if n_lines > LINES_MAX {
        broken.push(format!("{name}: {n_lines} lines, split it at {LINES_MAX}"));
    }
    // The words are put together so that this file does not contain them.
    let has_unsafe = text.lines().any(|line| {
        let code = line.split("//").next().unwrap_or_default();
        [["unsafe", " {"], ["unsafe", " fn"], ["unsafe", " impl"]]
            .iter()
            .any(|w| code.contains(&w.concat()))
    });
    if has_unsafe && !UNSAFE_HOMES.contains(&name) {
        broken.push(format!("{name}: unsafe code outside its homes (see xtask/src/tidy.rs)"));
    }
    for word in [["#[", "ignore"], ["todo", "!("], ["unimplemented", "!("]] {
        if text.contains(&word.concat()) {
            broken.push(format!("{name}: contains {}", word.concat()));
        }
    }
    if name.starts_with("crates/studio/src") {
        for word in NOT_IN_STUDIO.iter().filter(|word| text.contains(**word)) {
            broken.push(format!("{name}: contains {word}, which a sitting must do without"));
        }
    }
    if !name.contains("fuzz_targets") && !text.starts_with("//!") && !text.starts_with("#![") {
        broken.push(format!("{name}: does not open with a //! line that says what it is"));
    }
}

fn check_manifest(name: &str, may_use: &[&str], text: &str, broken: &mut Vec<String>) {
    let dependencies: Vec<&str> = text
        .lines()
        .skip_while(|line| *line != "[dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .collect();
    // The rules need nothing, and the verifier trusts nobody.
    if ["board", "proof"].contains(&name) && !dependencies.is_empty() {
        broken.push(format!("crates/{name}: depends on {}", dependencies.join(", ")));
    }
    for line in dependencies {
        if let Some(ours) = line.strip_prefix("obverse-") {
            let ours = ours.split(['.', ' ', '=']).next().unwrap_or_default();
            if !may_use.contains(&ours) {
                broken.push(format!("crates/{name}: may not depend on {ours}"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Vec<String> {
        let mut broken = Vec::new();
        check_source("a.rs", text, &mut broken);
        broken
    }

    #[test]
    fn each_rule_is_noticed_when_broken() {
        assert_eq!(source("//! Fine.\n"), Vec::<String>::new());
        assert_eq!(source("fn f() {}\n").len(), 1);
        assert_eq!(source(&format!("//! x\n{} {{}}\n", "unsafe")).len(), 1);
        assert_eq!(source(&format!("//! x\n{}\n", ["#[", "ignore]"].concat())).len(), 1);
        assert_eq!(source(&"//! x\n".repeat(LINES_MAX + 1)).len(), 1);
        let mut broken = Vec::new();
        check_source("crates/studio/src/a.rs", "//! x\nuse std::net::TcpStream;\n", &mut broken);
        assert_eq!(broken.len(), 1);
    }

    #[test]
    fn a_dependency_that_points_up_is_noticed() {
        let check = |name, may_use: &[&str], text| {
            let mut broken = Vec::new();
            check_manifest(name, may_use, text, &mut broken);
            broken.len()
        };
        assert_eq!(
            check("board", &[], "[dependencies]\n\n[dev-dependencies]\nproptest = \"1\"\n"),
            0
        );
        assert_eq!(check("board", &[], "[dependencies]\nlibc = \"1\"\n"), 1);
        assert_eq!(
            check("engine", &["board"], "[dependencies]\nobverse-board.workspace = true\n"),
            0
        );
        assert_eq!(
            check("engine", &["board"], "[dependencies]\nobverse-cli.workspace = true\n"),
            1
        );
    }
}
