//! The pull reader: every token with its place, over every source, as far as the bytes go.
#![cfg(feature = "std")]

mod common;

use std::io::Cursor;

use serde::de::IgnoredAny;
use ubjson::de::{self, Read};
use ubjson::pull::{Header, Length, Reader, Scalar, Token};
use ubjson::{Error, ErrorKind, Marker};

use common::doc::Doc;
use common::readers::{Chunked, Exact, SeekFails};
use common::sources::{Failure, kind_name};
use common::vectors::{Expected, decode_vectors, report_bytes};
use common::{grammar, to_hex};

/// A token with its texts copied.
#[derive(Clone, Debug, PartialEq)]
enum Seen {
    Scalar(Scalar),
    HighPrecision(Length, String),
    /// With as much of the text as there is.
    String(Length, String),
    Key(Length, String),
    Array(Header),
    ArrayEnd,
    Object(Header),
    ObjectEnd,
}

/// Where a token starts, and where the reader stands behind it.
type Place = std::ops::Range<u64>;

/// Reads a document to its end or to its fault.
fn record<'de, R: Read<'de>>(reader: &mut Reader<R>) -> (Vec<(Place, Seen)>, Option<Error>) {
    let mut record = Vec::new();
    let fault = fill(reader, &mut record).err();
    (record, fault)
}

fn fill<'de, R: Read<'de>>(reader: &mut Reader<R>, record: &mut Vec<(Place, Seen)>) -> Result<(), Error> {
    while let Some(event) = reader.next_event()? {
        let (start, end) = (event.offset, event.end);
        let seen = match event.token {
            Token::Scalar(scalar) => Seen::Scalar(scalar),
            Token::HighPrecision(length, text) => Seen::HighPrecision(length, text.to_string()),
            Token::String(length) => Seen::String(length, String::new()),
            Token::Key(length, text) => Seen::Key(length, text.to_string()),
            Token::Array(header) => Seen::Array(header),
            Token::ArrayEnd => Seen::ArrayEnd,
            Token::Object(header) => Seen::Object(header),
            Token::ObjectEnd => Seen::ObjectEnd,
        };
        record.push((start..end, seen));
        assert_eq!(reader.byte_offset(), end);
        while let Some(chunk) = reader.text_chunk()? {
            let piece = chunk.to_string();
            let (place, Seen::String(_, text)) = record.last_mut().unwrap() else {
                panic!("text behind something else");
            };
            text.push_str(&piece);
            place.end += piece.len() as u64;
        }
    }
    Ok(())
}

/// What every source records of `bytes`: the same.
#[track_caller]
fn record_everywhere(config: de::Config, bytes: &[u8]) -> (Vec<(Place, Seen)>, Option<Failure>) {
    let read = |(record, error): (Vec<(Place, Seen)>, Option<Error>)| (record, error.as_ref().map(Failure::new));
    let slice = read(record(&mut Reader::from(config.deserializer_from_slice(bytes))));
    // A NaN is not equal to itself.
    let assert_same = |seen, how: &str| {
        assert_eq!(format!("{seen:?}"), format!("{slice:?}"), "{how}: {}", to_hex(bytes));
    };
    for chunk in [1, 2, 3, 7, 4096] {
        let reader = Chunked::new(bytes, chunk);
        let seen = read(record(&mut Reader::from(config.deserializer_from_reader(reader))));
        assert_same(seen, &format!("{chunk} bytes a read"));
        let reader = Chunked::new(bytes, chunk);
        let config = config.buffer_capacity(chunk);
        let seen = read(record(&mut Reader::from(config.deserializer_from_seekable(reader))));
        assert_same(seen, &format!("seekable, {chunk} bytes a read"));
    }
    slice
}

fn length(marker: Marker, value: u64) -> Length {
    Length { marker, value }
}

const PLAIN: Header = Header {
    element: None,
    count: None,
};

fn counted(element: Option<Marker>, marker: Marker, value: u64) -> Header {
    let count = Some(length(marker, value));
    Header { element, count }
}

