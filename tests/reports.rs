//! What went wrong in other libraries, after public bug reports: each case of `tests/vectors/reports.jsonl` is a test
//! of its name here, or stands in the list of those that belong to parts of the crate that are not there yet.
#![cfg(feature = "std")]

mod common;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Cursor, Read};

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_bytes::{ByteBuf, Bytes};
use ubjson::ser::{Config, Containers, Integers, Lengths, NonFinite};
use ubjson::{Error, ErrorKind, de, from_reader, from_seekable, from_slice, to_vec, to_writer};

use common::doc::Doc;
use common::readers::{Chunked, Exact, SeekFails};
use common::sources::Source;
use common::vectors::{parse, report_bytes, reports};
use common::{from_hex, grammar, to_hex};

/// The cases without a test here, and where they are shown.
const ELSEWHERE: [(&str, &str); 6] = [
    (
        "typed-writer-mixed-width",
        "the typed form of two numbers is longer than the plain one: DESIGN holds, tests/auto.rs",
    ),
    ("borrowed-str-reader", "a compile_fail example of `from_reader`"),
    ("reader-speed", "benches/rows.rs and benches/stream.rs"),
    (
        "error-path",
        "needs serde_path_to_error; data errors carry an offset, tests/errors.rs",
    ),
    ("event-api", "tests/pull.rs"),
    ("slow-owned-strings", "benches/strings.rs"),
];

#[test]
fn every_report_has_a_test_or_a_reason() {
    let reports = reports();
    assert_eq!(reports.len(), 105);
    for report in reports {
        let test = format!("#[test]\nfn {}() {{", report.id.replace('-', "_"));
        let tested = include_str!("reports.rs").contains(&test);
        let elsewhere = ELSEWHERE.iter().any(|(id, _)| *id == report.id);
        assert!(
            tested != elsewhere,
            "{}: tested {tested}, elsewhere {elsewhere}",
            report.id
        );
    }
}

/// The case reads as `json` from every source, and can be skipped.
#[track_caller]
fn reads(id: &str, json: &str) {
    let (bytes, expected) = (report_bytes(id), parse(json));
    for source in Source::ALL {
        assert_eq!(source.read::<Doc>(&bytes).result.as_ref(), Ok(&expected), "{source:?}");
        assert!(source.read::<IgnoredAny>(&bytes).result.is_ok(), "{source:?}, skipped");
    }
}

/// The case is the same error from every source, read and skipped; the error of the slice.
#[track_caller]
fn fails(id: &str, kind: ErrorKind, offset: impl Into<Option<u64>>) -> Error {
    let (bytes, offset) = (report_bytes(id), offset.into());
    for source in Source::ALL {
        let read = source.read::<Doc>(&bytes).result.unwrap_err();
        let skipped = source.read::<IgnoredAny>(&bytes).result.unwrap_err();
        assert_eq!(read.kind, kind, "{source:?}: {read:?}");
        assert!(offset.is_none() || read.offset == offset, "{source:?}: {read:?}");
        assert_eq!(read, skipped, "{source:?}");
    }
    from_slice::<Doc>(&bytes).unwrap_err()
}

/// The bytes of a case as the type `T`.
#[track_caller]
fn typed<T: serde::de::DeserializeOwned>(id: &str) -> T {
    from_slice(&report_bytes(id)).unwrap()
}

#[track_caller]
fn data_error<T: serde::de::DeserializeOwned>(id: &str) -> String {
    let error = from_slice::<T>(&report_bytes(id)).map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Data, "{error}");
    assert!(error.offset().is_some(), "{error}");
    error.to_string()
}

#[track_caller]
fn writes<T: Serialize + ?Sized>(value: &T, hex: &str) {
    assert_eq!(to_hex(&plain().to_vec(value).unwrap()), hex);
}

fn plain() -> Config {
    Config::new().containers(Containers::Plain)
}

#[test]
fn null_bomb_int32() {
    fails("null-bomb-int32", ErrorKind::Budget, None);
    let bytes = report_bytes("null-bomb-int32");
    assert_eq!(from_slice::<Vec<()>>(&bytes).unwrap_err().kind(), ErrorKind::Budget);
    assert_eq!(
        from_reader::<_, Vec<Option<u8>>>(&bytes[..]).unwrap_err().kind(),
        ErrorKind::Budget
    );
}

#[test]
fn count_max_no_alloc() {
    fails("count-max-no-alloc", ErrorKind::Eof, 11);
    let bytes = report_bytes("count-max-no-alloc");
    assert!(from_slice::<Vec<u64>>(&bytes).unwrap_err().is_eof());
    assert!(from_reader::<_, Vec<u64>>(&bytes[..]).unwrap_err().is_eof());
}

#[test]
fn string_len_max_no_alloc() {
    fails("string-len-max-no-alloc", ErrorKind::Eof, 10);
    let bytes = report_bytes("string-len-max-no-alloc");
    assert!(from_slice::<String>(&bytes).unwrap_err().is_eof());
    assert!(from_reader::<_, String>(&bytes[..]).unwrap_err().is_eof());
}

#[test]
fn key_len_negative() {
    fails("key-len-negative", ErrorKind::Length, 1);
}

#[test]
fn highprec_len_negative() {
    fails("highprec-len-negative", ErrorKind::Length, 1);
}

