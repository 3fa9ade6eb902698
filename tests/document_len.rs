//! Where a document ends, all at once and as its bytes arrive.

mod common;

use quickcheck::{QuickCheck, TestResult};
use serde::de::IgnoredAny;
use ubjson::{DocumentLen, DocumentScanner, ErrorKind, de, document_len};

use common::grammar;
use common::vectors::decode_vectors;

/// The first document's end, or the fault, by the tests' own recogniser; no-ops in front count.
fn by_grammar(bytes: &[u8]) -> Result<usize, grammar::Fault> {
    grammar::value(bytes).map(|extent| extent.end)
}

/// Compares `document_len` with the recogniser and with skipping the same bytes.
fn check(bytes: &[u8], context: &str) {
    let found = document_len(bytes);
    let skipped = ubjson::from_slice_prefix::<IgnoredAny>(bytes);
    match (by_grammar(bytes), found, skipped) {
        (Ok(end), Ok(DocumentLen::Complete(found)), Ok((_, rest))) => {
            assert_eq!((found, bytes.len() - rest.len()), (end, end), "{context}");
        }
        (Err(fault), Ok(DocumentLen::Incomplete { missing }), Err(error)) => {
            assert_eq!((fault.kind, error.kind()), ("eof", ErrorKind::Eof), "{context}");
            assert!(missing > 0, "{context}");
        }
        (Err(fault), Err(found), Err(error)) => {
            assert_ne!(fault.kind, "eof", "{context}: {found}");
            assert_eq!(
                (found.kind(), found.offset()),
                (error.kind(), error.offset()),
                "{context}"
            );
            if let Some(offset) = fault.offset {
                assert_eq!(found.offset(), Some(offset as u64), "{context}: {found}");
            }
        }
        (fault, found, skipped) => panic!("{context}: {fault:?}, {found:?}, {skipped:?}"),
    }
}

#[test]
fn every_vector_ends_where_skipping_it_ends() {
    for vector in decode_vectors() {
        check(&vector.bytes, &vector.name);
        let followed = [&vector.bytes[..], b"[N"].concat();
        check(&followed, &format!("{}, followed", vector.name));
    }
}

#[test]
fn every_cut_of_every_vector_is_judged_as_skipping_judges_it() {
    // The recogniser counts the elements of a bomb one by one.
    for vector in decode_vectors().iter().filter(|vector| vector.group != "bomb") {
        for cut in 0..vector.bytes.len().min(150) {
            check(&vector.bytes[..cut], &format!("{} cut at {cut}", vector.name));
        }
    }
}

#[test]
fn what_is_missing_of_a_cut_document_is_never_overstated() {
    for vector in decode_vectors() {
        let Ok(end) = by_grammar(&vector.bytes) else { continue };
        for cut in 0..end.min(400) {
            let found = document_len(&vector.bytes[..cut]).expect("no fault");
            let DocumentLen::Incomplete { missing } = found else {
                panic!("{} is complete at {cut} of {end}", vector.name);
            };
            assert!(
                (1..=(end - cut) as u64).contains(&missing),
                "{} cut at {cut} of {end}: {missing}",
                vector.name
            );
        }
    }
}

#[test]
fn what_is_missing_is_as_much_as_the_headers_promise() {
    for (bytes, missing) in [
        (&b""[..], 1),
        (b"N", 1),
        // A length of at least one byte.
        (b"S", 2),
        (b"Si", 1),
        (b"Si\x05ab", 3),
        // A digit, too.
        (b"H", 3),
        (b"I\x01", 1),
        (b"[", 1),
        (b"[T", 1),
        (b"[T[", 2),
        // The second element, which may be of one byte, and then nothing.
        (b"[#i\x02Z", 1),
        (b"[#i\x03", 3),
        // Four and a half elements of two bytes.
        (b"[$I#i\x05\x01", 9),
        (b"[$I#i\x05\x01\x02", 8),
        // Two keys of at least two bytes, each with a value.
        (b"{#i\x02", 6),
        // Two keys and two lengths.
        (b"{$S#i\x02", 8),
        (b"{$D#i\x01i\x01", 9),
        (b"[$[#i\x04", 4),
        (b"[$U#l\x7f\xff\xff\xff", 0x7fff_ffff),
        (b"[$D#L\x7f\xff\xff\xff\xff\xff\xff\xff", u64::MAX),
        (b"[#L\x7f\xff\xff\xff\xff\xff\xff\xffZ", 0x7fff_ffff_ffff_fffe),
    ] {
        let found = document_len(bytes).unwrap();
        let expected = match missing {
            // A sum beyond 64 bits stays a lower bound.
            u64::MAX => DocumentLen::Incomplete {
                missing: u64::MAX - bytes.len() as u64,
            },
            missing => DocumentLen::Incomplete { missing },
        };
        assert_eq!(found, expected, "{bytes:x?}");
    }
}