/// Builds the value that a record's tokens from `at` on stand for; `None` where a number is beyond every Rust number.
fn build(record: &[(Place, Seen)], at: &mut usize) -> Option<Doc> {
    let (_, seen) = &record[*at];
    *at += 1;
    Some(match seen {
        Seen::Scalar(scalar) => match (scalar.as_i64(), scalar.as_f64(), *scalar) {
            (Some(int), ..) => Doc::Int(int.into()),
            (_, Some(float), _) => Doc::Float(float),
            (.., Scalar::Bool(value)) => Doc::Bool(value),
            (.., Scalar::Char(value)) => Doc::Text(char::from(value).to_string()),
            _ => Doc::Null,
        },
        Seen::HighPrecision(_, text) => Doc::from_number(text)?,
        Seen::String(_, text) => Doc::Text(text.clone()),
        Seen::Array(_) => {
            let mut elements = Vec::new();
            while record[*at].1 != Seen::ArrayEnd {
                elements.push(build(record, at)?);
            }
            *at += 1;
            Doc::Array(elements)
        }
        Seen::Object(_) => {
            let mut members = std::collections::BTreeMap::new();
            while let Seen::Key(_, key) = &record[*at].1 {
                *at += 1;
                members.insert(key.clone(), build(record, at)?);
            }
            assert_eq!(record[*at].1, Seen::ObjectEnd);
            *at += 1;
            Doc::Object(members)
        }
        other => panic!("{other:?} where a value starts"),
    })
}

#[test]
fn every_token_comes_with_its_wire_type_and_its_offset() {
    let document = b"{U\x01aNN[$I#i\x02\x00\x01\xff\xfei\x01bN[i\x01CxZTF]i\x01cHl\x00\x00\x00\x041e99N}";
    let (record, fault) = record_everywhere(de::Config::new(), document);
    assert_eq!(fault, None);
    let expected = [
        (0..1, Seen::Object(PLAIN)),
        (1..4, Seen::Key(length(Marker::Uint8, 1), "a".into())),
        (6..12, Seen::Array(counted(Some(Marker::Int16), Marker::Int8, 2))),
        (12..14, Seen::Scalar(Scalar::Int16(1))),
        (14..16, Seen::Scalar(Scalar::Int16(-2))),
        (16..16, Seen::ArrayEnd),
        (16..19, Seen::Key(length(Marker::Int8, 1), "b".into())),
        (20..21, Seen::Array(PLAIN)),
        (21..23, Seen::Scalar(Scalar::Int8(1))),
        (23..25, Seen::Scalar(Scalar::Char(b'x'))),
        (25..26, Seen::Scalar(Scalar::Null)),
        (26..27, Seen::Scalar(Scalar::Bool(true))),
        (27..28, Seen::Scalar(Scalar::Bool(false))),
        (28..29, Seen::ArrayEnd),
        (29..32, Seen::Key(length(Marker::Int8, 1), "c".into())),
        (32..42, Seen::HighPrecision(length(Marker::Int32, 4), "1e99".into())),
        (43..44, Seen::ObjectEnd),
    ];
    assert_eq!(record, expected);
}

#[test]
fn elements_of_typed_containers_start_where_their_markers_are_left_out() {
    let (record, fault) = record_everywhere(de::Config::new(), b"[$[#i\x02#i\x01Z$U#i\x01\x07");
    assert_eq!(fault, None);
    let expected = [
        (0..6, Seen::Array(counted(Some(Marker::Array), Marker::Int8, 2))),
        (6..9, Seen::Array(counted(None, Marker::Int8, 1))),
        (9..10, Seen::Scalar(Scalar::Null)),
        (10..10, Seen::ArrayEnd),
        (10..15, Seen::Array(counted(Some(Marker::Uint8), Marker::Int8, 1))),
        (15..16, Seen::Scalar(Scalar::Uint8(7))),
        (16..16, Seen::ArrayEnd),
        (16..16, Seen::ArrayEnd),
    ];
    assert_eq!(record, expected);
}

#[test]
fn the_tokens_of_every_valid_vector_are_its_value() {
    let mut checked = 0;
    for vector in decode_vectors() {
        let value = match vector.expected {
            Expected::Value(value) => Some(value),
            Expected::OutOfRange => None,
            Expected::Error { .. } | Expected::Bomb => continue,
        };
        let (record, fault) = record_everywhere(de::Config::new(), &vector.bytes);
        assert_eq!(fault, None, "{}", vector.name);
        let mut at = 0;
        assert_eq!(build(&record, &mut at), value, "{}", vector.name);
        if value.is_some() {
            assert_eq!(at, record.len(), "{}: tokens left over", vector.name);
        }
        checked += 1;
    }
    assert!(checked > 300, "only {checked} vectors");
}

