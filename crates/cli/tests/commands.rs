//! Literal dialogues with the program, readable as documentation: `tests/cmd/*.md`.
//!
//! After a change that is meant, `TRYCMD=overwrite cargo test -p obverse-cli` writes them anew; read
//! the difference as you would read code.

use std::path::PathBuf;

#[test]
fn the_program_answers_as_documented() {
    // The program and the example engines can be named without their folder.
    let mut path = vec![built().join("examples"), built()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let path = std::env::join_paths(path).expect("folders without a colon in their names");
    // The same drawings whatever the terminal of whoever runs the tests.
    trycmd::TestCases::new()
        .env("LC_ALL", "C.UTF-8")
        .env("PATH", path.to_string_lossy())
        .case("tests/cmd/*.md")
        .case("tests/cmd/*.toml")
        .case("../../README.md");
}

/// Where cargo puts programs: beside the folder of the tests.
fn built() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    test.parent().and_then(std::path::Path::parent).expect("tests lie in deps").to_owned()
}