#[test]
fn limits_are_those_of_the_options() {
    let deep = b"[[[]]]";
    assert_eq!(document_len(deep).unwrap(), DocumentLen::Complete(6));
    let mut scanner = DocumentScanner::with_config(&de::Config::new().max_depth(2));
    assert_eq!(scanner.scan(deep).unwrap_err().kind(), ErrorKind::Depth);
    let mut scanner = DocumentScanner::with_config(&de::Config::new().max_empty_elements(3));
    assert_eq!(scanner.scan(b"[$Z#i\x03").unwrap(), DocumentLen::Complete(6));
    scanner.reset();
    assert_eq!(scanner.scan(b"[$Z#i\x04").unwrap_err().kind(), ErrorKind::Budget);
}

/// Feeds the bytes in pieces; the outcome, and the number of bytes with which it was known.
fn in_pieces(bytes: &[u8], piece_lens: &[usize]) -> (Result<DocumentLen, (ErrorKind, Option<u64>)>, usize) {
    let mut scanner = DocumentScanner::new();
    let mut piece_lens = piece_lens.iter().copied().cycle();
    let mut arrived = 0;
    let mut bound = 0;
    loop {
        match scanner.scan(&bytes[..arrived]) {
            Ok(DocumentLen::Incomplete { missing }) => {
                let least = arrived as u64 + missing;
                assert!(
                    missing > 0 && least >= bound,
                    "a bound that falls: {least} after {bound}"
                );
                bound = least;
            }
            outcome => return (outcome.map_err(|error| (error.kind(), error.offset())), arrived),
        }
        if arrived == bytes.len() {
            return (
                Ok(DocumentLen::Incomplete {
                    missing: bound - arrived as u64,
                }),
                arrived,
            );
        }
        arrived = bytes.len().min(arrived + piece_lens.next().unwrap_or(1).max(1));
    }
}

fn at_once(bytes: &[u8]) -> Result<DocumentLen, (ErrorKind, Option<u64>)> {
    document_len(bytes).map_err(|error| (error.kind(), error.offset()))
}

#[test]
fn pieces_of_every_vector_give_what_the_whole_gives() {
    for vector in decode_vectors() {
        let bytes = [&vector.bytes[..], b"T"].concat();
        let expected = at_once(&bytes);
        for piece_lens in [&[1][..], &[2], &[3, 1], &[7], &[0, 5, 1, 64]] {
            let (found, arrived) = in_pieces(&bytes, piece_lens);
            // An error may be known with fewer bytes, and is then the same.
            assert_eq!(found, expected, "{} in {piece_lens:?} after {arrived}", vector.name);
            if let Ok(DocumentLen::Complete(end)) = found {
                assert!(
                    arrived < end + piece_lens.iter().max().unwrap(),
                    "{}: seen too late",
                    vector.name
                );
            }
        }
    }
}

#[test]
fn two_pieces_cut_anywhere_give_what_the_whole_gives() {
    for vector in decode_vectors() {
        let expected = at_once(&vector.bytes);
        for cut in 0..vector.bytes.len().min(200) {
            let (found, _) = in_pieces(&vector.bytes, &[cut, vector.bytes.len()]);
            assert_eq!(found, expected, "{} cut at {cut}", vector.name);
        }
    }
}

/// Bytes that are UBJSON more often than chance would have it.
fn likely(choices: &[u8]) -> Vec<u8> {
    const TOKENS: [&[u8]; 34] = [
        b"[",
        b"]",
        b"{",
        b"}",
        b"#",
        b"$",
        b"N",
        b"Z",
        b"T",
        b"F",
        b"i\x00",
        b"i\x01",
        b"i\x02",
        b"U\x02",
        b"I\x00\x01",
        b"l\x00\x00\x00\x02",
        b"L\x00\x00\x00\x00\x00\x00\x00\x01",
        b"S",
        b"Si\x01a",
        b"Si\x02\xc3\xa4",
        b"C",
        b"Cx",
        b"Hi\x013",
        b"H",
        b"i\x01k",
        b"i\x02ke",
        b"[#i\x02",
        b"[$i#i\x02",
        b"{#i\x01",
        b"{$S#i\x01",
        b"[$[#i\x01",
        b"[$Z#i\x03",
        b"d\x00\x00\x00\x00",
        b"\x80",
    ];
    let tokens = choices.iter().map(|choice| TOKENS[usize::from(*choice) % TOKENS.len()]);
    tokens.collect::<Vec<_>>().concat()
}

#[test]
fn likely_bytes_are_judged_as_skipping_judges_them() {
    fn agrees(choices: Vec<u8>, piece_lens: Vec<usize>) -> TestResult {
        let bytes = likely(&choices);
        check(&bytes, &format!("{bytes:x?}"));
        let piece_lens: Vec<usize> = piece_lens.iter().map(|len| len % 9).chain([1]).collect();
        TestResult::from_bool(in_pieces(&bytes, &piece_lens).0 == at_once(&bytes))
    }
    QuickCheck::new()
        .tests(20_000)
        .quickcheck(agrees as fn(Vec<u8>, Vec<usize>) -> TestResult);
}