#[test]
fn every_invalid_vector_fails_as_the_decoder_does() {
    for vector in decode_vectors() {
        let Expected::Error { kind, offset } = &vector.expected else {
            continue;
        };
        // Bytes behind the value are the next document's.
        if kind == "trailing" {
            continue;
        }
        let (_, fault) = record_everywhere(de::Config::new(), &vector.bytes);
        let fault = fault.unwrap_or_else(|| panic!("{} is read", vector.name));
        assert_eq!(kind_name(fault.kind), kind, "{}", vector.name);
        if offset.is_some() {
            assert_eq!(fault.offset, *offset, "{}", vector.name);
        }
    }
}

#[test]
fn a_severed_document_yields_every_token_before_the_cut() {
    for vector in decode_vectors() {
        if !matches!(vector.expected, Expected::Value(_)) || vector.bytes.len() > 300 {
            continue;
        }
        let (whole, _) = record(&mut Reader::from_slice(&vector.bytes));
        let end = grammar::value(&vector.bytes).expect("a valid vector").end;
        for cut in 0..end {
            let (seen, fault) = record_everywhere(de::Config::new(), &vector.bytes[..cut]);
            let fault = fault.unwrap_or_else(|| panic!("{} cut at {cut} is whole", vector.name));
            assert_eq!(fault.kind, ErrorKind::Eof, "{} cut at {cut}", vector.name);
            assert_eq!(fault.offset, Some(cut as u64), "{} cut at {cut}", vector.name);
            let cut = cut as u64;
            // That a container has no header shows in the byte behind its marker.
            let known_end = |(place, seen): &(Place, Seen)| match seen {
                Seen::Array(Header { count: None, .. }) | Seen::Object(Header { count: None, .. }) => place.end + 1,
                _ => place.end,
            };
            let complete = whole.iter().take_while(|token| known_end(token) <= cut).count();
            let (before, expected) = (seen.get(..complete), whole.get(..complete));
            assert_eq!(
                format!("{before:?}"),
                format!("{expected:?}"),
                "{} cut at {cut}",
                vector.name
            );
            match (&seen[complete..], whole.get(complete)) {
                ([], _) => {}
                // A string whose length is there, and its text in part.
                ([(_, Seen::String(length, part))], Some((_, Seen::String(whole_length, text)))) => {
                    assert_eq!(length, whole_length);
                    assert!(text.starts_with(part.as_str()), "{part:?} of {text:?}");
                }
                more => panic!("{} cut at {cut}: {more:?}", vector.name),
            }
        }
    }
}

#[test]
fn a_severed_text_comes_out_up_to_its_last_whole_character() {
    // "aé€😀": characters of 1, 2, 3 and 4 bytes.
    let document = b"Si\x0aa\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80";
    let texts = [
        "",
        "a",
        "a",
        "a\u{e9}",
        "a\u{e9}",
        "a\u{e9}",
        "a\u{e9}\u{20ac}",
        "a\u{e9}\u{20ac}",
        "a\u{e9}\u{20ac}",
        "a\u{e9}\u{20ac}",
    ];
    for (byte_len, text) in texts.into_iter().enumerate() {
        let (record, fault) = record_everywhere(de::Config::new(), &document[..3 + byte_len]);
        let place = 0..(3 + text.len()) as u64;
        assert_eq!(record, [(place, Seen::String(length(Marker::Int8, 10), text.into()))]);
        assert_eq!(fault.unwrap().offset, Some(3 + byte_len as u64));
    }
}

#[test]
fn chunks_of_a_long_text_are_bounded_by_the_buffer_and_split_no_character() {
    let text = "\u{20ac}uro, ".repeat(40_000);
    let document = ubjson::to_vec(&text).unwrap();
    for capacity in [32, 1000, 16 * 1024] {
        let config = de::Config::new().buffer_capacity(capacity);
        let mut reader = Reader::from(config.deserializer_from_reader(&document[..]));
        let event = reader.next_event().unwrap().unwrap();
        assert_eq!(event.token, Token::String(length(Marker::Int32, 320_000)));
        let mut read = String::new();
        while let Some(chunk) = reader.text_chunk().unwrap() {
            assert!((1..=capacity).contains(&chunk.len()), "{} bytes", chunk.len());
            read.push_str(&chunk);
        }
        assert!(read == text, "another text through a buffer of {capacity}");
        assert!(reader.next_event().unwrap().is_none());
    }
    let mut reader = Reader::from_slice(&document);
    reader.next_event().unwrap();
    assert_eq!(reader.text_chunk().unwrap().unwrap().len(), text.len());
}

