//! Arbitrary documents in every form of draft 12, whole, cut, damaged and followed by others, against the grammar that
//! the tests have of their own.
#![cfg(feature = "std")]

mod common;

use std::fmt::Debug;

use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult, Testable};
use serde::de::IgnoredAny;
use ubjson::{ErrorKind, from_reader};

use common::doc::Doc;
use common::grammar::{self, Fault};
use common::readers::Exact;
use common::sources::{Outcome, Source, kind_name};
use common::wire::Document;
use common::{cases, to_hex};

fn check<A: Testable>(tests: u64, property: A) {
    QuickCheck::new()
        .rng(Gen::new(50))
        .tests(cases(tests))
        .quickcheck(property);
}

#[test]
fn documents_of_every_form_read_to_their_value_from_every_source() {
    fn property(document: Document) -> bool {
        let end = Some(document.bytes.len() as u64);
        assert_eq!(
            grammar::value(&document.bytes).map(|extent| extent.end as u64).ok(),
            end
        );
        for source in Source::ALL {
            let Outcome { result, position } = source.read::<Doc>(&document.bytes);
            assert_eq!(result.as_ref(), Ok(&document.value), "{source:?}");
            assert!(
                position.is_none() || position == end,
                "{source:?} stands at {position:?}"
            );
            let Outcome { result, position } = source.read::<IgnoredAny>(&document.bytes);
            assert!(result.is_ok(), "{source:?}: {:?}", result.err());
            assert!(
                position.is_none() || position == end,
                "{source:?} stands at {position:?}, skipping"
            );
        }
        true
    }
    check(2_000, property as fn(_) -> _);
}

#[test]
fn the_exact_reader_is_never_asked_for_more_than_the_rest_of_the_document() {
    fn property(document: Document, chunk: u8) -> bool {
        for chunk in [usize::from(chunk) + 1, usize::MAX] {
            let mut reader = Exact::new(&document.bytes, chunk);
            assert_eq!(from_reader::<_, Doc>(&mut reader).unwrap(), document.value);
            assert_eq!(reader.left(), 0);
            let mut reader = Exact::new(&document.bytes, chunk);
            from_reader::<_, IgnoredAny>(&mut reader).unwrap();
            assert_eq!(reader.left(), 0);
        }
        true
    }
    check(10_000, property as fn(_, _) -> _);
}

#[test]
fn documents_in_their_tightest_form_are_not_overread() {
    let documents: [&[u8]; 16] = [
        b"[$H#i\x03i\x011i\x012i\x013",
        b"{$H#i\x02i\0i\x011i\0i\x012",
        b"[#i\x02Hi\x011Hi\x012",
        b"[$S#i\x03i\0i\0i\0",
        b"{$S#i\x02i\0i\0i\0i\0",
        b"[$C#i\x02ab",
        b"[$[#i\x03]]]",
        b"[${#i\x03}}}",
        b"{$[#i\x02i\0]i\0]",
        b"{${#i\x02i\0}i\0}",
        b"[$[#i\x02$Z#i\0#i\0",
        b"{$Z#i\x02i\0i\0",
        b"[#i\x03ZZZ",
        b"{#i\x02i\0Zi\0Z",
        b"[[{i\0Z}]]",
        b"[#i\x02[$U#i\x01a{#i\x01i\0Z",
    ];
    for document in documents {
        assert_eq!(
            grammar::value(document).map(|extent| extent.end),
            Ok(document.len()),
            "{document:?}"
        );
        for chunk in [1, 2, 3, usize::MAX] {
            let mut reader = Exact::new(document, chunk);
            from_reader::<_, Doc>(&mut reader).unwrap();
            assert_eq!(reader.left(), 0, "{document:?}");
            let mut reader = Exact::new(document, chunk);
            from_reader::<_, IgnoredAny>(&mut reader).unwrap();
            assert_eq!(reader.left(), 0, "{document:?}");
        }
    }
}

#[test]
fn documents_follow_one_another() {
    fn property(documents: Vec<Document>) -> bool {
        let bytes: Vec<u8> = documents.iter().flat_map(|document| &document.bytes).copied().collect();
        let mut slice = &bytes[..];
        let mut reader = &bytes[..];
        let mut file = std::io::Cursor::new(&bytes);
        for document in &documents {
            let (value, rest) = ubjson::from_slice_prefix::<Doc>(slice).unwrap();
            slice = rest;
            assert_eq!(value, document.value);
            assert_eq!(from_reader::<_, Doc>(&mut reader).unwrap(), document.value);
            assert_eq!(ubjson::from_seekable::<_, Doc>(&mut file).unwrap(), document.value);
            assert_eq!((slice, file.position()), (reader, (bytes.len() - slice.len()) as u64));
        }
        slice.is_empty()
    }
    check(300, property as fn(_) -> _);
}

