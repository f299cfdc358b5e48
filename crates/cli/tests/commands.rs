//! Literal dialogues with the program, readable as documentation: `tests/cmd/*.md`.
//!
//! After a change that is meant, `TRYCMD=overwrite cargo test -p obverse-cli` writes them anew; read
//! the difference as you would read code.

#[test]
fn the_program_answers_as_documented() {
    // The same drawings whatever the terminal of whoever runs the tests.
    trycmd::TestCases::new()
        .env("LC_ALL", "C.UTF-8")
        .case("tests/cmd/*.md")
        .case("tests/cmd/*.toml")
        .case("../../README.md");
}