#[test]
fn a_text_that_nobody_reads_is_checked_all_the_same() {
    let (bad, good) = (b"[Si\x03a\xffbT]", b"[Si\x03abcT]");
    let mut reader = Reader::from_slice(bad);
    reader.next_event().unwrap();
    reader.next_event().unwrap();
    let error = reader.next_event().unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Utf8, Some(4)));
    assert!(reader.next_event().unwrap().is_none(), "spent after an error");
    let mut reader = Reader::from_slice(good);
    reader.next_event().unwrap();
    reader.next_event().unwrap();
    let event = reader.next_event().unwrap().unwrap();
    assert_eq!((event.offset, event.token), (7, Token::Scalar(Scalar::Bool(true))));
}

#[test]
fn bad_text_is_an_error_at_its_start_or_repaired_on_request() {
    let document = b"{i\x02k\xffSi\x05a\xf0\x9f\x98b}";
    let (record, fault) = record_everywhere(de::Config::new(), document);
    assert_eq!(record.len(), 1);
    let fault = fault.unwrap();
    assert_eq!((fault.kind, fault.offset), (ErrorKind::Utf8, Some(3)));
    let (record, fault) = record_everywhere(de::Config::new().lossy_utf8(true), document);
    assert_eq!(fault, None);
    assert_eq!(record[1].1, Seen::Key(length(Marker::Int8, 2), "k\u{fffd}".into()));
    assert_eq!(record[2].1, Seen::String(length(Marker::Int8, 5), "a\u{fffd}b".into()));
    // Without it, the text before the fault comes out all the same.
    let (record, fault) = record_everywhere(de::Config::new(), b"[Si\x05a\xe2\x82bb]");
    assert_eq!(record[1], (1..5, Seen::String(length(Marker::Int8, 5), "a".into())));
    assert_eq!(fault.unwrap().offset, Some(4));
}

#[test]
fn no_byte_behind_the_document_is_asked_for() {
    for vector in decode_vectors() {
        if !matches!(vector.expected, Expected::Value(_)) {
            continue;
        }
        let end = grammar::value(&vector.bytes).expect("a valid vector").end;
        for chunk in [1, 3, 4096] {
            let mut exact = Exact::new(&vector.bytes[..end], chunk);
            let (_, fault) = record(&mut Reader::from_reader(&mut exact));
            assert!(fault.is_none(), "{}", vector.name);
            assert_eq!(exact.left(), 0, "{}", vector.name);
        }
    }
    let packed = ubjson::to_vec(&(0..20_000).collect::<Vec<i32>>()).unwrap();
    let mut exact = Exact::new(&packed, 5000);
    let mut reader = Reader::from_reader(&mut exact);
    reader.next_event().unwrap();
    while reader.packed_chunk().unwrap().is_some() {}
    assert_eq!(reader.next_event().unwrap().unwrap().token, Token::ArrayEnd);
    assert_eq!(exact.left(), 0);
}

#[test]
fn packed_elements_come_as_whole_big_endian_numbers() {
    let numbers: Vec<f64> = (0..10_000).map(|n| f64::from(n) * 0.1).collect();
    let document = ubjson::to_vec(&numbers).unwrap();
    let payload: Vec<u8> = numbers.iter().flat_map(|number| number.to_be_bytes()).collect();
    for chunk in [1, 3, 4096, 100_000] {
        let mut reader = Reader::from_reader(Chunked::new(&document, chunk));
        reader.next_event().unwrap();
        // The first element as a token, the others in pieces.
        let first = reader.next_event().unwrap().unwrap();
        assert_eq!(first.token, Token::Scalar(Scalar::Float64(0.0)));
        let mut read = vec![0; 8];
        while let Some(piece) = reader.packed_chunk().unwrap() {
            assert_eq!(piece.as_bytes().len() % 8, 0);
            read.extend_from_slice(piece.as_bytes());
        }
        assert_eq!(read, payload);
        assert_eq!(reader.next_event().unwrap().unwrap().token, Token::ArrayEnd);
        assert!(reader.next_event().unwrap().is_none());
    }
}

#[test]
fn severed_packed_elements_come_out_as_far_as_they_are_whole() {
    let document = b"[$l#i\x03\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00";
    let mut reader = Reader::from_slice(document);
    reader.next_event().unwrap();
    let piece = reader.packed_chunk().unwrap().unwrap();
    assert_eq!(piece.as_bytes(), [0, 0, 0, 1, 0, 0, 0, 2]);
    let error = reader.packed_chunk().unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Eof, Some(16)));
}

