//! Ten times the input costs at most twelve times the work, whatever its shape: no clock, but read calls, bytes looked at
//! and, where valgrind is installed, instructions.
//!
//! `cargo test --release --test linear_time -- --ignored` counts the instructions.
#![cfg(feature = "std")]

mod common;

use std::env;
use std::hint::black_box;
use std::io::Cursor;
use std::process::Command;

use serde::de::IgnoredAny;
use ubjson::pull::Reader;
use ubjson::{DocumentLen, DocumentScanner, Value, de};

use common::readers::Counting;

/// The work for ten times the input, in tenths of the work for the input.
const MOST: u64 = 120;

/// Documents that a wrong algorithm is slow on.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Deep,
    Wide,
    Counted,
    EmptyContainers,
    EmptyObjects,
    TinyTexts,
    LongKeys,
    DuplicateKeys,
    DistinctKeys,
    CollidingShapes,
    NoOps,
    LongText,
    LongNumber,
    Numbers,
}

impl Shape {
    const ALL: [Shape; 14] = [
        Shape::Deep,
        Shape::Wide,
        Shape::Counted,
        Shape::EmptyContainers,
        Shape::EmptyObjects,
        Shape::TinyTexts,
        Shape::LongKeys,
        Shape::DuplicateKeys,
        Shape::DistinctKeys,
        Shape::CollidingShapes,
        Shape::NoOps,
        Shape::LongText,
        Shape::LongNumber,
        Shape::Numbers,
    ];

    /// A document of `count` parts.
    fn document(self, count: usize) -> Vec<u8> {
        let array = |element: &[u8]| [b"[".as_slice(), &element.repeat(count), b"]"].concat();
        let object = |entry: &dyn Fn(usize) -> Vec<u8>| {
            let entries: Vec<u8> = (0..count).flat_map(entry).collect();
            [b"{".as_slice(), &entries, b"}"].concat()
        };
        let long = |marker: &[u8], byte: u8| {
            let payload = vec![byte; count * 10];
            let length = u32::try_from(payload.len()).expect("a short payload").to_be_bytes();
            [marker, b"l", &length, &payload].concat()
        };
        match self {
            Shape::Deep => [b"[".repeat(count), b"]".repeat(count)].concat(),
            Shape::Wide => array(b"i\x05"),
            Shape::Counted => {
                let length = u32::try_from(count).expect("a short array").to_be_bytes();
                [b"[#l".as_slice(), &length, &b"T".repeat(count)].concat()
            }
            Shape::EmptyContainers => array(b"[]"),
            Shape::EmptyObjects => array(b"{#i\0"),
            Shape::TinyTexts => array(b"Si\x01a"),
            Shape::LongKeys => {
                object(&|number| [b"U\xc8".as_slice(), format!("{number:0200}").as_bytes(), b"T"].concat())
            }
            Shape::DuplicateKeys => object(&|_| b"i\x01ai\x05".to_vec()),
            Shape::DistinctKeys => {
                object(&|number| [b"i\x07".as_slice(), format!("{number:07}").as_bytes(), b"T"].concat())
            }
            // Objects of the same keys, then of others, as a tree that shares keys between objects has it.
            Shape::CollidingShapes => {
                let rows = |number: usize| format!("{{i\x04k{:03}Ti\x01xF}}", number % 500).into_bytes();
                [b"[".to_vec(), (0..count).flat_map(rows).collect(), b"]".to_vec()].concat()
            }
            Shape::NoOps => array(b"NNNNT"),
            Shape::LongText => long(b"S", b'a'),
            Shape::LongNumber => long(b"H", b'7'),
            Shape::Numbers => {
                let length = u32::try_from(count).expect("a short array").to_be_bytes();
                [b"[$D#l".as_slice(), &length, &[0; 8].repeat(count)].concat()
            }
        }
    }
}

/// A way to read.
#[derive(Clone, Copy, Debug)]
enum Way {
    Tree,
    Skip,
    Pull,
    OneByteReads,
    Seekable,
    ScannedInPieces,
}

impl Way {
    const ALL: [Way; 6] = [
        Way::Tree,
        Way::Skip,
        Way::Pull,
        Way::OneByteReads,
        Way::Seekable,
        Way::ScannedInPieces,
    ];

