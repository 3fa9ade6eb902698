//! Every error: its kind, its offset and its text in one table, and what an `Error` can do.
#![cfg(feature = "std")]

mod common;

use std::collections::{BTreeMap, HashSet};
use std::error::Error as _;
use std::fmt;
use std::io::{self, Cursor, Read, Seek, SeekFrom};

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Serialize, Serializer};
use ubjson::ser::{Containers, Lengths, NonFinite};
use ubjson::{Error, ErrorKind, de, from_reader, from_seekable, from_slice, ser, to_vec, to_writer};

use common::readers::Failing;

type Row = (fn() -> Error, ErrorKind, Option<u64>, &'static str);

/// The error of reading a `T` from `bytes`.
fn read<T: DeserializeOwned>(bytes: &[u8]) -> Error {
    from_slice::<T>(bytes).map(drop).unwrap_err()
}

fn skip(bytes: &[u8]) -> Error {
    read::<IgnoredAny>(bytes)
}

fn write<T: Serialize>(value: &T) -> Error {
    to_vec(value).unwrap_err()
}

/// Counts are written as int32, whatever they are.
fn write_counted<T: Serialize>(value: &T) -> Error {
    ser::Config::new()
        .containers(Containers::Counted)
        .counts(Lengths::Int32)
        .to_vec(value)
        .unwrap_err()
}

#[derive(Debug, Deserialize, PartialEq)]
struct Point {
    x: u8,
    y: u8,
}

#[derive(Debug, Deserialize, PartialEq)]
enum Choice {
    A,
    B(u8),
}

/// Announces a number of elements and delivers another.
struct Lie(usize, usize);

impl Serialize for Lie {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.0))?;
        for element in 0..self.1 {
            seq.serialize_element(&element)?;
        }
        seq.end()
    }
}

/// A map key for which nobody wrote a value.
struct NoValue;

impl Serialize for NoValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_key("key")?;
        map.end()
    }
}

/// A map value for which nobody wrote a key.
struct NoKey;

impl Serialize for NoKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_value(&1)?;
        map.end()
    }
}

/// A map key behind a map key.
struct TwoKeys;

impl Serialize for TwoKeys {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_key("first")?;
        map.serialize_key("second")?;
        map.serialize_value(&1)?;
        map.end()
    }
}

#[derive(Debug)]
struct Cause;

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the line is dead")
    }
}

impl std::error::Error for Cause {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&Deeper)
    }
}

#[derive(Debug)]
struct Deeper;

impl fmt::Display for Deeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the cable is cut")
    }
}

impl std::error::Error for Deeper {}

fn line_is_dead() -> io::Error {
    io::Error::new(io::ErrorKind::ConnectionReset, Cause)
}

/// Goes one byte further back than it was told.
struct Slips(Cursor<&'static [u8]>);

impl Read for Slips {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.0.read(buf)
    }
}

impl Seek for Slips {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::Current(distance) if distance < 0 => self.0.seek(SeekFrom::Current(distance - 1)),
            to => self.0.seek(to),
        }
    }
}

/// Cannot write.
struct Full;

impl io::Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::new(io::ErrorKind::StorageFull, "the disk is full"))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

const INTEGER: &str = "an integer marker (`i`, `U`, `I`, `l` or `L`)";