#[test]
fn only_arrays_of_sized_elements_have_packed_chunks() {
    for document in [
        &b"[i\x01i\x02]"[..],
        b"[#i\x01Z",
        b"[$T#i\x02",
        b"[$S#i\x01i\x01a",
        b"{$i#i\x01i\x01a\x05",
        b"[$U#i\x00",
        b"Si\x01a",
    ] {
        let mut reader = Reader::from_slice(document);
        reader.next_event().unwrap();
        assert!(reader.packed_chunk().unwrap().is_none(), "{}", to_hex(document));
        let (rest, fault) = record(&mut reader);
        assert!(fault.is_none(), "{rest:?}");
    }
    let mut reader = Reader::from_slice(b"[$C#i\x03a\x80b");
    reader.next_event().unwrap();
    let error = reader.packed_chunk().unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Char, Some(7)));
}

#[test]
fn a_container_with_a_wrong_count_is_reported_behind_its_values() {
    // Three elements are announced, two are there, and the object goes on.
    let (seen, fault) = record_everywhere(de::Config::new(), b"{i\x01a[#i\x03i\x01i\x02}");
    let values: Vec<_> = seen.into_iter().map(|(_, seen)| seen).collect();
    let expected = [
        Seen::Object(PLAIN),
        Seen::Key(length(Marker::Int8, 1), "a".into()),
        Seen::Array(counted(None, Marker::Int8, 3)),
        Seen::Scalar(Scalar::Int8(1)),
        Seen::Scalar(Scalar::Int8(2)),
    ];
    assert_eq!(values, expected);
    let fault = fault.unwrap();
    assert_eq!((fault.kind, fault.offset), (ErrorKind::Marker, Some(12)));
    // One element is announced, two are there.
    let (seen, fault) = record_everywhere(de::Config::new(), b"{i\x01a[#i\x01i\x01i\x02}");
    assert_eq!(seen.last().unwrap().1, Seen::ArrayEnd);
    let fault = fault.unwrap();
    // `i 2` is taken for the length of a key, and the rest of the document for its first byte.
    assert_eq!((fault.kind, fault.offset), (ErrorKind::Eof, Some(13)));
}

#[test]
fn slp_in_progress() {
    let (seen, fault) = record_everywhere(de::Config::new(), &report_bytes("slp-in-progress"));
    let expected = [
        (0..1, Seen::Object(PLAIN)),
        (1..6, Seen::Key(length(Marker::Uint8, 3), "raw".into())),
        (6..15, Seen::Array(counted(Some(Marker::Uint8), Marker::Int32, 0))),
        (15..15, Seen::ArrayEnd),
    ];
    assert_eq!(seen, expected);
    let fault = fault.unwrap();
    assert_eq!((fault.kind, fault.offset), (ErrorKind::Length, Some(15)));
}

#[test]
fn slp_utf16_length() {
    let (seen, fault) = record_everywhere(de::Config::new(), &report_bytes("slp-utf16-length"));
    let expected = [
        (0..1, Seen::Object(PLAIN)),
        (1..10, Seen::Key(length(Marker::Uint8, 7), "netplay".into())),
        (10..19, Seen::String(length(Marker::Uint8, 6), "\u{30a7}noo".into())),
    ];
    assert_eq!(seen, expected);
    let fault = fault.unwrap();
    assert_eq!((fault.kind, fault.offset), (ErrorKind::Length, Some(19)));
}

#[test]
fn values_can_be_skipped_at_every_place_where_one_is_due() {
    let mut reader = Reader::from_slice(b"[Si\x03abc[[]]{i\x01aTi\x01b{}i\x01cZ}F]T");
    assert_eq!(reader.next_event().unwrap().unwrap().token, Token::Array(PLAIN));
    let string = reader.next_event().unwrap().unwrap();
    assert_eq!(string.token, Token::String(length(Marker::Int8, 3)));
    // The rest of the string, and the next element.
    assert!(reader.skip_value().unwrap());
    assert_eq!(reader.byte_offset(), 11);
    assert_eq!(reader.next_event().unwrap().unwrap().token, Token::Object(PLAIN));
    // The first entry whole, the value of the second, the third.
    assert!(reader.skip_value().unwrap());
    let key = reader.next_event().unwrap().unwrap();
    assert_eq!(
        key.token,
        Token::Key(length(Marker::Int8, 1), ubjson::pull::Text::Borrowed("b"))
    );
    assert!(reader.skip_value().unwrap());
    assert!(reader.skip_value().unwrap());
    assert!(!reader.skip_value().unwrap());
    assert!(!reader.skip_value().unwrap(), "asked again");
    let end = reader.next_event().unwrap().unwrap();
    assert_eq!((end.offset, end.token), (25, Token::ObjectEnd));
    assert_eq!(reader.depth(), 1);
    reader.skip_rest().unwrap();
    assert_eq!((reader.depth(), reader.byte_offset()), (0, 28));
    assert!(reader.next_event().unwrap().is_none());
    assert!(!reader.skip_value().unwrap());
    // The second document.
    assert!(reader.next_document().unwrap());
    assert!(reader.skip_value().unwrap());
    assert!(!reader.next_document().unwrap());
}