#[test]
fn any_bytes_are_judged_as_skipping_judges_them() {
    fn agrees(bytes: Vec<u8>, piece_len: usize) -> TestResult {
        check(&bytes, &format!("{bytes:x?}"));
        TestResult::from_bool(in_pieces(&bytes, &[piece_len % 9]).0 == at_once(&bytes))
    }
    QuickCheck::new()
        .tests(20_000)
        .quickcheck(agrees as fn(Vec<u8>, usize) -> TestResult);
}

/// Feeds a document in pieces of equal length and gives how many bytes were looked at.
fn examined(document: &[u8], piece_len: usize) -> u64 {
    let mut scanner = DocumentScanner::new();
    let mut arrived = 0;
    loop {
        match scanner.scan(&document[..arrived]).unwrap() {
            DocumentLen::Complete(end) => {
                assert_eq!(end, document.len());
                return scanner.examined();
            }
            DocumentLen::Incomplete { .. } => arrived = document.len().min(arrived + piece_len),
        }
    }
}

#[test]
fn what_has_been_scanned_is_not_scanned_again() {
    let rows: Vec<(u32, &str, [f64; 2])> = (0..20_000)
        .map(|id| (id, "a name of some length", [0.5, 1.5]))
        .collect();
    let text = "x".repeat(1_000_000);
    let numbers: Vec<f64> = (0..100_000).map(f64::from).collect();
    let no_ops = [&b"["[..], &[b'N'; 1_000_000], b"]"].concat();
    let no_ops_behind_key = [&b"{i\x01a"[..], &[b'N'; 1_000_000], b"T}"].concat();
    let chars = [&b"[$C#l\x00\x0f\x42\x40"[..], &[b'N'; 1_000_000]].concat();
    for (name, document) in [
        ("rows", ubjson::to_vec(&rows).unwrap()),
        ("a text", ubjson::to_vec(&text).unwrap()),
        ("numbers", ubjson::to_vec(&numbers).unwrap()),
        ("no-ops", no_ops),
        ("no-ops behind a key", no_ops_behind_key),
        ("chars", chars),
    ] {
        let len = document.len() as u64;
        assert_eq!(examined(&document, document.len()), len, "{name}");
        // The token at the cut is looked at again, for each piece at most once.
        let pieces = len.div_ceil(1024);
        let found = examined(&document, 1024);
        assert!(
            (len..=len + 30 * pieces).contains(&found),
            "{name}: {found} of {len} in {pieces} pieces"
        );
        // Byte by byte each token is begun once for each part it has that must be whole.
        let found = examined(&document, 1);
        assert!(
            (len..=3 * len).contains(&found),
            "{name}: {found} of {len} byte by byte"
        );
    }
}

#[test]
fn a_complete_document_stays_complete_until_the_scanner_is_reset() {
    let mut scanner = DocumentScanner::new();
    assert_eq!(scanner.scan(b"NT").unwrap(), DocumentLen::Complete(2));
    assert_eq!(scanner.scan(b"NTF").unwrap(), DocumentLen::Complete(2));
    scanner.reset();
    assert_eq!(scanner.scan(b"[").unwrap(), DocumentLen::Incomplete { missing: 1 });
    assert_eq!(scanner.scan(b"[]").unwrap(), DocumentLen::Complete(2));
}

#[test]
fn an_error_is_told_again() {
    let mut scanner = DocumentScanner::new();
    assert_eq!(scanner.scan(b"[T").unwrap(), DocumentLen::Incomplete { missing: 1 });
    for bytes in [&b"[T?"[..], b"[T?]", b"[T?]]"] {
        let error = scanner.scan(bytes).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Marker, Some(2)));
    }
}

#[test]
fn text_that_is_not_utf8_is_passed_over_where_it_would_be_repaired() {
    let bytes = b"{i\x01\x80Si\x01\xff}";
    assert_eq!(document_len(bytes).unwrap_err().kind(), ErrorKind::Utf8);
    let config = de::Config::new().lossy_utf8(true);
    let mut scanner = DocumentScanner::with_config(&config);
    assert_eq!(scanner.scan(bytes).unwrap(), DocumentLen::Complete(bytes.len()));
    assert!(config.from_slice::<IgnoredAny>(bytes).is_ok());
}

#[test]
fn a_scanner_has_the_default_limits_unless_told() {
    let deep = |levels: usize| [b"[".repeat(levels), b"]".repeat(levels)].concat();
    let scan = |levels| DocumentScanner::default().scan(&deep(levels));
    assert_eq!(scan(128).unwrap(), DocumentLen::Complete(256));
    assert_eq!(scan(129).unwrap_err().kind(), ErrorKind::Depth);
}