#[rustfmt::skip]
const TABLE: &[Row] = &[
    // Where the input ends.
    (|| skip(b""), ErrorKind::Eof, Some(0), "unexpected end of input at byte 0"),
    (|| skip(b"NN"), ErrorKind::Eof, Some(2), "unexpected end of input at byte 2"),
    (|| skip(b"{i\x05ab"), ErrorKind::Eof, Some(5), "unexpected end of input at byte 5"),
    // Where a value is due.
    (|| skip(b"]"), ErrorKind::Marker, Some(0), "unexpected marker `]`, expected a value at byte 0"),
    (|| skip(b"\x00"), ErrorKind::Marker, Some(0), "unexpected marker 0x00, expected a value at byte 0"),
    (|| skip(b"`"), ErrorKind::Marker, Some(0), "unexpected marker 0x60, expected a value at byte 0"),
    (|| skip(b"{i\x01a}"), ErrorKind::Marker, Some(4), "unexpected marker `}`, expected a value at byte 4"),
    (|| skip(b"[i\x01x]"), ErrorKind::Marker, Some(3), "unexpected marker `x`, expected a value at byte 3"),
    // Other file types.
    (|| skip(b"\x1f\x8b\x08"), ErrorKind::Marker, Some(0),
        "unexpected marker 0x1f, expected a value at byte 0 (looks like gzip data; decompress it first)"),
    (|| skip(b"\xef\xbb\xbf{}"), ErrorKind::Marker, Some(0),
        "unexpected marker 0xef, expected a value at byte 0 (looks like text with a byte order mark)"),
    (|| skip(b"o\x01s"), ErrorKind::Marker, Some(0),
        "unexpected marker `o`, expected a value at byte 0 (looks like UBJSON draft 8 or older, which is another format)"),
    (|| skip(b"a\x01s"), ErrorKind::Marker, Some(0),
        "unexpected marker `a`, expected a value at byte 0 (looks like UBJSON draft 8 or older, which is another format)"),
    (|| skip(b"u\xff\xff"), ErrorKind::Marker, Some(0),
        "unexpected marker `u`, expected a value at byte 0 (looks like a marker of BJData, which is another format)"),
    (|| skip(b"[i\x01m"), ErrorKind::Marker, Some(3),
        "unexpected marker `m`, expected a value at byte 3 (looks like a marker of BJData, which is another format)"),
    (|| skip(b"\"text\""), ErrorKind::Marker, Some(0),
        "unexpected marker `\"`, expected a value at byte 0 (looks like JSON text)"),
    (|| skip(b"-1"), ErrorKind::Marker, Some(0),
        "unexpected marker `-`, expected a value at byte 0 (looks like JSON text)"),
    (|| skip(b"\n{}"), ErrorKind::Marker, Some(0),
        "unexpected marker 0x0a, expected a value at byte 0 (looks like JSON text)"),
    (|| skip(b"[1,2]"), ErrorKind::Marker, Some(1),
        "unexpected marker `1`, expected a value at byte 1 (looks like JSON text)"),
    (|| skip(b"{\"a\":1}"), ErrorKind::Length, Some(1),
        "unexpected byte `\"`, expected a key (its length, without `S`) or `}` at byte 1 (looks like JSON text)"),
    (|| skip(b"[{\"a\":1}]"), ErrorKind::Length, Some(2),
        "unexpected byte `\"`, expected a key (its length, without `S`) or `}` at byte 2 (looks like JSON text)"),
    (|| skip(b"null"), ErrorKind::Marker, Some(0),
        "unexpected marker `n`, expected a value at byte 0 (looks like JSON text)"),
    (|| skip(b"{Si\x01aZ}"), ErrorKind::Length, Some(1),
        "unexpected byte `S`, expected a key (its length, without `S`) or `}` at byte 1 \
         (looks like a key written as UBJSON draft 9 or older does)"),
    (|| skip(b"[$U#[i\x02i\x02]"), ErrorKind::Length, Some(4),
        "unexpected byte `[`, expected an integer marker (`i`, `U`, `I`, `l` or `L`) for the count of a container at byte 4 \
         (looks like an array header of BJData or JSONLab, which are other formats)"),
    // Lengths, counts and keys.
    (|| skip(b"Sx"), ErrorKind::Length, Some(1),
        "unexpected byte `x`, expected an integer marker (`i`, `U`, `I`, `l` or `L`) for the length of a string at byte 1"),
    (|| skip(b"Hd"), ErrorKind::Length, Some(1),
        "unexpected byte `d`, expected an integer marker (`i`, `U`, `I`, `l` or `L`) for the length of a high-precision number \
         at byte 1"),
    (|| skip(b"[#Z"), ErrorKind::Length, Some(2),
        "unexpected byte `Z`, expected an integer marker (`i`, `U`, `I`, `l` or `L`) for the count of a container at byte 2"),
    (|| skip(b"{#i\x01}"), ErrorKind::Length, Some(4),
        "unexpected byte `}`, expected an integer marker (`i`, `U`, `I`, `l` or `L`) for the length of a key at byte 4"),
    (|| skip(b"{]"), ErrorKind::Length, Some(1),
        "unexpected byte `]`, expected a key (its length, without `S`) or `}` at byte 1"),
    (|| skip(b"Sl\xff\xff\xff\xfe"), ErrorKind::Length, Some(1),
        "negative length -2, expected a length or count of 0 or more at byte 1"),
    (|| skip(b"[$i#i\xff"), ErrorKind::Length, Some(4),
        "negative length -1, expected a length or count of 0 or more at byte 4"),
    // Payloads.
    (|| skip(b"Si\x02a\xff"), ErrorKind::Utf8, Some(3), "invalid UTF-8 in a string or key at byte 3"),
    (|| skip(b"{i\x01\xffZ}"), ErrorKind::Utf8, Some(3), "invalid UTF-8 in a string or key at byte 3"),
    (|| skip(b"C\x80"), ErrorKind::Char, Some(1), "invalid char 0x80, expected 0 to 127 at byte 1"),
    (|| skip(b"Hi\x021."), ErrorKind::Number, Some(3),
        "invalid high-precision number, expected the text of a JSON number at byte 3"),
    (|| read::<f64>(b"Hi\x051e400"), ErrorKind::Number, Some(3),
        "number out of range for every Rust number type asked for at byte 3"),
    // Behind the value.
    (|| skip(b"TNF"), ErrorKind::Trailing, Some(2), "trailing byte `F`, expected the end of the input at byte 2"),
    (|| skip(b"T\xff"), ErrorKind::Trailing, Some(1), "trailing byte 0xff, expected the end of the input at byte 1"),
    // Headers and limits.
    (|| skip(b"[$N#i\x01"), ErrorKind::ContainerHeader, Some(2),
        "unexpected container type `N`, expected the marker of a value at byte 2"),
    (|| skip(b"[$i]"), ErrorKind::ContainerHeader, Some(3),
        "unexpected byte `]`, expected `#` and a count behind the container type at byte 3"),
    (|| de::Config::new().max_depth(2).from_slice::<IgnoredAny>(b"[[[]]]").unwrap_err(), ErrorKind::Depth, Some(2),
        "containers nested deeper than the limit of 2 levels at byte 2"),
    (|| de::Config::new().max_empty_elements(5).from_slice::<IgnoredAny>(b"[[$Z#i\x03[$T#i\x04]").unwrap_err(),
        ErrorKind::Budget, Some(11), "4 elements without payload, expected at most 2 more in this document at byte 11"),
    // Well-formed, but not what the type wants.
    (|| read::<bool>(b"i\x01"), ErrorKind::Data, Some(0), "invalid type: integer `1`, expected a boolean at byte 0"),
    (|| read::<Vec<u8>>(b"[i\x01I\x01\x2c]"), ErrorKind::Data, Some(3),
        "invalid value: integer `300`, expected u8 at byte 3"),
    (|| read::<Vec<u8>>(b"[$I#i\x02\0\x01\x01\x2c"), ErrorKind::Data, Some(8),
        "invalid value: integer `300`, expected u8 at byte 8"),
    (|| read::<Point>(b"{i\x01xi\x01}"), ErrorKind::Data, Some(0), "missing field `y` at byte 0"),
    (|| read::<BTreeMap<u8, u8>>(b"{i\x01xi\x01}"), ErrorKind::Data, Some(3),
        "invalid type: string \"x\", expected u8 at byte 3"),
    (|| read::<(u8,)>(b"[i\x01i\x02]"), ErrorKind::Data, Some(3), "more elements in the container than the type takes at byte 3"),
    (|| read::<(u8, u8)>(b"[i\x01]"), ErrorKind::Data, Some(0), "invalid length 1, expected a tuple of size 2 at byte 0"),
    (|| read::<Choice>(b"Si\x01C"), ErrorKind::Data, Some(0), "unknown variant `C`, expected `A` or `B` at byte 0"),
    (|| read::<Choice>(b"{i\x01Bi\x01i\x01Ai\x01}"), ErrorKind::Data, Some(8),
        "more than one key, expected an enum's variant alone at byte 8"),
    (|| read::<Choice>(b"{}"), ErrorKind::Data, Some(0), "an empty object, expected an enum's variant as its key at byte 0"),
    // What cannot be written.
    (|| write(&Lie(3, 2)), ErrorKind::Data, None, "a container announced 3 elements and got 2"),
    (|| write(&Lie(2, 3)), ErrorKind::Data, None, "a container announced 2 elements and got 3"),
    (|| write(&BTreeMap::from([([1], 1)])), ErrorKind::Data, None, "key must be a string"),
    (|| write(&NoKey), ErrorKind::Data, None, "a map value came without a key"),
    (|| write(&NoValue), ErrorKind::Data, None, "a map key came without a value"),
    (|| write(&TwoKeys), ErrorKind::Data, None, "a map key came without a value"),
    (|| write_counted(&Lie(1 << 31, 0)), ErrorKind::Data, None,
        "length 2147483648 is more than the length profile can express"),
    (|| ser::Config::new().non_finite(NonFinite::Error).to_vec(&f32::NAN).unwrap_err(), ErrorKind::Data, None,
        "non-finite float, expected a finite number"),
    (|| ser::Config::new().max_depth(1).to_vec(&[[1]]).unwrap_err(), ErrorKind::Depth, None,
        "containers nested deeper than the limit of 1 levels"),
    // Readers and writers.
    (|| from_reader::<_, IgnoredAny>(Failing::new(b"[Z", line_is_dead)).unwrap_err(), ErrorKind::Io, Some(2),
        "the line is dead at byte 2"),
    (|| from_seekable::<_, IgnoredAny>(Slips(Cursor::new(b"ZZZ"))).unwrap_err(), ErrorKind::Io, Some(1),
        "seeking back over unread bytes went to position 0, expected 1 at byte 1"),
    (|| to_writer(Full, &1).unwrap_err(), ErrorKind::Io, None, "the disk is full"),
];