#[test]
fn documents_follow_each_other_up_to_a_clean_end() {
    for source in 0..3 {
        let bytes = b"NN[i\x01]NSi\x01aNNTNN";
        let count = match source {
            0 => documents(&mut Reader::from_slice(bytes)),
            1 => documents(&mut Reader::from_reader(Chunked::new(bytes, 1))),
            _ => documents(&mut Reader::from_seekable(Cursor::new(bytes))),
        };
        assert_eq!(count, [2, 7, 13]);
    }
    assert!(documents(&mut Reader::from_slice(b"")).is_empty());
    assert!(documents(&mut Reader::from_slice(b"NN")).is_empty());
}

/// The offsets of all documents, only begun.
fn documents<'de, R: Read<'de>>(reader: &mut Reader<R>) -> Vec<u64> {
    let mut offsets = Vec::new();
    while reader.next_document().unwrap() {
        offsets.push(reader.next_event().unwrap().unwrap().offset);
    }
    assert!(reader.next_event().unwrap().is_none());
    offsets
}

#[test]
fn an_error_between_documents_is_no_clean_end() {
    let mut reader = Reader::from_slice(b"T[i");
    assert!(reader.next_document().unwrap());
    reader.next_event().unwrap();
    assert!(reader.next_document().unwrap());
    assert!(reader.next_document().unwrap_err().is_eof(), "the second is severed");
    assert!(!reader.next_document().unwrap());
    let mut reader = Reader::from_slice(b"");
    assert!(reader.next_event().unwrap_err().is_eof(), "one document is asked for");
}

#[test]
fn elements_are_read_through_serde_one_by_one() {
    let document = b"{i\x04rows[$[#i\x02$U#i\x02\x01\x02#i\x01Ti\x04nextS";
    let mut reader = Reader::from_slice(document);
    reader.next_event().unwrap();
    reader.next_event().unwrap();
    reader.next_event().unwrap();
    assert_eq!(reader.next_value::<Vec<u8>>().unwrap(), Some(vec![1, 2]));
    assert_eq!(reader.next_value::<(bool,)>().unwrap(), Some((true,)));
    assert_eq!(reader.next_value::<(bool,)>().unwrap(), None);
    assert_eq!(reader.next_event().unwrap().unwrap().token, Token::ArrayEnd);
    reader.next_event().unwrap();
    assert!(reader.next_value::<&str>().unwrap_err().is_eof());
    assert_eq!(reader.next_value::<&str>().unwrap(), None, "spent");
}

#[test]
fn an_element_of_another_type_is_an_error_at_its_start_and_passed_over() {
    let document = b"[i\x01Si\x01a[{i\x01aT}]i\x02[$C#i\x02ab]";
    for chunk in [1, 3, 100] {
        let mut reader = Reader::from_reader(Chunked::new(document, chunk));
        reader.next_event().unwrap();
        assert_eq!(reader.next_value::<u8>().unwrap(), Some(1));
        for offset in [3, 7] {
            let error = reader.next_value::<u8>().unwrap_err();
            assert_eq!((error.kind(), error.offset()), (ErrorKind::Data, Some(offset)));
        }
        assert_eq!(reader.next_value::<u8>().unwrap(), Some(2));
        assert_eq!(reader.next_value::<u8>().unwrap_err().offset(), Some(17));
        assert_eq!(reader.next_value::<u8>().unwrap(), None);
        assert_eq!(reader.next_event().unwrap().unwrap().token, Token::ArrayEnd);
        assert!(reader.next_event().unwrap().is_none());
    }
    // Bytes that are wrong end it.
    let mut reader = Reader::from_slice(b"[{i\x01ax}i\x02]");
    reader.next_event().unwrap();
    let error = reader.next_value::<u8>().unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Marker, Some(5)));
    assert_eq!(reader.next_value::<u8>().unwrap(), None);
}

