//! Every vector through every source: the same value or the same error, the same final position, and not one byte of
//! what stands behind the document.
#![cfg(feature = "std")]

mod common;

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde::de::IgnoredAny;
use ubjson::{Deserializer, ErrorKind};

use common::doc::Doc;
use common::grammar;
use common::readers::Exact;
use common::sources::{Failure, Outcome, Source, kind_name};
use common::vectors::{DecodeVector, Expected, decode_vectors};

/// The vectors that are one value, each cut behind it, with the value's type-free reading.
fn documents() -> impl Iterator<Item = (DecodeVector, Option<Doc>)> {
    decode_vectors().into_iter().filter_map(|mut vector| {
        let value = match &vector.expected {
            Expected::Value(value) => Some(value.clone()),
            Expected::OutOfRange => None,
            Expected::Error { .. } | Expected::Bomb => return None,
        };
        vector
            .bytes
            .truncate(grammar::value(&vector.bytes).expect("a value").end);
        Some((vector, value))
    })
}

/// `IgnoredAny` reads to nothing that can be compared; this reads to `()`.
fn skip(source: Source, bytes: &[u8]) -> Outcome<()> {
    let Outcome { result, position } = source.read::<IgnoredAny>(bytes);
    Outcome {
        result: result.map(|IgnoredAny| ()),
        position,
    }
}

#[test]
fn the_recogniser_of_the_tests_agrees_with_every_vector() {
    let vectors = decode_vectors();
    assert!(cfg!(miri) || vectors.len() == 1558, "{} vectors", vectors.len());
    for vector in vectors {
        let found = grammar::document(&vector.bytes);
        let name = &vector.name;
        match vector.expected {
            Expected::Value(_) | Expected::OutOfRange => assert_eq!(found, Ok(()), "{name}"),
            Expected::Error { kind, offset } => {
                let fault = found.expect_err(name);
                assert_eq!(
                    (fault.kind, fault.offset.map(|at| at as u64)),
                    (kind.as_str(), offset),
                    "{name}"
                );
            }
            Expected::Bomb => assert_eq!(found.expect_err(name).kind, "budget", "{name}"),
        }
    }
}

#[test]
fn every_vector_reads_to_its_value_or_error_from_every_source() {
    for vector in decode_vectors().iter().filter(|vector| vector.group != "bomb") {
        for source in Source::ALL {
            let context = format!("{} from {source:?}", vector.name);
            let read = source.read::<Doc>(&vector.bytes);
            match &vector.expected {
                Expected::Value(value) => assert_eq!(read.result.as_ref(), Ok(value), "{context}"),
                Expected::OutOfRange => assert_eq!(failure(&read, &context).kind, ErrorKind::Number, "{context}"),
                Expected::Error { .. } | Expected::Bomb => {}
            }
            assert_matches(vector, source, &without_value(read), &context);
            assert_matches(
                vector,
                source,
                &skip(source, &vector.bytes),
                &format!("{context}, skipped"),
            );
        }
    }
}

/// Checks what does not depend on the type read into: the error, or the position behind the document.
fn assert_matches(vector: &DecodeVector, source: Source, outcome: &Outcome<()>, context: &str) {
    match &vector.expected {
        Expected::Error { kind, offset } if kind != "trailing" || source == Source::Slice => {
            let failure = failure(outcome, context);
            assert_eq!(kind_name(failure.kind), kind, "{context}: {failure:?}");
            assert!(offset.is_none() || failure.offset == *offset, "{context}: {failure:?}");
        }
        Expected::OutOfRange if outcome.result.is_err() => {}
        _ => {
            assert_eq!(outcome.result, Ok(()), "{context}");
            assert_stands_behind(&vector.bytes, outcome, context);
        }
    }
}

fn assert_stands_behind(bytes: &[u8], outcome: &Outcome<()>, context: &str) {
    let end = grammar::value(bytes).expect("a value").end as u64;
    assert!(
        outcome.position.is_none_or(|position| position == end),
        "{context}: stands at {:?}",
        outcome.position
    );
}

fn failure<'a, T: std::fmt::Debug>(outcome: &'a Outcome<T>, context: &str) -> &'a Failure {
    outcome
        .result
        .as_ref()
        .err()
        .unwrap_or_else(|| panic!("{context}: {:?}", outcome.result))
}