#[test]
fn count_negative() {
    fails("count-negative", ErrorKind::Length, 2);
}

#[test]
fn count_negative_typed_object() {
    fails("count-negative-typed-object", ErrorKind::Length, 4);
}

#[test]
fn depth_typed_arrays() {
    fails("depth-typed-arrays", ErrorKind::Depth, None);
}

#[test]
fn depth_objects() {
    fails("depth-objects", ErrorKind::Depth, None);
}

#[test]
fn stray_close_object() {
    fails("stray-close-object", ErrorKind::Marker, 0);
}

#[test]
fn object_closed_by_bracket() {
    fails("object-closed-by-bracket", ErrorKind::Length, 1);
}

#[test]
fn truncated_object() {
    assert!(fails("truncated-object", ErrorKind::Eof, 5).is_eof());
    let bytes = report_bytes("truncated-object");
    for len in 0..bytes.len() {
        let error = from_slice::<BTreeMap<String, bool>>(&bytes[..len]).unwrap_err();
        assert_eq!((error.is_eof(), error.offset()), (true, Some(len as u64)), "{error}");
    }
}

#[test]
fn empty_input() {
    assert!(fails("empty-input", ErrorKind::Eof, 0).is_eof());
}

#[test]
fn zero_count_in_array() {
    reads("zero-count-in-array", "[[],1]");
}

#[test]
fn array_of_arrays_typed() {
    reads("array-of-arrays-typed", "[[1,2,3],[4,5,6]]");
    assert_eq!(typed::<Vec<Vec<i32>>>("array-of-arrays-typed"), [[1, 2, 3], [4, 5, 6]]);
    assert_eq!(typed::<[[u8; 3]; 2]>("array-of-arrays-typed"), [[1, 2, 3], [4, 5, 6]]);
}

#[test]
fn array_of_plain_arrays_typed() {
    reads("array-of-plain-arrays-typed", "[[1],[2]]");
    assert_eq!(typed::<Vec<Vec<i32>>>("array-of-plain-arrays-typed"), [[1], [2]]);
}

#[test]
fn typed_strings() {
    reads("typed-strings", r#"["a","b"]"#);
    assert_eq!(
        from_slice::<Vec<&str>>(&report_bytes("typed-strings")).unwrap(),
        ["a", "b"]
    );
}

#[test]
fn typed_highprec() {
    reads("typed-highprec", "[1,23]");
    assert_eq!(typed::<(u8, f32)>("typed-highprec"), (1, 23.0));
}

#[test]
fn typed_chars() {
    reads("typed-chars", r#"["h","i"]"#);
    assert_eq!(typed::<Vec<char>>("typed-chars"), ['h', 'i']);
    data_error::<String>("typed-chars");
}

#[test]
fn count_before_type() {
    fails("count-before-type", ErrorKind::Marker, 4);
}

#[test]
fn count_char() {
    fails("count-char", ErrorKind::Length, 2);
}

#[test]
fn noop_as_length() {
    fails("noop-as-length", ErrorKind::Length, 1);
}

#[test]
fn count_too_high() {
    fails("count-too-high", ErrorKind::Marker, 6);
}

#[test]
fn end_marker_after_count() {
    let bytes = report_bytes("end-marker-after-count");
    let error = from_slice::<Vec<u8>>(&bytes).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Trailing, Some(6)));
}