#[test]
fn cut_documents_end_too_early_wherever_they_are_cut() {
    fn property(document: Document, cut: usize) -> TestResult {
        if document.bytes.is_empty() {
            return TestResult::discard();
        }
        let cut = cut % document.bytes.len();
        let input = &document.bytes[..cut];
        for source in [Source::Slice, Source::Reader(3), Source::Seekable] {
            let read = source.read::<Doc>(input).result.unwrap_err();
            let skipped = source.read::<IgnoredAny>(input).result.map(drop).unwrap_err();
            assert_eq!(
                (read.kind, read.offset),
                (ErrorKind::Eof, Some(cut as u64)),
                "{source:?}"
            );
            assert_eq!(read, skipped, "{source:?}");
        }
        TestResult::passed()
    }
    check(3_000, property as fn(_, _) -> _);
}

#[test]
fn damaged_documents_are_what_the_grammar_says() {
    fn property(document: Document, damage: Vec<(usize, u8)>) -> bool {
        let mut bytes = document.bytes;
        for (at, byte) in damage.into_iter().take(3) {
            let at = at % bytes.len();
            // Bytes that mean something, more often than not.
            bytes[at] = if byte < 100 {
                byte
            } else {
                b"ZNTFiUIlLdDHCS[]{}$#"[usize::from(byte) % 20]
            };
        }
        let value = grammar::value(&bytes).map(drop);
        let whole = grammar::document(&bytes);
        for source in [
            Source::Slice,
            Source::Prefix,
            Source::Reader(2),
            Source::Reader(4096),
            Source::Seekable,
        ] {
            let expected = if source == Source::Slice { whole } else { value };
            let skipped = source.read::<IgnoredAny>(&bytes);
            assert_fault(expected, &skipped, &bytes);
            let read = source.read::<Doc>(&bytes);
            let out_of_range = matches!(&read.result, Err(error) if error.kind == ErrorKind::Number);
            if !out_of_range {
                assert_fault(expected, &read, &bytes);
            }
        }
        true
    }
    check(10_000, property as fn(_, _) -> _);
}

/// Skipping checks the text of many strings at once: it must say what checking each says, where a character is split
/// between two strings, too.
#[test]
fn strings_that_are_skipped_are_checked_each() {
    #[derive(Clone, Debug)]
    struct Text(Vec<u8>);

    impl Arbitrary for Text {
        fn arbitrary(g: &mut Gen) -> Self {
            let text = match u8::arbitrary(g) % 64 {
                0 => Vec::arbitrary(g),
                1 => "\u{e9}".as_bytes()[..1].to_vec(),
                2 => "\u{e9}".as_bytes()[1..].to_vec(),
                3..=31 => String::arbitrary(g).into_bytes(),
                _ => (0..u8::arbitrary(g) % 40).map(|_| b'a').collect(),
            };
            Self(text.into_iter().take(127).collect())
        }

        fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
            Box::new(self.0.shrink().map(Self))
        }
    }

    fn property(texts: Vec<Text>, as_values: bool) {
        let mut bytes = vec![if as_values { b'{' } else { b'[' }];
        let mut first_bad = None;
        for Text(text) in &texts {
            if as_values {
                bytes.extend(b"i\x01k");
            }
            bytes.extend([b'S', b'i', text.len() as u8]);
            if std::str::from_utf8(text).is_err() {
                first_bad = first_bad.or(Some(bytes.len() as u64));
            }
            bytes.extend(text);
        }
        bytes.push(if as_values { b'}' } else { b']' });
        for source in Source::ALL {
            let outcome = source.read::<IgnoredAny>(&bytes);
            match (&outcome.result, first_bad) {
                (Ok(_), None) => {}
                (Err(error), Some(offset)) => {
                    assert_eq!(error.kind, ErrorKind::Utf8, "{} {source:?}", to_hex(&bytes));
                    assert_eq!(error.offset, Some(offset), "{} {source:?}", to_hex(&bytes));
                }
                _ => panic!("{} {source:?}: {outcome:?}", to_hex(&bytes)),
            }
        }
        let lossy = ubjson::de::Config::new().lossy_utf8(true);
        assert!(lossy.from_slice::<IgnoredAny>(&bytes).is_ok(), "{}", to_hex(&bytes));
    }
    check(500, property as fn(Vec<Text>, bool));
}

fn assert_fault<T: Debug>(expected: Result<(), Fault>, outcome: &Outcome<T>, bytes: &[u8]) {
    match (expected, &outcome.result) {
        (Ok(()), Ok(_)) => {}
        (Err(fault), Err(failure)) => {
            assert_eq!(kind_name(failure.kind), fault.kind, "{}: {failure:?}", to_hex(bytes));
            if let Some(offset) = fault.offset {
                assert_eq!(failure.offset, Some(offset as u64), "{}: {failure:?}", to_hex(bytes));
            }
        }
        (expected, found) => panic!("{}: {found:?}, expected {expected:?}", to_hex(bytes)),
    }
}