#[test]
fn depth_and_budget_are_held_and_nothing_recurses() {
    let deep = vec![b'['; 200];
    let (record_129, fault) = record(&mut Reader::from_slice(&deep));
    assert_eq!(record_129.len(), 128);
    assert_eq!(fault.unwrap().kind(), ErrorKind::Depth);

    // Siblings are on the same level, whether they are read or skipped.
    let wide = [b"[".to_vec(), b"[]{}[#i\x00".repeat(300), b"]".to_vec()].concat();
    let config = de::Config::new().max_depth(2);
    let (seen, fault) = record(&mut Reader::from(config.deserializer_from_slice(&wide)));
    assert!(fault.is_none(), "{fault:?}");
    assert_eq!(seen.len(), 2 + 6 * 300);
    let mut reader = Reader::from(config.deserializer_from_slice(&wide));
    reader.next_event().unwrap();
    for sibling in 0..900 {
        match sibling % 3 {
            0 => assert!(reader.skip_value().unwrap()),
            1 => assert!(reader.next_value::<IgnoredAny>().unwrap().is_some()),
            _ => {
                reader.next_event().unwrap();
                reader.skip_rest().unwrap();
            }
        }
    }
    assert_eq!(reader.next_event().unwrap().unwrap().token, Token::ArrayEnd);

    let levels = 1_000_000;
    let deep: Vec<u8> = [vec![b'['; levels], vec![b']'; levels]].concat();
    let config = de::Config::new().max_depth(levels);
    let (seen, fault) = record(&mut Reader::from(config.deserializer_from_slice(&deep)));
    assert!(fault.is_none());
    assert_eq!(seen.len(), 2 * levels);

    let config = de::Config::new().max_empty_elements(5);
    let two_documents = b"[[$Z#i\x03[$T#i\x03]";
    let (seen, fault) = record(&mut Reader::from(config.deserializer_from_slice(two_documents)));
    assert_eq!(seen.len(), 6);
    assert_eq!(fault.unwrap().kind(), ErrorKind::Budget);
}

#[test]
fn a_seekable_reader_is_put_back_behind_the_last_token() {
    let mut file = Cursor::new(b"T{i\x01ai\x02}tail");
    let mut reader = Reader::from_seekable(&mut file);
    reader.next_event().unwrap();
    assert!(reader.next_document().unwrap());
    reader.next_event().unwrap();
    reader.next_event().unwrap();
    reader.finish().unwrap();
    assert_eq!(file.position(), 5);
    let error = || std::io::Error::other("no way back");
    let mut reader = Reader::from_seekable(SeekFails::new(Cursor::new(b"TT"), error));
    reader.next_event().unwrap();
    assert!(reader.finish().unwrap_err().is_io());
}

#[test]
fn a_deserializer_goes_on_where_the_reader_stopped() {
    let mut reader = Reader::from_slice(b"[T]i\x07rest");
    reader.skip_value().unwrap();
    let mut deserializer = reader.into_deserializer();
    let number: u8 = serde::Deserialize::deserialize(&mut deserializer).unwrap();
    assert_eq!((number, deserializer.rest()), (7, &b"rest"[..]));
}

/// Bytes that are often enough those of a document.
#[derive(Clone, Debug)]
struct Scrap(Vec<u8>);

impl quickcheck::Arbitrary for Scrap {
    fn arbitrary(g: &mut quickcheck::Gen) -> Self {
        const ALPHABET: &[u8] = b"ZNTFiiUUIlLdDHCSS[[[[{{{{]]]}}}$##\x00\x01\x01\x02\x0315ae.\x80\xc3\xa9\xff";
        let len = usize::arbitrary(g) % 40;
        Scrap((0..len).map(|_| *g.choose(ALPHABET).unwrap()).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.0.shrink().map(Scrap))
    }
}

#[test]
fn whatever_the_bytes_the_reader_judges_them_as_the_decoder_does() {
    fn same(scrap: Scrap) -> bool {
        let (_, fault) = record_everywhere(de::Config::new(), &scrap.0);
        let read = ubjson::from_slice_prefix::<IgnoredAny>(&scrap.0).map(|_| ());
        let expected = read.map_err(|error| Failure::new(&error)).err();
        match (&fault, &expected) {
            // Of a text that is both bad and severed, the reader sees the bad part first.
            (Some(fault), Some(expected)) if fault.kind == ErrorKind::Utf8 => {
                matches!(expected.kind, ErrorKind::Utf8 | ErrorKind::Eof)
            }
            _ => fault == expected,
        }
    }
    quickcheck::QuickCheck::new()
        .tests(if cfg!(debug_assertions) { 20_000 } else { 300_000 })
        .quickcheck(same as fn(Scrap) -> bool);
}

