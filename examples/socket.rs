//! Sends UBJSON documents and then a line of text over one TCP connection.
//!
//! Why: `from_reader` leaves a stream exactly behind the document. Several can follow each other without a length in
//! front, and so can another protocol. A reader that buffers ahead would take the first bytes of what follows with it. No
//! `BufReader` is needed either: as far as the document itself says how much is still to come, reads are long.
//!
//! ```text
//! cargo run --release --example socket [FILE]
//! ```

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;

use serde::{Deserialize, Serialize};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/xgboost/stump.ubj");
const LINE: &str = "250 that was all: now plain text, für alle\r\n";

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Message {
    Greeting {
        protocol: u8,
        from: String,
    },
    File {
        name: String,
        #[serde(with = "serde_bytes")]
        content: Vec<u8>,
    },
    Done {
        files: usize,
    },
}

fn messages(path: &Path) -> std::io::Result<Vec<Message>> {
    let name = path
        .file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned();
    Ok(vec![
        Message::Greeting {
            protocol: 1,
            from: "example".to_owned(),
        },
        Message::File {
            name,
            content: std::fs::read(path)?,
        },
        Message::Done { files: 1 },
    ])
}

/// `to_writer` has written everything when it returns, so text can follow at once.
fn send(mut stream: TcpStream, messages: &[Message]) -> Result<(), Box<dyn Error + Send + Sync>> {
    for message in messages {
        ubjson::to_writer(&mut stream, message)?;
    }
    stream.write_all(LINE.as_bytes())?;
    Ok(())
}

/// Takes the bare stream, reads documents up to the one that says it is the last, and leaves the rest alone.
fn receive(mut stream: impl Read) -> Result<Vec<Message>, ubjson::Error> {
    let mut received = Vec::new();
    while !matches!(received.last(), Some(Message::Done { .. })) {
        let message = ubjson::from_reader(&mut stream)?;
        let described = match &message {
            Message::Greeting { protocol, from } => format!("greeting from {from}, protocol {protocol}"),
            Message::File { name, content } => format!("file {name}, {} bytes", content.len()),
            Message::Done { files } => format!("done, files sent: {files}"),
        };
        println!("{described}");
        received.push(message);
    }
    Ok(received)
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let path = std::env::args_os()
        .nth(1)
        .map_or_else(|| PathBuf::from(SAMPLE), PathBuf::from);
    let sent = messages(&path)?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;

    thread::scope(|scope| {
        let sender = scope.spawn(|| send(TcpStream::connect(address)?, &sent));
        let (stream, _) = listener.accept()?;
        assert_eq!(receive(&stream)?, sent);

        let mut line = String::new();
        BufReader::new(&stream).read_line(&mut line)?;
        print!("then the line: {line}");
        assert_eq!(line, LINE, "the text arrived whole");
        sender.join().unwrap_or_else(|_| Err("the sender panicked".into()))
    })
}