#[test]
fn every_error_has_its_kind_offset_and_text() {
    for (error, kind, offset, text) in TABLE {
        let error = error();
        assert_eq!(
            (error.kind(), error.offset(), error.to_string().as_str()),
            (*kind, *offset, *text)
        );
        assert_eq!(
            (error.is_eof(), error.is_io()),
            (*kind == ErrorKind::Eof, *kind == ErrorKind::Io),
            "{text}"
        );
    }
}

#[test]
fn the_table_has_every_kind() {
    let kinds: HashSet<ErrorKind> = TABLE.iter().map(|(_, kind, ..)| *kind).collect();
    assert_eq!(kinds.len(), 12);
}

#[test]
fn texts_start_in_lower_case_and_end_without_a_full_stop() {
    for (error, ..) in TABLE {
        let text = error().to_string();
        assert!(
            text.starts_with(|first: char| first.is_ascii_lowercase() || first.is_ascii_digit()),
            "{text}"
        );
        assert!(!text.ends_with('.'), "{text}");
    }
}

#[test]
fn lengths_name_the_markers_that_may_stand_there() {
    for bytes in [&b"SZ"[..], b"HZ", b"[#Z", b"{#i\x01Z"] {
        assert!(skip(bytes).to_string().contains(INTEGER), "{bytes:?}");
    }
}

