//! How many `read` calls a document costs, against a reader that asks for one group of bytes after another.
#![cfg(feature = "std")]

mod common;

use std::io::Cursor;

use serde::{Deserialize, Serialize};
use ubjson::ser::{Config, Containers};

use common::doc::Doc;
use common::grammar;
use common::readers::{Counting, Exact};

#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Row {
    id: u32,
    name: String,
    price: f64,
    place: Place,
    tags: Vec<String>,
    active: bool,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Place {
    x: i32,
    y: i32,
    z: f32,
}

fn rows() -> Vec<Row> {
    (0..1000_i32)
        .map(|number| Row {
            id: number.unsigned_abs(),
            name: format!("row number {number}"),
            price: f64::from(number) / 7.0,
            place: Place {
                x: 3 - number,
                y: 1000 * number,
                z: 0.5,
            },
            tags: vec!["new".to_owned(), "blue".to_owned()],
            active: number % 3 == 0,
        })
        .collect()
}

/// How often the rows are asked for by the naive reader and by ours, which must read them rightly.
fn calls(containers: Containers) -> (u64, u64) {
    let rows = rows();
    let bytes = Config::new().containers(containers).to_vec(&rows).unwrap();
    let row_len = bytes.len() / rows.len();
    assert!((80..=140).contains(&row_len), "{row_len} bytes a row");
    let naive = grammar::value(&bytes).unwrap().groups;

    let mut typed = Counting::new(Exact::new(&bytes, usize::MAX));
    assert_eq!(ubjson::from_reader::<_, Vec<Row>>(&mut typed).unwrap(), rows);
    let mut untyped = Counting::new(Exact::new(&bytes, usize::MAX));
    ubjson::from_reader::<_, Doc>(&mut untyped).unwrap();
    println!(
        "{containers:?}: {} bytes, {naive} groups, {} and {} calls",
        bytes.len(),
        typed.calls,
        untyped.calls
    );
    (naive, typed.calls.max(untyped.calls))
}

#[test]
fn counted_rows_cost_a_fiftieth_of_the_naive_calls() {
    let (naive, calls) = calls(Containers::Counted);
    assert!(calls * 50 <= naive, "{calls} calls, {naive} groups");
}

#[test]
fn plain_rows_cost_two_fifths_of_the_naive_calls() {
    let (naive, calls) = calls(Containers::Plain);
    assert!(calls * 5 <= naive * 2, "{calls} calls, {naive} groups");
}

#[test]
fn rows_as_they_are_written_by_default_cost_a_fiftieth_of_the_naive_calls() {
    let (naive, calls) = calls(Containers::Auto);
    assert!(calls * 50 <= naive, "{calls} calls, {naive} groups");
}

/// The table in the documentation, for two documents that stay in the shared corpus.
#[test]
fn the_default_costs_no_more_calls_than_plain_containers() {
    for name in ["CouchDB4k", "TwitterTimeline"] {
        let path = format!("{}/../shared/corpus/documents/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let Ok(json) = std::fs::read_to_string(path) else {
            println!("{name}: not read, the shared corpus is not here");
            continue;
        };
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        let calls = [Containers::Plain, Containers::Auto, Containers::Counted].map(|containers| {
            let bytes = Config::new().containers(containers).to_vec(&value).unwrap();
            let mut reader = Counting::new(Exact::new(&bytes, usize::MAX));
            ubjson::from_reader::<_, Doc>(&mut reader).unwrap();
            let naive = grammar::value(&bytes).unwrap().groups;
            println!(
                "{name} {containers:?}: {} bytes, {naive} -> {} calls",
                bytes.len(),
                reader.calls
            );
            reader.calls
        });
        assert!(calls[1] <= calls[0] && calls[2] <= calls[0], "{name}: {calls:?}");
    }
}

#[test]
fn scalars_cost_two_calls_and_typed_arrays_as_many_as_they_fill_buffers() {
    let mut scalar = Counting::new(&b"L\0\0\0\0\0\0\0\x07"[..]);
    ubjson::from_reader::<_, u64>(&mut scalar).unwrap();
    assert_eq!(scalar.calls, 2);

    let numbers: Vec<f64> = (0..100_000).map(f64::from).collect();
    let header = b"[$D#l\0\x01\x86\xa0".iter().copied();
    let bytes: Vec<u8> = header
        .chain(numbers.iter().flat_map(|number| number.to_be_bytes()))
        .collect();
    let mut reader = Counting::new(Exact::new(&bytes, usize::MAX));
    let config = ubjson::de::Config::new().buffer_capacity(16 * 1024);
    assert_eq!(config.from_reader::<_, Vec<f64>>(&mut reader).unwrap(), numbers);
    assert!(reader.calls <= 800_000 / (16 * 1024) + 10, "{} calls", reader.calls);
}

#[test]
fn seekable_readers_are_asked_for_whole_buffers() {
    let rows = rows();
    let bytes = Config::new().containers(Containers::Plain).to_vec(&rows).unwrap();
    let mut reader = Counting::new(Cursor::new(&bytes));
    let config = ubjson::de::Config::new().buffer_capacity(16 * 1024);
    assert_eq!(config.from_seekable::<_, Vec<Row>>(&mut reader).unwrap(), rows);
    assert!(
        reader.calls <= bytes.len() as u64 / (16 * 1024) + 2,
        "{} calls",
        reader.calls
    );
}