    fn read(self, bytes: &[u8]) {
        // Depth is one of the shapes; a tree is read by calls of itself, and deep ones need a large stack.
        let config = de::Config::new().max_depth(1_000_000);
        match self {
            Way::Tree => drop(black_box(config.from_slice::<Value>(bytes))),
            Way::Skip => drop(black_box(config.from_slice::<IgnoredAny>(bytes))),
            Way::Pull => {
                let mut reader = Reader::from(config.deserializer_from_slice(bytes));
                while matches!(reader.next_event(), Ok(Some(_))) {}
            }
            Way::OneByteReads => {
                let reader = common::readers::Chunked::new(bytes, 1);
                drop(black_box(config.from_reader::<_, IgnoredAny>(reader)));
            }
            Way::Seekable => drop(black_box(config.from_seekable::<_, IgnoredAny>(Cursor::new(bytes)))),
            Way::ScannedInPieces => drop(black_box(scan_in_pieces(bytes))),
        }
    }
}

/// Bytes looked at by a scanner that is fed seven at a time.
fn scan_in_pieces(bytes: &[u8]) -> u64 {
    let config = de::Config::new().max_depth(1_000_000);
    let mut scanner = DocumentScanner::with_config(&config);
    for end in (0..bytes.len()).step_by(7).chain([bytes.len()]) {
        if let Ok(DocumentLen::Complete(_)) = scanner.scan(&bytes[..end]) {
            break;
        }
    }
    scanner.examined()
}

const COUNT: usize = 2000;

fn assert_linear(small: u64, large: u64, what: &str) {
    println!("{what}: {small}, {large}");
    assert!(large * 10 <= small * MOST, "{what}: {small}, then {large}");
}

#[test]
fn a_scanner_looks_at_no_more_than_ten_times_the_bytes() {
    for shape in Shape::ALL {
        let count = |count| scan_in_pieces(&shape.document(count));
        assert_linear(count(COUNT), count(10 * COUNT), &format!("{shape:?}"));
    }
}

#[test]
fn a_reader_is_asked_no_more_than_ten_times_as_often() {
    for shape in Shape::ALL {
        let calls = |count| {
            let bytes = shape.document(count);
            let mut reader = Counting::new(&bytes[..]);
            let config = de::Config::new().max_depth(1_000_000);
            config.from_reader::<_, IgnoredAny>(&mut reader).expect("a document");
            reader.calls
        };
        assert_linear(calls(COUNT), calls(10 * COUNT), &format!("{shape:?}"));
    }
}

/// Names the work of a process that valgrind counts: a shape, a way, a size.
const WORK: &str = "UBJSON_LINEAR_TIME_WORK";

/// What valgrind counts; its name is what valgrind is told.
#[inline(never)]
fn measured_work(way: Way, bytes: &[u8]) {
    way.read(bytes);
}

/// Does what the variable says; nothing without it.
#[test]
fn work_of_a_measured_process() {
    let Ok(work) = env::var(WORK) else { return };
    let numbers: Vec<usize> = work
        .split(' ')
        .map(|number| number.parse().expect("a number"))
        .collect();
    let [shape, way, count] = numbers[..] else {
        panic!("three numbers in {WORK}");
    };
    let bytes = Shape::ALL[shape].document(count);
    let read = move || measured_work(Way::ALL[way], &bytes);
    let worker = std::thread::Builder::new().stack_size(1 << 30).spawn(read);
    worker.expect("a thread").join().expect("no panic");
}

/// The instructions in `measured_work`, by callgrind.
fn instructions(shape: usize, way: usize, count: usize) -> u64 {
    let program = env::current_exe().expect("this program");
    let output = Command::new("valgrind")
        .args([
            "--tool=callgrind",
            "--callgrind-out-file=/dev/null",
            "--toggle-collect=*measured_work*",
        ])
        .args(["--main-stacksize=8388608", "--max-stackframe=1073741824"])
        .arg(program)
        .args(["--exact", "work_of_a_measured_process"])
        .env(WORK, format!("{shape} {way} {count}"))
        .output()
        .expect("valgrind runs");
    let report = String::from_utf8_lossy(&output.stderr);
    let line = report.lines().find_map(|line| line.split("Collected :").nth(1));
    let count = line.and_then(|line| line.trim().parse().ok());
    count.unwrap_or_else(|| panic!("no count in {report}"))
}

#[test]
#[ignore = "minutes long, and needs valgrind"]
fn ten_times_the_input_takes_at_most_twelve_times_the_instructions() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("valgrind is not here: no instructions were counted");
        return;
    }
    for (shape, shape_name) in Shape::ALL.iter().enumerate() {
        for (way, way_name) in Way::ALL.iter().enumerate() {
            let small = instructions(shape, way, COUNT);
            let large = instructions(shape, way, 10 * COUNT);
            // A typed array is skipped in a few hundred, whatever its length.
            assert!(small > 200, "nothing was counted: {small}");
            assert_linear(small, large, &format!("{shape_name:?} by {way_name:?}, instructions"));
        }
    }
}