#[test]
fn an_error_is_as_large_as_a_pointer_and_goes_everywhere() {
    fn goes_everywhere<T: Send + Sync + std::error::Error + 'static>() {}
    goes_everywhere::<Error>();
    assert_eq!(size_of::<Error>(), size_of::<usize>());
    assert_eq!(size_of::<Result<(), Error>>(), size_of::<usize>());
}

#[test]
fn debug_output_names_what_went_wrong() {
    let text = format!("{:?}", skip(b"]"));
    assert!(
        text.contains("Marker") && text.contains('0') && text.contains("expected a value"),
        "{text}"
    );
}

#[test]
fn io_errors_keep_their_kind_and_source() {
    let errors = [
        from_reader::<_, IgnoredAny>(Failing::new(b"[Z", line_is_dead)).unwrap_err(),
        from_reader::<_, String>(Failing::new(b"Si\x05ab", line_is_dead)).unwrap_err(),
        from_reader::<_, String>(Failing::new(b"Sl\0\x0f\0\0ab", line_is_dead)).unwrap_err(),
    ];
    for error in errors {
        assert!(error.is_io() && !error.is_eof());
        assert_eq!(error.io_error_kind(), Some(io::ErrorKind::ConnectionReset));
        // The text is the I/O error's own, so the source is what lies below it.
        assert!(error.to_string().starts_with("the line is dead"), "{error}");
        assert_eq!(error.source().unwrap().to_string(), "the cable is cut");
    }
}

