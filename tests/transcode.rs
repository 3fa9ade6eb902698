//! From format to format without a tree: the same value, the true error, and nothing lost that the target can hold.
#![cfg(feature = "std")]

mod common;

use std::collections::BTreeMap;
use std::io;

use serde::Serialize;
use serde_bytes::Bytes;
use ubjson::ser::{Config, Containers};
use ubjson::{ErrorKind, TranscodeError, de, transcode};

use common::doc::Doc;
use common::marked::Marked;
use common::readers::{Chunked, Failing};
use common::vectors::{Expected, decode_vectors, parse};

/// A JSON text as UBJSON.
#[track_caller]
fn from_json(json: &str, config: &Config) -> Vec<u8> {
    let mut serializer = ubjson::Serializer::with_vec(Vec::new(), config);
    transcode(&mut serde_json::Deserializer::from_str(json), &mut serializer).unwrap();
    serializer.into_vec()
}

/// UBJSON as JSON text.
#[track_caller]
fn to_json(bytes: &[u8]) -> String {
    let mut text = Vec::new();
    let mut serializer = serde_json::Serializer::new(&mut text);
    transcode(&mut ubjson::Deserializer::from_slice(bytes), &mut serializer).unwrap();
    String::from_utf8(text).unwrap()
}

/// UBJSON written again.
#[track_caller]
fn again(bytes: &[u8], config: &Config) -> Vec<u8> {
    let mut serializer = ubjson::Serializer::with_vec(Vec::new(), config);
    transcode(&mut ubjson::Deserializer::from_slice(bytes), &mut serializer).unwrap();
    serializer.into_vec()
}

const PLAIN: fn() -> Config = || Config::new().containers(Containers::Plain);