fn without_value<T>(outcome: Outcome<T>) -> Outcome<()> {
    Outcome {
        result: outcome.result.map(drop),
        position: outcome.position,
    }
}

#[test]
fn errors_are_the_same_from_every_source() {
    for vector in decode_vectors() {
        let Expected::Error { kind, .. } = &vector.expected else {
            continue;
        };
        if kind == "trailing" {
            continue;
        }
        let slice = Source::Slice.read::<Doc>(&vector.bytes).result;
        for source in Source::ALL {
            let name = &vector.name;
            assert_eq!(
                source.read::<Doc>(&vector.bytes).result,
                slice,
                "{name} from {source:?}"
            );
            let skipped = skip(source, &vector.bytes).result;
            assert_eq!(skipped.err(), slice.clone().err(), "{name} from {source:?}, skipped");
        }
    }
}

#[test]
fn readers_stop_behind_the_document_whatever_follows() {
    let tails: [&[u8]; 5] = [
        b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
        b"N",
        b"]}]}",
        b"#i\x01$Z",
        b"[[[[[[[[[[",
    ];
    for (vector, value) in documents() {
        for tail in tails {
            let input = [&vector.bytes[..], tail].concat();
            for source in Source::ALL.into_iter().filter(|source| *source != Source::Slice) {
                let context = format!("{} and {tail:?} from {source:?}", vector.name);
                let read = source.read::<Doc>(&input);
                if let Some(value) = &value {
                    assert_eq!(read.result.as_ref(), Ok(value), "{context}");
                    assert_stands_behind(&vector.bytes, &without_value(read), &context);
                }
                let skipped = skip(source, &input);
                assert_eq!(skipped.result, Ok(()), "{context}, skipped");
                assert_stands_behind(&vector.bytes, &skipped, &context);
            }
        }
    }
}

#[test]
fn the_exact_reader_never_offers_a_buffer_longer_than_the_rest_of_the_document() {
    for (vector, value) in documents() {
        for chunk in [1, 2, 3, 7, 64, usize::MAX] {
            let mut reader = Exact::new(&vector.bytes, chunk);
            let read = ubjson::from_reader::<_, Doc>(&mut reader);
            if let Some(value) = &value {
                assert_eq!(&read.unwrap(), value, "{}", vector.name);
                assert_eq!(reader.left(), 0, "{}", vector.name);
            }
            let mut reader = Exact::new(&vector.bytes, chunk);
            ubjson::from_reader::<_, IgnoredAny>(&mut reader).unwrap();
            assert_eq!(reader.left(), 0, "{}", vector.name);
        }
    }
}

#[test]
fn seekable_readers_stand_at_the_same_place_after_an_error() {
    for vector in decode_vectors() {
        if !matches!(vector.expected, Expected::Error { .. }) {
            continue;
        }
        for positions in [
            positions(&vector.bytes, Source::read::<Doc>),
            positions(&vector.bytes, skip),
        ] {
            assert!(
                positions.iter().all(|position| *position == positions[0]),
                "{}: {positions:?}",
                vector.name
            );
        }
    }
}

/// Where each seekable source stands after reading `bytes`.
fn positions<T>(bytes: &[u8], read: fn(Source, &[u8]) -> Outcome<T>) -> Vec<u64> {
    let seekable = Source::ALL.into_iter().filter(|source| source.is_seekable());
    seekable
        .map(|source| read(source, bytes).position.expect("a position"))
        .collect()
}