#[test]
fn other_errors_have_no_source_and_no_io_kind() {
    for error in [skip(b""), skip(b"]"), write(&Lie(1, 0))] {
        assert!(error.source().is_none(), "{error}");
        assert_eq!(error.io_error_kind(), None, "{error}");
    }
}

#[test]
fn io_errors_come_out_as_they_went_in() {
    let error = from_reader::<_, IgnoredAny>(Failing::new(b"[", line_is_dead)).unwrap_err();
    let error = io::Error::from(error);
    assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
    assert!(error.get_ref().unwrap().is::<Cause>());
}

#[test]
fn a_seek_that_lands_elsewhere_is_an_io_error_of_no_other_kind() {
    let error = || from_seekable::<_, IgnoredAny>(Slips(Cursor::new(b"ZZZ"))).unwrap_err();
    assert_eq!(error().io_error_kind(), Some(io::ErrorKind::Other));
    let around = io::Error::from(error());
    assert_eq!(around.kind(), io::ErrorKind::Other);
    let back = Error::from(around);
    assert_eq!(
        (back.kind(), back.offset(), back.to_string()),
        (ErrorKind::Io, Some(1), error().to_string())
    );
}

#[test]
fn other_errors_become_io_errors_around_them() {
    let kind = |error: Error| {
        let text = error.to_string();
        let error = io::Error::from(error);
        assert_eq!(error.to_string(), text);
        assert_eq!(
            error.get_ref().unwrap().downcast_ref::<Error>().unwrap().to_string(),
            text
        );
        error.kind()
    };
    assert_eq!(kind(skip(b"[")), io::ErrorKind::UnexpectedEof);
    assert_eq!(kind(skip(b"]")), io::ErrorKind::InvalidData);
    assert_eq!(kind(read::<bool>(b"Z")), io::ErrorKind::InvalidData);
    assert_eq!(kind(write(&Lie(1, 0))), io::ErrorKind::InvalidData);
}

#[test]
fn a_question_mark_turns_an_error_into_an_io_error() {
    fn read() -> io::Result<u8> {
        Ok(from_reader(&b"U"[..])?)
    }
    assert_eq!(read().unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
}

#[test]
fn messages_of_types_get_the_offset_of_their_value() {
    #[derive(Debug, Deserialize)]
    #[serde(try_from = "u8")]
    struct Even(#[allow(dead_code, reason = "only its refusals matter")] u8);

    impl TryFrom<u8> for Even {
        type Error = String;

        fn try_from(number: u8) -> Result<Self, String> {
            if number % 2 == 0 {
                Ok(Even(number))
            } else {
                Err(format!("{number} is odd"))
            }
        }
    }
    let error = read::<(u8, Vec<Even>)>(b"[i\x01[i\x02i\x03]]");
    assert_eq!(
        (error.kind(), error.to_string().split(" at byte").next()),
        (ErrorKind::Data, Some("3 is odd"))
    );
    assert!(
        error.offset().is_some_and(|offset| (3..=6).contains(&offset)),
        "{error}"
    );
}

#[test]
fn a_value_in_memory_refuses_what_bytes_do() {
    fn assert_refused<T: Serialize>(value: &T) {
        let error = ubjson::to_value(value).unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string()),
            (ErrorKind::Data, write(value).to_string())
        );
    }
    assert_refused(&NoKey);
    assert_refused(&NoValue);
    assert_refused(&TwoKeys);
    assert_refused(&Lie(2, 3));
}