#[test]
fn noop_in_array() {
    reads("noop-in-array", r#"["foo","bar","baz"]"#);
}

#[test]
fn noop_not_counted() {
    reads("noop-not-counted", "[1,2]");
    assert_eq!(typed::<[u8; 2]>("noop-not-counted"), [1, 2]);
}

#[test]
fn noop_in_counted_object() {
    reads("noop-in-counted-object", r#"{"a":1,"b":2}"#);
}

#[test]
fn noop_leading_top_level() {
    reads("noop-leading-top-level", "true");
}

#[test]
fn noop_trailing_top_level() {
    reads("noop-trailing-top-level", "true");
    let bytes = report_bytes("noop-trailing-top-level");
    let mut reader = Exact::new(&bytes[..1], usize::MAX);
    assert!(from_reader::<_, bool>(&mut reader).unwrap());
}

#[test]
fn typed_noop_array() {
    fails("typed-noop-array", ErrorKind::ContainerHeader, 2);
}

#[test]
fn typed_noop_object() {
    fails("typed-noop-object", ErrorKind::ContainerHeader, 2);
}

#[test]
fn key_with_s_marker() {
    let error = fails("key-with-s-marker", ErrorKind::Length, 1);
    assert!(error.to_string().contains("draft 9"), "{error}");
}

#[test]
fn key_as_char() {
    let error = fails("key-as-char", ErrorKind::Length, 1);
    assert!(error.to_string().contains("draft 9"), "{error}");
}

#[test]
fn char_above_127() {
    fails("char-above-127", ErrorKind::Char, 1);
}

#[test]
fn char_as_string() {
    #[derive(Debug, Deserialize, PartialEq)]
    enum Letter {
        #[serde(rename = "a")]
        A,
    }
    reads("char-as-string", r#""a""#);
    let bytes = report_bytes("char-as-string");
    assert_eq!(from_slice::<String>(&bytes).unwrap(), "a");
    assert_eq!(from_slice::<char>(&bytes).unwrap(), 'a');
    assert_eq!(from_slice::<Letter>(&bytes).unwrap(), Letter::A);
    let text: &str = from_slice(&bytes).unwrap();
    assert_eq!((text, text.as_ptr()), ("a", bytes[1..].as_ptr()));
    assert_eq!(from_slice::<Cow<'_, str>>(&bytes).unwrap(), "a");
    assert_eq!(from_reader::<_, String>(&bytes[..]).unwrap(), "a");
    assert_eq!(from_reader::<_, char>(&bytes[..]).unwrap(), 'a');
    assert_eq!(from_reader::<_, Letter>(&bytes[..]).unwrap(), Letter::A);
}

#[test]
fn string_length_in_bytes() {
    reads("string-length-in-bytes", r#""привет""#);
    writes("привет", &to_hex(&report_bytes("string-length-in-bytes")));
}

#[test]
fn invalid_utf8_overlong() {
    fails("invalid-utf8-overlong", ErrorKind::Utf8, 3);
    let bytes = report_bytes("invalid-utf8-overlong");
    assert_eq!(from_slice::<ByteBuf>(&bytes).unwrap(), [0xc0, 0xae]);
    assert_eq!(from_slice::<&[u8]>(&bytes).unwrap(), [0xc0, 0xae]);
    assert_eq!(from_reader::<_, ByteBuf>(&bytes[..]).unwrap(), [0xc0, 0xae]);
}

#[test]
fn invalid_utf8_surrogate() {
    fails("invalid-utf8-surrogate", ErrorKind::Utf8, 3);
}

#[test]
fn invalid_utf8_key() {
    fails("invalid-utf8-key", ErrorKind::Utf8, 3);
}

#[test]
fn invalid_utf8_lossy() {
    fails("invalid-utf8-lossy", ErrorKind::Utf8, 10);
    let bytes = report_bytes("invalid-utf8-lossy");
    for source in Source::ALL {
        let outcome = source.read_with::<Doc>(de::Config::new().lossy_utf8(true), &bytes);
        assert_eq!(outcome.result, Ok(parse("{\"name\":\"\u{fffd}\"}")), "{source:?}");
    }
}

#[test]
fn duplicate_keys() {
    #[derive(Debug, Deserialize)]
    struct Strict {
        #[serde(rename = "a")]
        _a: u8,
    }
    reads("duplicate-keys", r#"{"a":2}"#);
    assert_eq!(
        typed::<HashMap<String, u8>>("duplicate-keys"),
        HashMap::from([("a".to_owned(), 2)])
    );
    assert!(data_error::<Strict>("duplicate-keys").starts_with("duplicate field `a`"));
}

#[test]
fn key_order() {
    #[derive(Serialize)]
    struct Unordered {
        b: u8,
        a: u8,
        c: u8,
    }
    writes(&Unordered { b: 1, a: 2, c: 3 }, "7b6901626901690161690269016369037d");
}

#[test]
fn int_beyond_int32() {
    assert_eq!(to_vec(&4_782_345_193_u64).unwrap(), from_hex("4c000000011d0ccbe9"));
}

#[test]
fn int_nonminimal() {
    reads("int-nonminimal", "127");
    assert_eq!(typed::<i8>("int-nonminimal"), 127);
    assert_eq!(typed::<u128>("int-nonminimal"), 127);
}

#[test]
fn int16_device() {
    reads("int16-device", r#"{"vol":300}"#);
}

#[test]
fn i64_low_word_sign() {
    reads("i64-low-word-sign", "2147483648");
}

#[test]
fn i64_marker_missing() {
    assert_eq!(
        to_vec(&0x0123_4567_89ab_cdef_i64).unwrap(),
        from_hex("4c0123456789abcdef")
    );
}

#[test]
fn u64_above_i64() {
    let bytes = from_hex("4869143138343436373434303733373039353531363135");
    assert_eq!(to_vec(&u64::MAX).unwrap(), bytes);
    assert_eq!(from_slice::<u64>(&bytes).unwrap(), u64::MAX);
    assert_eq!(from_slice::<u128>(&bytes).unwrap(), u128::from(u64::MAX));
}

#[test]
fn u64_highprec_decode() {
    reads("u64-highprec-decode", "18446744073709551615");
    assert_eq!(typed::<u64>("u64-highprec-decode"), u64::MAX);
    assert_eq!(typed::<u128>("u64-highprec-decode"), u128::from(u64::MAX));
    assert_eq!(typed::<i128>("u64-highprec-decode"), i128::from(u64::MAX));
    from_slice::<i64>(&report_bytes("u64-highprec-decode")).unwrap_err();
}

#[test]
fn i128_highprec() {
    reads(
        "i128-highprec",
        r#"{"$int":"-170141183460469231731687303715884105728"}"#,
    );
    assert_eq!(typed::<i128>("i128-highprec"), i128::MIN);
    from_slice::<i64>(&report_bytes("i128-highprec")).unwrap_err();
    writes(&i128::MIN, &to_hex(&report_bytes("i128-highprec")));
    writes(&300_i128, "49012c");
    writes(&300_u128, "49012c");
}

#[test]
fn highprec_exact() {
    assert_eq!(typed::<f64>("highprec-exact"), std::f64::consts::PI);
    assert_eq!(typed::<f32>("highprec-exact"), std::f32::consts::PI);
}

#[test]
fn highprec_spec_example_invalid() {
    fails("highprec-spec-example-invalid", ErrorKind::Number, 3);
}

#[test]
fn highprec_overflow() {
    let bytes = report_bytes("highprec-overflow");
    for source in Source::ALL {
        let failure = source.read::<f64>(&bytes).result.unwrap_err();
        assert_eq!(failure.kind, ErrorKind::Number, "{failure:?}");
        assert_eq!(source.read::<Doc>(&bytes).result.unwrap_err(), failure);
        assert!(source.read::<IgnoredAny>(&bytes).result.is_ok());
    }
    let failure = from_slice::<f32>(&bytes).unwrap_err();
    assert_eq!(failure.kind(), ErrorKind::Number);
}

#[test]
fn highprec_trailing_dot() {
    fails("highprec-trailing-dot", ErrorKind::Number, 3);
}

#[test]
fn highprec_leading_zero() {
    fails("highprec-leading-zero", ErrorKind::Number, 3);
}

#[test]
fn highprec_no_magic_map() {
    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(tag = "type")]
    enum Tagged {
        A { v: f64 },
    }
    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(untagged)]
    enum Untagged {
        Map(BTreeMap<String, u8>),
        Number(f64),
    }
    #[derive(Debug, Deserialize, PartialEq)]
    struct Flat {
        #[serde(flatten)]
        rest: BTreeMap<String, Untagged>,
    }
    assert_eq!(typed::<Tagged>("highprec-no-magic-map"), Tagged::A { v: 0.5 });
    assert_eq!(from_slice::<Untagged>(b"Hi\x030.5").unwrap(), Untagged::Number(0.5));
    let flat = Flat {
        rest: BTreeMap::from([("v".to_owned(), Untagged::Number(0.5))]),
    };
    assert_eq!(from_slice::<Flat>(b"{i\x01vHi\x030.5}").unwrap(), flat);
}

#[test]
fn nan_encode() {
    assert_eq!(to_vec(&f64::NAN).unwrap(), from_hex("447ff8000000000000"));
    assert_eq!(plain().non_finite(NonFinite::Null).to_vec(&f64::NAN).unwrap(), b"Z");
    let error = plain().non_finite(NonFinite::Error).to_vec(&f64::NAN).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Data);
}

#[test]
fn nan_decode_null() {
    assert!(typed::<f64>("nan-decode-null").is_nan());
    assert!(typed::<f32>("nan-decode-null").is_nan());
    assert_eq!(typed::<Option<f64>>("nan-decode-null"), None);
    data_error::<i32>("nan-decode-null");
}

#[test]
fn nan_bits_in_ubjson() {
    reads("nan-bits-in-ubjson", r#"{"$float":"nan"}"#);
    assert!(typed::<f32>("nan-bits-in-ubjson").is_nan());
    assert!(typed::<f64>("nan-bits-in-ubjson").is_nan());
}

#[test]
fn f32_stays_f32() {
    assert_eq!(to_vec(&0.1_f32).unwrap(), from_hex("643dcccccd"));
    assert_eq!(to_vec(&0.1_f64).unwrap(), from_hex("443fb999999999999a"));
    let compact = Config::new().compact_floats(true);
    assert_eq!(compact.to_vec(&0.5_f64).unwrap(), from_hex("643f000000"));
    assert_eq!(compact.to_vec(&0.1_f64).unwrap(), from_hex("443fb999999999999a"));
}

#[test]
fn f32_decode_as_f64() {
    reads("f32-decode-as-f64", "0.10000000149011612");
    assert_eq!(typed::<f32>("f32-decode-as-f64"), 0.1);
}

#[test]
fn too_big_into_u8() {
    assert!(data_error::<u8>("too-big-into-u8").starts_with("invalid value: integer `300`, expected u8"));
}

#[test]
fn float_into_int() {
    assert!(data_error::<u16>("float-into-int").starts_with("invalid type: floating point `21010.0`, expected u16"));
}

#[test]
fn option_unit() {
    assert_eq!(typed::<Option<()>>("option-unit"), None);
    typed::<()>("option-unit");
    writes(&(), "5a");
    writes(&Some(()), "5a");
    writes(&None::<()>, "5a");
}

#[test]
fn unit_struct() {
    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    struct Unit;
    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    struct Newtype(Unit);
    writes(&Unit, "5a");
    assert_eq!(typed::<Unit>("unit-struct"), Unit);
    assert_eq!(typed::<Newtype>("unit-struct"), Newtype(Unit));
    writes(&(Unit, 1), "5b5a69015d");
    assert_eq!(from_slice::<(Unit, u8)>(b"[Zi\x01]").unwrap(), (Unit, 1));
}

#[test]
fn bytes_into_vec_u8() {
    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(untagged)]
    enum Untagged {
        Bytes(ByteBuf),
    }
    #[derive(Debug, Deserialize, PartialEq)]
    struct Blob {
        v: Vec<u8>,
        b: ByteBuf,
    }
    #[derive(Debug, Deserialize, PartialEq)]
    struct Flat {
        #[serde(flatten)]
        blob: Blob,
    }
    let bytes = report_bytes("bytes-into-vec-u8");
    reads("bytes-into-vec-u8", "[1,2,255]");
    assert_eq!(typed::<Vec<u8>>("bytes-into-vec-u8"), [1, 2, 255]);
    assert_eq!(typed::<[u8; 3]>("bytes-into-vec-u8"), [1, 2, 255]);
    assert_eq!(typed::<ByteBuf>("bytes-into-vec-u8"), [1, 2, 255]);
    assert_eq!(*typed::<Box<[u8]>>("bytes-into-vec-u8"), [1, 2, 255]);
    assert_eq!(typed::<(u8, u8, u8)>("bytes-into-vec-u8"), (1, 2, 255));
    let borrowed: &[u8] = from_slice(&bytes).unwrap();
    assert_eq!((borrowed, borrowed.as_ptr()), (&[1, 2, 255][..], bytes[6..].as_ptr()));
    assert_eq!(
        typed::<Untagged>("bytes-into-vec-u8"),
        Untagged::Bytes(ByteBuf::from([1, 2, 255]))
    );
    let flat = [b"{i\x01v", &bytes[..], b"i\x01b", &bytes[..], b"}"].concat();
    let blob = Blob {
        v: vec![1, 2, 255],
        b: ByteBuf::from([1, 2, 255]),
    };
    assert_eq!(from_slice::<Flat>(&flat).unwrap(), Flat { blob });
}

#[test]
fn vec_u8_encoding() {
    assert_eq!(to_vec(Bytes::new(&[1, 2, 3])).unwrap(), from_hex("5b2455236903010203"));
}

#[test]
fn borrowed_str_slice() {
    #[derive(Deserialize)]
    struct S<'a> {
        s: &'a str,
    }
    #[derive(Deserialize)]
    struct C<'a> {
        #[serde(borrow)]
        s: Cow<'a, str>,
    }
    let bytes = report_bytes("borrowed-str-slice");
    let s = from_slice::<S<'_>>(&bytes).unwrap().s;
    assert_eq!((s, s.as_ptr()), ("hi", bytes[7..].as_ptr()));
    assert!(matches!(from_slice::<C<'_>>(&bytes).unwrap().s, Cow::Borrowed("hi")));
}

#[test]
fn enum_by_name() {
    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    enum E {
        B(String),
        A(String),
    }
    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    enum Unit {
        B,
        A,
    }
    assert_eq!(typed::<E>("enum-by-name"), E::A("x".to_owned()));
    writes(&E::A("x".to_owned()), "7b690141536901787d");
    writes(&E::B("x".to_owned()), "7b690142536901787d");
    writes(&Unit::A, "53690141");
    assert_eq!(
        from_slice::<[Unit; 2]>(b"[Si\x01ASi\x01B]").unwrap(),
        [Unit::A, Unit::B]
    );
}

#[test]
fn internally_tagged() {
    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    #[serde(tag = "kind", rename_all = "lowercase")]
    enum Tagged {
        First { n: i32 },
    }
    assert_eq!(typed::<Tagged>("internally-tagged"), Tagged::First { n: 1 });
    writes(&Tagged::First { n: 1 }, &to_hex(&report_bytes("internally-tagged")));
}

#[test]
fn struct_from_seq() {
    #[derive(Debug, Deserialize, PartialEq)]
    struct P {
        x: i32,
        y: i32,
    }
    assert_eq!(typed::<P>("struct-from-seq"), P { x: 1, y: 2 });
}

#[test]
fn flatten_u128() {
    #[derive(Debug, Deserialize, PartialEq)]
    struct Plain {
        a: u128,
    }
    #[derive(Debug, Deserialize, PartialEq)]
    struct Small {
        a: u64,
    }
    #[derive(Debug, Deserialize, PartialEq)]
    struct Flat<T> {
        #[serde(flatten)]
        inner: T,
    }
    assert_eq!(typed::<Plain>("flatten-u128"), Plain { a: u128::MAX });
    // serde's buffer knows no integer of 128 bits, whatever its value.
    data_error::<Flat<Plain>>("flatten-u128");
    assert_eq!(
        from_slice::<Flat<Plain>>(b"{i\x01ai\x01}").unwrap_err().kind(),
        ErrorKind::Data
    );
    let small = Flat {
        inner: Small { a: u64::MAX },
    };
    assert_eq!(
        from_slice::<Flat<Small>>(b"{i\x01aHi\x1418446744073709551615}").unwrap(),
        small
    );
    data_error::<Flat<Small>>("flatten-u128");
}

#[test]
fn map_int_keys() {
    writes(&BTreeMap::from([(1_u32, 2_u8)]), "7b69013169027d");
    writes(&BTreeMap::from([(i8::MIN, 2_u8)]), "7b69042d31323869027d");
    writes(
        &BTreeMap::from([(u128::MAX, 2_u8)]),
        &format!("7b6927{}69027d", to_hex(u128::MAX.to_string().as_bytes())),
    );
    assert_eq!(
        from_slice::<BTreeMap<u32, u8>>(b"{i\x011i\x02}").unwrap(),
        BTreeMap::from([(1, 2)])
    );
    let huge = BTreeMap::from([(u128::MAX, 2_u8), (0, 1)]);
    assert_eq!(from_slice::<BTreeMap<u128, u8>>(&to_vec(&huge).unwrap()).unwrap(), huge);
}

#[test]
fn map_int_key_leading_zero() {
    assert!(serde_json::from_str::<BTreeMap<u32, u8>>(r#"{"00":0}"#).is_err());
    data_error::<BTreeMap<u32, u8>>("map-int-key-leading-zero");
}

#[test]
fn map_bool_keys() {
    assert_eq!(typed::<HashMap<bool, u8>>("map-bool-keys"), HashMap::from([(true, 1)]));
    writes(&HashMap::from([(true, 1)]), &to_hex(&report_bytes("map-bool-keys")));
}

#[test]
fn map_enum_keys() {
    #[derive(Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
    enum Color {
        Red,
        Mixed(u8),
    }
    #[derive(Eq, Ord, PartialEq, PartialOrd, Serialize)]
    struct Point {
        x: u8,
    }
    writes(&BTreeMap::from([(Color::Red, 1)]), "7b690352656469017d");
    let key = |error: Error| (error.kind(), error.to_string().starts_with("key must be a string"));
    let refused = (ErrorKind::Data, true);
    assert_eq!(
        key(to_vec(&BTreeMap::from([(Color::Mixed(1), 1)])).unwrap_err()),
        refused
    );
    assert_eq!(
        key(to_vec(&BTreeMap::from([(Point { x: 1 }, 1)])).unwrap_err()),
        refused
    );
    assert_eq!(key(to_vec(&BTreeMap::from([(vec![1], 1)])).unwrap_err()), refused);
    assert_eq!(
        key(to_vec(&BTreeMap::from([(BTreeMap::from([(1, 1)]), 1)])).unwrap_err()),
        refused
    );
}

#[test]
fn skip_if_unknown_length() {
    #[derive(Serialize)]
    struct Inner {
        b: u8,
    }
    #[derive(Serialize)]
    struct Outer {
        a: u8,
        #[serde(flatten)]
        inner: Inner,
    }
    let outer = Outer {
        a: 1,
        inner: Inner { b: 2 },
    };
    for containers in [Containers::Plain, Containers::Counted, Containers::Auto] {
        let bytes = Config::new().containers(containers).to_vec(&outer).unwrap();
        assert_eq!(to_hex(&bytes), "7b690161690169016269027d", "{containers:?}");
    }
}

#[test]
fn typed_needs_count_api() {
    for containers in [Containers::Plain, Containers::Counted, Containers::Auto] {
        let bytes = Config::new()
            .containers(containers)
            .to_vec(&[[1, 2, 3], [1, 2, 300]])
            .unwrap();
        assert_eq!(grammar::document(&bytes), Ok(()), "{containers:?}");
        assert_eq!(
            from_slice::<Doc>(&bytes).unwrap(),
            parse("[[1,2,3],[1,2,300]]"),
            "{containers:?}"
        );
    }
}

#[test]
fn deserialize_any() {
    let kinds: [&[u8]; 12] = [
        b"Z",
        b"T",
        b"i\x01",
        b"L\x7f\xff\xff\xff\xff\xff\xff\xff",
        b"d\0\0\0\0",
        b"Hi\x030.5",
        b"Cx",
        b"Si\x02xy",
        b"[$U#i\x02\x01\x02",
        b"[i\x01Si\x01x]",
        b"{i\x01xZ}",
        b"{$i#i\x01i\x01x\x01",
    ];
    for bytes in kinds {
        for hint in hints::ALL {
            for result in [
                hints::read(hint, bytes, Source::Slice),
                hints::read(hint, bytes, Source::Reader(1)),
            ] {
                assert!(
                    matches!(result, Ok(()) | Err(ErrorKind::Data)),
                    "{hint} of {bytes:?}: {result:?}"
                );
            }
        }
    }
}

/// Every method of serde's `Deserializer`, with a visitor that takes whatever comes.
mod hints {
    use std::cell::Cell;
    use std::fmt;

    use serde::de::{Deserialize, Deserializer, EnumAccess, IgnoredAny, MapAccess, SeqAccess, VariantAccess, Visitor};
    use ubjson::ErrorKind;

    use super::common::sources::Source;

    pub(super) const ALL: [&str; 30] = [
        "any",
        "bool",
        "i8",
        "i16",
        "i32",
        "i64",
        "i128",
        "u8",
        "u16",
        "u32",
        "u64",
        "u128",
        "f32",
        "f64",
        "char",
        "str",
        "string",
        "bytes",
        "byte_buf",
        "option",
        "unit",
        "unit_struct",
        "newtype_struct",
        "seq",
        "tuple",
        "tuple_struct",
        "map",
        "struct",
        "enum",
        "identifier",
    ];

    thread_local! {
        static HINT: Cell<&'static str> = const { Cell::new("any") };
    }

    pub(super) fn read(hint: &'static str, bytes: &[u8], source: Source) -> Result<(), ErrorKind> {
        HINT.set(hint);
        source
            .read::<Hinted>(bytes)
            .result
            .map(|Hinted| ())
            .map_err(|failure| failure.kind)
    }

    struct Hinted;

    impl<'de> Deserialize<'de> for Hinted {
        fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
            match HINT.get() {
                "any" => d.deserialize_any(Anything),
                "bool" => d.deserialize_bool(Anything),
                "i8" => d.deserialize_i8(Anything),
                "i16" => d.deserialize_i16(Anything),
                "i32" => d.deserialize_i32(Anything),
                "i64" => d.deserialize_i64(Anything),
                "i128" => d.deserialize_i128(Anything),
                "u8" => d.deserialize_u8(Anything),
                "u16" => d.deserialize_u16(Anything),
                "u32" => d.deserialize_u32(Anything),
                "u64" => d.deserialize_u64(Anything),
                "u128" => d.deserialize_u128(Anything),
                "f32" => d.deserialize_f32(Anything),
                "f64" => d.deserialize_f64(Anything),
                "char" => d.deserialize_char(Anything),
                "str" => d.deserialize_str(Anything),
                "string" => d.deserialize_string(Anything),
                "bytes" => d.deserialize_bytes(Anything),
                "byte_buf" => d.deserialize_byte_buf(Anything),
                "option" => d.deserialize_option(Anything),
                "unit" => d.deserialize_unit(Anything),
                "unit_struct" => d.deserialize_unit_struct("Name", Anything),
                "newtype_struct" => d.deserialize_newtype_struct("Name", Anything),
                "seq" => d.deserialize_seq(Anything),
                "tuple" => d.deserialize_tuple(2, Anything),
                "tuple_struct" => d.deserialize_tuple_struct("Name", 2, Anything),
                "map" => d.deserialize_map(Anything),
                "struct" => d.deserialize_struct("Name", &["x"], Anything),
                "enum" => d.deserialize_enum("Name", &["x", "xy"], Anything),
                "identifier" => d.deserialize_identifier(Anything),
                hint => unreachable!("{hint}"),
            }
        }
    }

    struct Anything;

    impl<'de> Visitor<'de> for Anything {
        type Value = Hinted;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("anything")
        }

        fn visit_bool<E>(self, _: bool) -> Result<Hinted, E> {
            Ok(Hinted)
        }

        fn visit_i64<E>(self, _: i64) -> Result<Hinted, E> {
            Ok(Hinted)
        }

        fn visit_u64<E>(self, _: u64) -> Result<Hinted, E> {
            Ok(Hinted)
        }

        fn visit_i128<E>(self, _: i128) -> Result<Hinted, E> {
            Ok(Hinted)
        }

        fn visit_u128<E>(self, _: u128) -> Result<Hinted, E> {
            Ok(Hinted)
        }

        fn visit_f64<E>(self, _: f64) -> Result<Hinted, E> {
            Ok(Hinted)
        }

        fn visit_str<E>(self, _: &str) -> Result<Hinted, E> {
            Ok(Hinted)
        }

        fn visit_bytes<E>(self, _: &[u8]) -> Result<Hinted, E> {
            Ok(Hinted)
        }

        fn visit_unit<E>(self) -> Result<Hinted, E> {
            Ok(Hinted)
        }

        fn visit_none<E>(self) -> Result<Hinted, E> {
            Ok(Hinted)
        }

        fn visit_some<D: Deserializer<'de>>(self, d: D) -> Result<Hinted, D::Error> {
            IgnoredAny::deserialize(d).map(|_| Hinted)
        }

        fn visit_newtype_struct<D: Deserializer<'de>>(self, d: D) -> Result<Hinted, D::Error> {
            IgnoredAny::deserialize(d).map(|_| Hinted)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Hinted, A::Error> {
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            Ok(Hinted)
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Hinted, A::Error> {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok(Hinted)
        }

        fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Hinted, A::Error> {
            let (IgnoredAny, variant) = data.variant()?;
            variant.newtype_variant::<IgnoredAny>().map(|_| Hinted)
        }
    }
}

#[test]
fn reader_overread() {
    let bytes = report_bytes("reader-overread");
    let mut reader = Chunked::new(&bytes, usize::MAX);
    assert_eq!(from_reader::<_, String>(&mut reader).unwrap(), "a");
    assert_eq!(reader.position(), 4);
    assert_eq!(from_reader::<_, String>(&mut reader).unwrap(), "b");
}

#[test]
fn seekable_seek_back() {
    let bytes = report_bytes("seekable-seek-back");
    let mut reader = Cursor::new(&bytes);
    assert_eq!(from_seekable::<_, String>(&mut reader).unwrap(), "a");
    assert_eq!(reader.position(), 4);
    let failing = SeekFails::new(Cursor::new(&bytes), || io::ErrorKind::PermissionDenied.into());
    let error = from_seekable::<_, String>(failing).unwrap_err();
    assert_eq!(error.io_error_kind(), Some(io::ErrorKind::PermissionDenied));
}

#[test]
fn reader_no_eof_needed() {
    let bytes = report_bytes("reader-no-eof-needed");
    let value: BTreeMap<String, bool> = from_reader(Exact::new(&bytes, usize::MAX)).unwrap();
    assert_eq!(value, BTreeMap::from([("a".to_owned(), true)]));
}

#[test]
fn reader_short_reads() {
    reads("reader-short-reads", r#"["abc",1.5]"#);
    let bytes = report_bytes("reader-short-reads");
    let broken = (&bytes[..5]).chain(common::readers::Failing::new(b"", || {
        io::ErrorKind::ConnectionReset.into()
    }));
    let error = from_reader::<_, (String, f64)>(broken).unwrap_err();
    assert_eq!(error.io_error_kind(), Some(io::ErrorKind::ConnectionReset));
}

#[test]
fn writer_many_small_writes() {
    struct Writes(u64);
    impl io::Write for Writes {
        fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
            self.0 += 1;
            Ok(buf.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut writes = Writes(0);
    to_writer(&mut writes, &vec![("a", 1, true); 10]).unwrap();
    assert_eq!(writes.0, 1);
}

#[test]
fn error_first_byte() {
    let error = fails("error-first-byte", ErrorKind::Marker, 0);
    assert!(error.to_string().contains("`b`"), "{error}");
}

#[test]
fn xgb_shape() {
    let json =
        r#"{"learner":{"attributes":{},"feature_names":[],"tree":[0.5,-1.0],"default_left":[0,1]},"version":[3,2,0]}"#;
    reads("xgb-shape", json);
}

#[test]
fn xgb_u8_array_as_numbers() {
    reads("xgb-u8-array-as-numbers", "[3,3]");
    assert_eq!(typed::<ByteBuf>("xgb-u8-array-as-numbers"), [3, 3]);
}

#[test]
fn peppi_writer_compat() {
    let value = BTreeMap::from([("a", 1_i32)]);
    let config = plain().integers(Integers::Declared);
    assert_eq!(
        to_hex(&config.lengths(Lengths::Uint8First).to_vec(&value).unwrap()),
        "7b5501616c000000017d"
    );
    assert_eq!(
        to_hex(&config.lengths(Lengths::Smallest).to_vec(&value).unwrap()),
        "7b6901616c000000017d"
    );
}

#[test]
fn slp_minimal() {
    #[derive(Deserialize)]
    struct Replay<'a> {
        #[serde(with = "serde_bytes")]
        raw: &'a [u8],
        metadata: BTreeMap<String, i32>,
    }
    reads("slp-minimal", r#"{"raw":[53,4,54,0],"metadata":{"lastFrame":-1}}"#);
    let bytes = report_bytes("slp-minimal");
    let replay: Replay<'_> = from_slice(&bytes).unwrap();
    assert_eq!(
        (replay.raw, replay.raw.as_ptr()),
        (&[53, 4, 54, 0][..], bytes[15..].as_ptr())
    );
    assert_eq!(replay.metadata["lastFrame"], -1);
}

#[test]
fn slp_in_progress() {
    fails("slp-in-progress", ErrorKind::Length, 15);
}

#[test]
fn slp_extra_keys() {
    #[derive(Deserialize)]
    struct Replay {
        raw: Vec<u8>,
    }
    let json = r#"{"raw":[],"metadata":{},"notes":{"count":1,"imageDataOffsets":[],"imageCompressedData":[]}}"#;
    reads("slp-extra-keys", json);
    assert!(typed::<Replay>("slp-extra-keys").raw.is_empty());
}

#[test]
fn slp_utf16_length() {
    fails("slp-utf16-length", ErrorKind::Length, 19);
}

#[test]
fn draft8_file() {
    let error = fails("draft8-file", ErrorKind::Marker, 0);
    assert!(error.to_string().contains("draft 8"), "{error}");
}

#[test]
fn jsonlab_ndarray_in_ubj() {
    let error = fails("jsonlab-ndarray-in-ubj", ErrorKind::Length, 4);
    assert!(error.to_string().contains("JSONLab"), "{error}");
}

#[test]
fn bj_marker_in_ubjson() {
    let error = fails("bj-marker-in-ubjson", ErrorKind::Marker, 0);
    assert!(error.to_string().contains("BJData"), "{error}");
}

#[test]
fn typed_writer_wrong_type() {
    let long = [1_i64 << 40, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    let bytes = ubjson::to_vec(&[1_i64 << 40; 4]).unwrap();
    assert_eq!(bytes[..6], *b"[$L#i\x04");
    assert_eq!(
        from_slice::<Vec<i64>>(&ubjson::to_vec(&long[..]).unwrap()).unwrap(),
        long
    );
    assert_eq!(ubjson::to_vec(&[0.1_f64; 4]).unwrap()[..6], *b"[$D#i\x04");
    assert_eq!(ubjson::to_vec(&[0.1_f32; 4]).unwrap()[..6], *b"[$d#i\x04");
}

#[test]
fn stream_two_docs() {
    let bytes = report_bytes("stream-two-docs");
    let mut stream = ubjson::Deserializer::from_reader(&bytes[..]).into_iter::<Option<bool>>();
    let read: Vec<_> = stream.by_ref().map(Result::unwrap).collect();
    assert_eq!(read, [Some(true), Some(false), None]);
    assert!(stream.next().is_none());
}

#[test]
fn raw_value() {
    #[derive(serde::Deserialize, Serialize)]
    struct Message {
        id: u8,
        p: ubjson::RawValue,
    }

    let bytes = report_bytes("raw-value");
    let message: Message = from_slice(&bytes).unwrap();
    assert_eq!(to_hex(message.p.as_bytes()), "5b24552369020102");
    assert_eq!(ubjson::to_vec(&message).unwrap(), bytes);
}

#[test]
fn typed_array_bulk() {
    let bytes = report_bytes("typed-array-bulk");
    assert_eq!(from_slice::<Vec<f64>>(&bytes).unwrap(), [1.0, -2.5]);
    assert_eq!(
        from_slice::<ubjson::packed::Packed<Vec<f64>>>(&bytes).unwrap().0,
        [1.0, -2.5]
    );
}
