//! Builds again when the page changes: the macro that embeds it notices changed files, not new ones.

fn main() {
    println!("cargo::rerun-if-changed=page");
}
