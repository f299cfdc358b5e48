//! The program. All of it is in the library, where fuzz targets reach the protocols.

use std::process::ExitCode;

fn main() -> ExitCode {
    obverse_cli::main()
}