#[test]
fn the_tokens_of_real_models_are_their_values() {
    for entry in std::fs::read_dir("tests/data/xgboost").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "ubj") {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let (record, fault) = record_everywhere(de::Config::new(), &bytes);
        assert!(fault.is_none(), "{path:?}: {fault:?}");
        let value: Doc = ubjson::from_slice(&bytes).unwrap();
        assert_eq!(build(&record, &mut 0), Some(value), "{path:?}");
        // Nothing lies between the tokens: these files have no no-ops.
        let ends = record.iter().map(|(place, _)| place.end);
        for (end, (place, seen)) in std::iter::once(0).chain(ends).zip(&record) {
            assert_eq!(end, place.start, "{path:?}: {seen:?}");
        }
    }
}

#[test]
fn markers_are_shown_with_their_letter_and_name() {
    let shown = [
        (Marker::Null, "`Z` (null)"),
        (Marker::True, "`T` (true)"),
        (Marker::False, "`F` (false)"),
        (Marker::Int8, "`i` (int8)"),
        (Marker::Uint8, "`U` (uint8)"),
        (Marker::Int16, "`I` (int16)"),
        (Marker::Int32, "`l` (int32)"),
        (Marker::Int64, "`L` (int64)"),
        (Marker::Float32, "`d` (float32)"),
        (Marker::Float64, "`D` (float64)"),
        (Marker::HighPrecision, "`H` (high-precision number)"),
        (Marker::Char, "`C` (char)"),
        (Marker::String, "`S` (string)"),
        (Marker::Array, "`[` (array)"),
        (Marker::Object, "`{` (object)"),
    ];
    for (marker, text) in shown {
        assert_eq!(marker.to_string(), text);
    }
}

#[test]
fn texts_compare_with_those_of_rust() {
    let mut reader = Reader::from_slice(b"{i\x03keyZ}");
    assert!(matches!(reader.next_event().unwrap().unwrap().token, Token::Object(_)));
    let Token::Key(_, key) = reader.next_event().unwrap().unwrap().token else {
        panic!("a key is next");
    };
    assert!(key == "key" && key != "other");
}

#[test]
fn scalars_are_made_of_payloads_of_their_own_length_alone() {
    let payload = [0x3f, 0x80, 0, 0, 0, 0, 0, 0, 0];
    let scalars = [
        (Marker::Null, Scalar::Null),
        (Marker::True, Scalar::Bool(true)),
        (Marker::False, Scalar::Bool(false)),
        (Marker::Int8, Scalar::Int8(63)),
        (Marker::Uint8, Scalar::Uint8(63)),
        (Marker::Char, Scalar::Char(b'?')),
        (Marker::Int16, Scalar::Int16(0x3f80)),
        (Marker::Int32, Scalar::Int32(0x3f80_0000)),
        (Marker::Float32, Scalar::Float32(1.0)),
        (Marker::Int64, Scalar::Int64(0x3f80_0000_0000_0000)),
        // The exponent 0x3f8 is seven below that of 1.
        (Marker::Float64, Scalar::Float64(0.0078125)),
    ];
    for (marker, scalar) in scalars {
        let own_len = marker.payload_len().unwrap();
        for byte_len in 0..=9 {
            let made = Scalar::from_be_bytes(marker, &payload[..byte_len]);
            assert_eq!(made, (byte_len == own_len).then_some(scalar), "{marker} of {byte_len}");
        }
        assert_eq!(scalar.marker(), marker);
    }
    assert_eq!(Scalar::from_be_bytes(Marker::Char, &[0x80]), None);
    assert_eq!(Scalar::from_be_bytes(Marker::String, b"i"), None);
}

#[test]
fn a_token_that_is_no_string_has_no_text() {
    let mut reader = Reader::from_slice(b"[TSi\x02hi]");
    for expected in ["", "", "hi", ""] {
        reader.next_event().unwrap();
        assert_eq!(reader.text().unwrap(), expected);
        // It is given out once.
        assert_eq!(reader.text().unwrap(), "");
    }
    assert!(reader.next_event().unwrap().is_none());
}
