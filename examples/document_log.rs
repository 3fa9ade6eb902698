//! Appends documents to a log and follows it while it grows.
//!
//! Why: documents need nothing between them, so a log is a file to append to. Its reader passes over entries that it does not
//! know, and goes on with an entry that was only half written once the rest of it is there.
//!
//! ```text
//! cargo run --release --example document_log
//! ```

use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use ubjson::Deserializer;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Entry {
    Started { version: String },
    Request { path: String, status: u16, micros: u64 },
    Stopped,
}

/// An entry of a later version of the program.
#[derive(Serialize)]
enum LaterEntry {
    CacheHit { path: String, age: [u32; 3] },
}

/// Reads what is new since `position` and moves it behind the last whole entry.
fn read_new(file: &mut File, position: &mut u64) -> Result<Vec<Entry>, Box<dyn Error>> {
    file.seek(SeekFrom::Start(*position))?;
    let mut stream = Deserializer::from_seekable(file).into_iter();
    let mut entries = Vec::new();
    for entry in stream.by_ref() {
        match entry {
            Ok(entry) => entries.push(entry),
            Err(error) if error.is_eof() => println!("    (the last entry is not complete yet)"),
            Err(error) if error.kind() == ubjson::ErrorKind::Data => println!("    (passed over: {error})"),
            Err(error) => return Err(error.into()),
        }
    }
    *position += stream.byte_offset();
    for entry in &entries {
        println!("    {entry:?}");
    }
    Ok(entries)
}

fn request(status: u16) -> Entry {
    Entry::Request {
        path: "/".to_owned(),
        status,
        micros: 1_250,
    }
}

fn follow(path: &Path) -> Result<(), Box<dyn Error>> {
    let mut log = OpenOptions::new().create(true).append(true).open(path)?;
    let mut reader = File::open(path)?;
    let mut position = 0;

    println!("two entries:");
    let version = "1.0".to_owned();
    ubjson::to_writer(&mut log, &Entry::Started { version })?;
    ubjson::to_writer(&mut log, &request(200))?;
    assert_eq!(read_new(&mut reader, &mut position)?.len(), 2);

    println!("one that is unknown, and one that is only half written:");
    let path = "/logo".to_owned();
    ubjson::to_writer(&mut log, &LaterEntry::CacheHit { path, age: [1, 2, 3] })?;
    let bytes = ubjson::to_vec(&request(404))?;
    let (half, other_half) = bytes.split_at(bytes.len() / 2);
    log.write_all(half)?;
    assert_eq!(read_new(&mut reader, &mut position)?, []);

    println!("the other half, and one more:");
    log.write_all(other_half)?;
    ubjson::to_writer(&mut log, &Entry::Stopped)?;
    assert_eq!(read_new(&mut reader, &mut position)?, [request(404), Entry::Stopped]);

    let mut rest = Vec::new();
    reader.read_to_end(&mut rest)?;
    assert!(rest.is_empty(), "all has been read");
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::temp_dir().join(format!("document-log-{}.ubj", std::process::id()));
    let followed = follow(&path);
    std::fs::remove_file(path)?;
    followed
}