#[test]
fn json_becomes_the_bytes_that_its_values_are() {
    let bytes = from_json(r#"{"b":[true,null,-1],"a":{"x":0.5,"y":"\u00e9"},"b":[]}"#, &PLAIN());
    let expected = b"{i\x01b[TZi\xff]i\x01a{i\x01xD\x3f\xe0\0\0\0\0\0\0i\x01ySi\x02\xc3\xa9}i\x01b[]}";
    assert_eq!(bytes, expected, "order and duplicate keys are kept");
}

#[test]
fn json_comes_back_as_it_was() {
    for json in [
        "null",
        "[]",
        "{}",
        r#""\n\u0000""#,
        "[[],[[]],{}]",
        r#"{"":{"":[1,2,3]}}"#,
        "[0.1,1e100,5e-324,-0.0,12345678901.5]",
        "[-9223372036854775808,18446744073709551615,9223372036854775808]",
        "[1,2,3,4,5,6,7,8,9,300,70000]",
    ] {
        for containers in [Containers::Auto, Containers::Counted, Containers::Plain] {
            let bytes = from_json(json, &Config::new().containers(containers));
            let text = to_json(&bytes).replace("1e+100", "1e100");
            assert_eq!(text, json, "{containers:?}");
        }
    }
}

#[test]
fn real_documents_come_back_as_they_were() {
    let mut read = 0;
    for folder in [
        "tests/data/xgboost",
        "../shared/corpus/documents",
        "../shared/corpus/xgboost",
    ] {
        let Ok(entries) = std::fs::read_dir(folder) else {
            println!("{folder} is not here: its documents were not read");
            continue;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let json = std::fs::read_to_string(&path).unwrap();
            // Two are deeper than either side reads.
            if serde_json::from_str::<serde_json::Value>(&json).is_err() {
                println!("{path:?}: too deep");
                continue;
            }
            let back = to_json(&from_json(&json, &Config::new()));
            assert!(parse(&back) == parse(&json), "{path:?} differs");
            read += 1;
        }
    }
    assert!(read >= 7, "only {read} documents");
}

#[test]
fn every_valid_vector_survives_from_ubjson_to_ubjson() {
    let mut checked = 0;
    for vector in decode_vectors() {
        if !matches!(vector.expected, Expected::Value(_) | Expected::OutOfRange) {
            continue;
        }
        for containers in [Containers::Auto, Containers::Counted, Containers::Plain] {
            let config = Config::new().containers(containers);
            let written = again(&vector.bytes, &config);
            if let Expected::Value(value) = &vector.expected {
                let read: Doc = ubjson::from_slice(&written).unwrap();
                assert_eq!(read, *value, "{}", vector.name);
            }
            assert_eq!(again(&written, &config), written, "{}: not stable", vector.name);
            // A reader of single bytes says the same as a slice.
            let mut serializer = ubjson::Serializer::with_vec(Vec::new(), &config);
            let reader = Chunked::new(&vector.bytes, 1);
            transcode(&mut ubjson::Deserializer::from_reader(reader), &mut serializer).unwrap();
            assert_eq!(serializer.into_vec(), written, "{}", vector.name);
        }
        checked += 1;
    }
    assert!(checked > 300, "only {checked} vectors");
}

#[test]
fn what_serde_cannot_name_is_kept_between_two_of_this_crate() {
    // High-precision numbers beyond every Rust number, chars, and an array of one.
    let document = b"[Hi\x051e999CaHi\x040.10[Hi\x2a3.1415926535897932384626433832795028841971]]";
    assert_eq!(again(document, &PLAIN()), document);
    let typed = b"{i\x01a[$d#i\x06\0\0\0\0\x3f\x80\0\0\x40\0\0\0\x40\x40\0\0\x40\x80\0\0\x40\xa0\0\0}";
    assert_eq!(again(typed, &Config::new()), typed);
}

#[test]
fn other_formats_get_the_nearest_number() {
    assert_eq!(to_json(b"[Hi\x0242Hi\x041.50Ca]"), r#"[42,1.5,"a"]"#);
    // 2^64, and a number that no float is near.
    assert_eq!(to_json(b"Hi\x1418446744073709551616"), "18446744073709551616");
    assert_eq!(to_json(b"Hi\x051e999"), r#""1e999""#);
    assert_eq!(
        to_json(b"[$D#i\x02\x7f\xf8\0\0\0\0\0\0\x3f\xf0\0\0\0\0\0\0"),
        "[null,1.0]"
    );
}

#[cfg(feature = "json")]
mod with_arbitrary_precision {
    use super::*;

    #[test]
    fn numbers_that_no_float_holds_travel_as_their_text() {
        let json = "[3.14159265358979323846264338327950288,1e999,123456789012345678901234567890,0.1,1.50]";
        let bytes = from_json(json, &PLAIN());
        let expected = [
            &b"[Hi\x253.14159265358979323846264338327950288"[..],
            // As serde_json spells it.
            b"Hi\x061e+999",
            b"Hi\x1e123456789012345678901234567890",
            b"D\x3f\xb9\x99\x99\x99\x99\x99\x9a",
            b"D\x3f\xf8\0\0\0\0\0\0]",
        ];
        assert_eq!(bytes, expected.concat());
    }

    #[test]
    fn an_object_that_looks_like_a_number_of_serde_json_stays_an_object() {
        for json in [
            r#"{"$serde_json::private::Number":"1"}"#,
            r#"{"$serde_json::private::Number":"1","b":[2]}"#,
            r#"{"$serde_json::private::Number":[{"$serde_json::private::Number":true}]}"#,
            r#"[{"$serde_json::private::Number":"\u0031"}]"#,
            r#"{"a":1,"$serde_json::private::Number":"1"}"#,
        ] {
            let bytes = from_json(json, &PLAIN());
            assert!(
                bytes.windows(27).any(|window| window == b"$serde_json::private::Numbe"),
                "{json}"
            );
            let mut reader = ubjson::pull::Reader::from_slice(&bytes);
            let first = reader.next_event().unwrap().unwrap();
            let is_container = json.as_bytes()[0] == bytes[0];
            assert!(is_container, "{json}: {first:?}");
        }
        // A number alone at the top is one all the same.
        assert_eq!(from_json("1.5", &PLAIN()), b"D\x3f\xf8\0\0\0\0\0\0");
    }
}

#[test]
fn messagepack_goes_both_ways_with_keys_and_bytes_of_its_own() {
    let mut by_number = BTreeMap::new();
    by_number.insert(1_u8, Some("one"));
    by_number.insert(200, None);
    let document = (by_number, Bytes::new(b"\x00\xff"), 'x', (), 3_u64, -3_i8, 1.5_f32, true);
    let packed = rmp_serde::to_vec(&document).unwrap();
    let mut serializer = ubjson::Serializer::with_vec(Vec::new(), &PLAIN());
    transcode(&mut rmp_serde::Deserializer::from_read_ref(&packed), &mut serializer).unwrap();
    let bytes = serializer.into_vec();
    let expected = b"[{i\x011Si\x03onei\x03200Z}[$U#i\x02\x00\xffSi\x01xZi\x03i\xfdd\x3f\xc0\0\0T]";
    assert_eq!(bytes, expected);

    let mut back = Vec::new();
    let document = b"{i\x01a[i\x01F]i\x01b{}}";
    let mut serializer = rmp_serde::Serializer::new(&mut back);
    transcode(&mut ubjson::Deserializer::from_slice(document), &mut serializer).unwrap();
    assert_eq!(back, b"\x82\xa1a\x92\x01\xc2\xa1b\x80");
}

#[test]
fn known_lengths_are_passed_on() {
    let packed = rmp_serde::to_vec(&[vec!["a"; 2], vec![]]).unwrap();
    let config = Config::new().containers(Containers::Counted);
    let mut serializer = ubjson::Serializer::with_vec(Vec::new(), &config);
    transcode(&mut rmp_serde::Deserializer::from_read_ref(&packed), &mut serializer).unwrap();
    assert_eq!(serializer.into_vec(), b"[#i\x02[#i\x02Si\x01aSi\x01a[#i\x00");
    let counted = b"[#i\x02{#i\x01i\x01aTZ";
    assert_eq!(again(counted, &config), counted);
}

#[test]
fn lengths_beyond_what_a_reader_trusts_do_no_harm() {
    let config = Config::new().containers(Containers::Counted);
    for count in [4095, 4096, 4097, 10_000] {
        let document = config.to_vec(&vec!["a"; count]).unwrap();
        let mut serializer = ubjson::Serializer::with_vec(Vec::new(), &config);
        let mut deserializer = ubjson::Deserializer::from_reader(&document[..]);
        transcode(&mut deserializer, &mut serializer).unwrap();
        let read: Vec<String> = ubjson::from_slice(&serializer.into_vec()).unwrap();
        assert_eq!(read.len(), count);
    }
}

/// What a failed transcoding says: which side, and its text.
#[track_caller]
fn failure<T, R: ToString, W: ToString>(result: Result<T, TranscodeError<R, W>>) -> (&'static str, String) {
    match result {
        Ok(_) => panic!("it succeeded"),
        Err(TranscodeError::Read(error)) => ("read", error.to_string()),
        Err(TranscodeError::Write(error)) => ("write", error.to_string()),
    }
}

#[test]
fn a_readers_error_keeps_its_place_at_every_depth() {
    for (json, message) in [
        ("nil", "expected ident at line 1 column 2"),
        ("[1,[2,[nil]]]", "expected ident at line 1 column 9"),
        ("{\"a\":{\"b\":\n[1,}]}", "expected value at line 2 column 4"),
        ("[[1 2]]", "expected `,` or `]` at line 1 column 5"),
        ("{\"a\":[}", "expected value at line 1 column 7"),
        ("{\"a\" 1}", "expected `:` at line 1 column 6"),
        ("{1:2}", "key must be a string at line 1 column 2"),
        ("[\"a", "EOF while parsing a string at line 1 column 3"),
    ] {
        let mut serializer = ubjson::Serializer::with_vec(Vec::new(), &Config::new());
        let result = transcode(&mut serde_json::Deserializer::from_str(json), &mut serializer);
        assert_eq!(failure(result), ("read", message.into()), "{json}");
    }
    for (document, kind, offset) in [
        (&b"[[[i\x01x]]]"[..], ErrorKind::Marker, 5),
        (b"{i\x01a[$l#i\x02\0\0\0\x01\0\0", ErrorKind::Eof, 16),
        (b"[{i\x01a[Si\x01\xff]}]", ErrorKind::Utf8, 9),
        (b"{i\x01a{i\x01bHi\x021.}}", ErrorKind::Number, 11),
    ] {
        let mut text = Vec::new();
        let mut serializer = serde_json::Serializer::new(&mut text);
        let error = match transcode(&mut ubjson::Deserializer::from_slice(document), &mut serializer) {
            Err(TranscodeError::Read(error)) => error,
            other => panic!("{other:?}"),
        };
        assert_eq!((error.kind(), error.offset()), (kind, Some(offset)), "{document:?}");
    }
    let reader = Failing::new(b"[[i\x01", || io::ErrorKind::TimedOut.into());
    let mut serializer = ubjson::Serializer::with_vec(Vec::new(), &Config::new());
    match transcode(&mut ubjson::Deserializer::from_reader(reader), &mut serializer) {
        Err(TranscodeError::Read(error)) => assert_eq!(error.io_error_kind(), Some(io::ErrorKind::TimedOut)),
        other => panic!("{other:?}"),
    }
}

/// Takes so many bytes, then fails.
struct Full(usize);

impl io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let len = bytes.len().min(self.0);
        self.0 -= len;
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_writers_error_keeps_its_kind_at_every_depth() {
    let json = r#"{"a":[1,{"b":"text"},[2.5,null]],"c":[1,2,3,4,5,6,7,8]}"#;
    let document = from_json(json, &Config::new());
    for room in 0..json.len() {
        let mut serializer = serde_json::Serializer::new(Full(room));
        match transcode(&mut ubjson::Deserializer::from_slice(&document), &mut serializer) {
            Err(TranscodeError::Write(error)) => {
                assert_eq!(
                    error.io_error_kind(),
                    Some(io::ErrorKind::StorageFull),
                    "room for {room}"
                );
            }
            other => panic!("room for {room}: {other:?}"),
        }
    }
    // This crate's writer gets whole blocks.
    let long = format!("[[[\"{}\"]]]", "long".repeat(10_000));
    let mut serializer = ubjson::Serializer::new(Full(100));
    match transcode(&mut serde_json::Deserializer::from_str(&long), &mut serializer) {
        Err(TranscodeError::Write(error)) => assert_eq!(error.io_error_kind(), Some(io::ErrorKind::StorageFull)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn limits_of_both_sides_are_held() {
    let deep = "[".repeat(100) + &"]".repeat(100);
    let mut serializer = ubjson::Serializer::with_vec(Vec::new(), &Config::new().max_depth(99));
    match transcode(&mut serde_json::Deserializer::from_str(&deep), &mut serializer) {
        Err(TranscodeError::Write(error)) => assert_eq!(error.kind(), ErrorKind::Depth),
        other => panic!("{other:?}"),
    }
    let document = from_json(&deep, &Config::new());
    let mut deserializer = de::Config::new().max_depth(99).deserializer_from_slice(&document);
    match transcode(&mut deserializer, &mut serde_json::Serializer::new(io::sink())) {
        Err(TranscodeError::Read(error)) => assert_eq!(error.kind(), ErrorKind::Depth),
        other => panic!("{other:?}"),
    }
    let nan = b"[[d\x7f\xc0\0\0]]";
    let config = Config::new().non_finite(ubjson::ser::NonFinite::Error);
    let mut serializer = ubjson::Serializer::with_vec(Vec::new(), &config);
    match transcode(&mut ubjson::Deserializer::from_slice(nan), &mut serializer) {
        Err(TranscodeError::Write(error)) => assert_eq!(error.kind(), ErrorKind::Data),
        other => panic!("{other:?}"),
    }
}

#[test]
fn documents_follow_each_other() {
    let stream = b"[T]Ni\x05Si\x01a";
    let mut deserializer = ubjson::Deserializer::from_reader(&stream[..]);
    let mut texts = Vec::new();
    for _ in 0..3 {
        let mut text = Vec::new();
        transcode(&mut deserializer, &mut serde_json::Serializer::new(&mut text)).unwrap();
        texts.push(String::from_utf8(text).unwrap());
    }
    deserializer.end().unwrap();
    assert_eq!(texts, ["[true]", "5", "\"a\""]);
}

#[test]
fn errors_of_one_kind_need_no_telling_apart() {
    fn copy(bytes: &[u8]) -> ubjson::Result<Vec<u8>> {
        let mut serializer = ubjson::Serializer::with_vec(Vec::new(), &Config::new());
        transcode(&mut ubjson::Deserializer::from_slice(bytes), &mut serializer)?;
        Ok(serializer.into_vec())
    }
    assert_eq!(copy(b"T").unwrap(), b"T");
    assert!(copy(b"[T").unwrap_err().is_eof());
}

#[test]
fn a_struct_can_be_the_target_of_its_own_text() {
    // Through `Serialize` types that ask for a serializer's form.
    #[derive(Serialize)]
    struct Row<'a> {
        name: &'a str,
        bytes: &'a Bytes,
    }
    let bytes = ubjson::to_vec(&Row {
        name: "a",
        bytes: Bytes::new(&[1, 2]),
    })
    .unwrap();
    assert_eq!(to_json(&bytes), r#"{"name":"a","bytes":[1,2]}"#);
}

#[test]
fn options_of_other_formats_are_the_value_or_null() {
    use serde::de::IntoDeserializer;
    use serde::de::value::{Error, U8Deserializer};

    let write = |option: Marked<U8Deserializer<Error>>| {
        let mut serializer = ubjson::Serializer::with_vec(Vec::new(), &PLAIN());
        transcode(option, &mut serializer).unwrap();
        serializer.into_vec()
    };
    assert_eq!(write(Marked::There(5_u8.into_deserializer())), b"i\x05");
    assert_eq!(write(Marked::NotThere), b"Z");
}

#[test]
fn an_error_is_shown_as_that_of_the_side_that_failed() {
    use std::error::Error;
    use std::fmt;

    #[derive(Debug)]
    struct Outer(fmt::Error);

    impl fmt::Display for Outer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("the outer error")
        }
    }

    impl Error for Outer {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&self.0)
        }
    }

    type Failed = TranscodeError<Outer, Outer>;
    for failed in [Failed::Read(Outer(fmt::Error)), Failed::Write(Outer(fmt::Error))] {
        assert_eq!(failed.to_string(), "the outer error");
        assert_eq!(failed.source().unwrap().to_string(), fmt::Error.to_string());
    }
}

#[test]
fn a_number_is_what_serde_json_hands_over_as_one_and_no_map_of_the_document() {
    use serde::de::value::{Error, MapDeserializer};

    const NUMBER: &str = "$serde_json::private::Number";
    for (text, bytes) in [
        ("5", &b"i\x05"[..]),
        ("-5", b"i\xfb"),
        ("0.5", b"D\x3f\xe0\0\0\0\0\0\0"),
    ] {
        // With a text of its own, as `serde_json` with exact numbers does.
        let handed_over = MapDeserializer::<_, Error>::new([(NUMBER, text.to_owned())].into_iter());
        let mut serializer = ubjson::Serializer::with_vec(Vec::new(), &PLAIN());
        transcode(handed_over, &mut serializer).unwrap();
        assert_eq!(serializer.into_vec(), bytes, "{text}");

        let map = from_json(&format!(r#"{{"{NUMBER}":"{text}"}}"#), &PLAIN());
        let len = char::from(u8::try_from(text.len()).unwrap());
        assert_eq!(map, format!("{{i\x1c{NUMBER}Si{len}{text}}}").as_bytes(), "{text}");
    }
}
