//! `obverse serve` on a real port.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

/// A server that is ended with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // If it has ended already there is nothing to end.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts it; tells the address it prints.
fn serve(args: &[&str]) -> (Server, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_obverse"))
        .args(["serve", "--no-open", "--threads", "1", "--table", "1"])
        .args(args)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let server = Server(child);
    let address = lines.map(Result::unwrap).find_map(|line| {
        let (_, rest) = line.split_once("Obverse is at http://")?;
        rest.split_once("/ ").map(|(address, _)| address.to_owned())
    });
    (server, address.expect("it tells where it is"))
}

#[test]
fn the_page_is_there() {
    let (_server, address) = serve(&["--addr", "127.0.0.1:0"]);
    let mut stream = TcpStream::connect(&address).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!(answer.contains("content-security-policy: default-src 'none'"), "{answer}");
    assert!(answer.contains("Obverse"), "{answer}");
}

#[test]
fn a_port_in_use_is_explained() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = taken.local_addr().unwrap().to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_obverse"))
        .args(["serve", "--no-open", "--addr", &addr])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with(&format!("error: {addr} is in use")), "{error}");
}

#[test]
fn without_an_address_the_next_free_port_is_taken() {
    // The first takes the usual port, or another if somebody has that; so the second takes another.
    let (_first, one) = serve(&[]);
    let (_second, other) = serve(&[]);
    assert_ne!(one, other);
    for address in [one, other] {
        assert!(address.starts_with("127.0.0.1:80"), "{address}");
        TcpStream::connect(address).unwrap();
    }
}