#[test]
fn exact_readers_stand_no_further_than_the_input_and_no_nearer_than_the_error() {
    for vector in decode_vectors() {
        for source in Source::ALL
            .into_iter()
            .filter(|source| matches!(source, Source::Reader(_)))
        {
            let Outcome {
                result: Err(failure),
                position,
            } = source.read::<Doc>(&vector.bytes)
            else {
                continue;
            };
            let (position, offset) = (position.expect("a position"), failure.offset.expect("an offset"));
            assert!(
                offset <= position,
                "{} from {source:?}: {failure:?} at {position}",
                vector.name
            );
            if failure.kind == ErrorKind::Eof {
                assert_eq!(position, vector.bytes.len() as u64, "{} from {source:?}", vector.name);
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "an interpreter is not at once")]
fn bombs_are_refused_at_once() {
    let bombs: Vec<_> = decode_vectors()
        .into_iter()
        .filter(|vector| vector.group == "bomb")
        .collect();
    assert_eq!(bombs.len(), 17);
    for bomb in bombs {
        for source in [
            Source::Slice,
            Source::Prefix,
            Source::Reader(7),
            Source::Reader(4096),
            Source::Seekable,
        ] {
            let start = Instant::now();
            let outcomes = [
                without_value(source.read::<Doc>(&bomb.bytes)),
                skip(source, &bomb.bytes),
            ];
            let elapsed = start.elapsed();
            for outcome in outcomes {
                let kind = failure(&outcome, &bomb.name).kind;
                assert_eq!(kind, ErrorKind::Budget, "{} from {source:?}", bomb.name);
            }
            assert!(
                elapsed < Duration::from_secs(10),
                "{} from {source:?} took {elapsed:?}",
                bomb.name
            );
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "tens of thousands of reads take it an hour")]
fn every_cut_of_every_document_is_an_end_of_input_at_its_length() {
    let sources = [
        Source::Slice,
        Source::Prefix,
        Source::Reader(1),
        Source::Reader(4096),
        Source::Seekable,
    ];
    let mut cuts = 0;
    for (vector, value) in documents() {
        for len in cut_lengths(vector.bytes.len()) {
            let input = &vector.bytes[..len];
            for source in sources {
                let context = format!("{} cut at {len} from {source:?}", vector.name);
                assert_ends(&skip(source, input), len, &context);
                // A number that only its text holds is refused before the end is found.
                if value.is_some() {
                    assert_ends(&without_value(source.read::<Doc>(input)), len, &context);
                }
            }
            cuts += 1;
        }
    }
    assert!(cuts > 5_000, "only {cuts} cuts");
}

fn assert_ends(outcome: &Outcome<()>, len: usize, context: &str) {
    let failure = failure(outcome, context);
    assert_eq!(
        (failure.kind, failure.offset),
        (ErrorKind::Eof, Some(len as u64)),
        "{context}: {failure:?}"
    );
}

/// Every length below `len`; of long documents the first and last hundred, and a hundred between.
fn cut_lengths(len: usize) -> impl Iterator<Item = usize> {
    let stride = (len / 100).max(1);
    (0..len).filter(move |cut| *cut < 100 || len - cut <= 100 || cut % stride == 0)
}

#[test]
fn a_counted_object_ends_with_its_count_though_the_next_field_seems_to_follow() {
    #[derive(Debug, Default, Deserialize, PartialEq)]
    #[serde(default)]
    struct Pair {
        a: u8,
        b: u8,
    }
    let document = b"{#i\x01i\x01ai\x01";
    let bytes = [&document[..], b"i\x01bi\x02"].concat();
    for source in Source::ALL.into_iter().filter(|source| *source != Source::Slice) {
        let outcome = source.read::<Pair>(&bytes);
        assert_eq!(outcome.result, Ok(Pair { a: 1, b: 0 }), "{source:?}");
        assert_eq!(outcome.position, Some(document.len() as u64), "{source:?}");
    }
}

#[test]
fn debug_output_says_where_a_source_stands_and_shows_no_bytes() {
    let bytes = b"TSi\x06secret";
    let mut slice = Deserializer::from_slice(bytes);
    let mut reader = Deserializer::from_reader(&bytes[..]);
    let mut seekable = Deserializer::from_seekable(std::io::Cursor::new(bytes));
    assert!(bool::deserialize(&mut slice).unwrap());
    assert!(bool::deserialize(&mut reader).unwrap());
    assert!(bool::deserialize(&mut seekable).unwrap());
    let outputs = [
        (format!("{slice:?}"), "SliceRead { offset: 1, byte_len: 10 }"),
        (
            format!("{reader:?}"),
            "IoRead { offset: 1, buffered: 0, capacity: 16384, .. }",
        ),
        (
            format!("{seekable:?}"),
            "IoRead { offset: 1, buffered: 9, capacity: 16384, .. }",
        ),
    ];
    for (output, source) in outputs {
        assert!(output.contains(source), "{output}");
        // The text, or its first bytes as numbers.
        assert!(!output.contains("secret") && !output.contains("115, 101"), "{output}");
    }
}
