//! Another process reads its standard input: a real pipe, and a real file.
#![cfg(all(feature = "std", unix))]

mod common;

use std::env;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::fd::AsFd;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use ubjson::Deserializer;

/// Set in the child to the way it reads.
const READER: &str = "UBJSON_TEST_READER";

/// Set in the child if it is to say what follows the records.
const READS_REST: &str = "UBJSON_TEST_READS_REST";

#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Record {
    id: u32,
    name: String,
    values: Vec<f64>,
}

fn records() -> Vec<Record> {
    let record = |id: u32| Record {
        id,
        name: "x".repeat(id as usize * 7 % 90),
        values: (0..id % 5).map(f64::from).collect(),
    };
    (0..40).map(record).collect()
}

/// The records, one behind the other.
fn input() -> Vec<u8> {
    let mut bytes = Vec::new();
    for record in records() {
        ubjson::to_writer(&mut bytes, &record).unwrap();
    }
    bytes
}

const REST: &str = "and then plain text\n";

/// The child: reads as many records as there are, and what follows them as text.
#[test]
#[ignore = "runs in a process that another test starts"]
fn child() {
    let Ok(reader) = env::var(READER) else { return };
    // Bare, without the buffer of `io::stdin`.
    let input = File::from(io::stdin().as_fd().try_clone_to_owned().unwrap());
    let count = records().len();
    let (read, mut input): (Vec<Record>, File) = match reader.as_str() {
        "seekable" => {
            let mut stream = Deserializer::from_seekable(input).into_iter();
            let read = stream.by_ref().take(count).collect::<ubjson::Result<_>>().unwrap();
            (read, stream.into_inner().unwrap())
        }
        "one by one" => {
            let read = (0..count)
                .map(|_| ubjson::from_seekable(&input))
                .collect::<ubjson::Result<_>>();
            (read.unwrap(), input)
        }
        _ => {
            let mut stream = Deserializer::from_reader(input).into_iter();
            let read = stream.by_ref().take(count).collect::<ubjson::Result<_>>().unwrap();
            (read, stream.into_inner().unwrap())
        }
    };
    assert_eq!(read, records());
    if env::var_os(READS_REST).is_some() {
        let mut rest = vec![0; REST.len()];
        input.read_exact(&mut rest).unwrap();
        println!("\nthe rest is: {}", String::from_utf8(rest).unwrap());
    }
}

fn start(reader: &str, input: impl Into<Stdio>, reads_rest: bool) -> Child {
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["child", "--exact", "--ignored", "--nocapture"])
        .env(READER, reader)
        .stdin(input)
        .stdout(Stdio::piped());
    if reads_rest {
        command.env(READS_REST, "1");
    }
    command.spawn().unwrap()
}

#[track_caller]
fn assert_well(output: &Output, context: &str) {
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{context}: {said}");
    assert!(said.contains("1 passed"), "{context}: the child has not run: {said}");
}

const READERS: [&str; 3] = ["exact", "seekable", "one by one"];

#[test]
fn a_pipe_is_read_exactly_however_it_is_opened() {
    let bytes = [&input()[..], REST.as_bytes()].concat();
    for reader in READERS {
        for piece_len in [1, 100, 100_000] {
            let mut child = start(reader, Stdio::piped(), true);
            let mut pipe = child.stdin.take().unwrap();
            for piece in bytes.chunks(piece_len) {
                pipe.write_all(piece).unwrap();
            }
            // The pipe stays open: whoever waits for more than it needs waits for ever.
            let output = wait(child);
            drop(pipe);
            let context = format!("{reader}, pieces of {piece_len}");
            assert_well(&output, &context);
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(said.contains(&format!("the rest is: {REST}")), "{context}: {said}");
        }
    }
}

/// Waits for a process that must end by itself.
fn wait(mut child: Child) -> Output {
    for _ in 0..600 {
        if child.try_wait().unwrap().is_some() {
            return child.wait_with_output().unwrap();
        }
        thread::sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    panic!("the child waits for bytes that are not its own");
}

#[test]
fn a_file_is_left_right_behind_the_last_record() {
    let bytes = input();
    for reader in READERS {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"head").unwrap();
        file.write_all(&bytes).unwrap();
        file.write_all(REST.as_bytes()).unwrap();
        file.seek(SeekFrom::Start(4)).unwrap();
        // Both processes share the position of the open file.
        let output = wait(start(reader, file.try_clone().unwrap(), false));
        assert_well(&output, reader);
        assert_eq!(file.stream_position().unwrap(), 4 + bytes.len() as u64, "{reader}");
        let mut rest = String::new();
        file.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, REST, "{reader}");
    }
}
