//! Whatever looks at the bytes, it says the same of whether they are valid, where they end, and what is wrong.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use ubjson::pull::{Reader, Token};
use ubjson::{DocumentLen, DocumentScanner, ErrorKind, RawRef, Serializer, TranscodeError, Value, de, ser, transcode};

use super::{Failure, configs};
use crate::grammar;

/// Where the first document ends.
type Verdict = Result<usize, Failure>;

pub(super) fn agree(bytes: &[u8]) {
    agree_with_grammar(bytes);
    for config in configs() {
        agree_with(config, bytes);
        agree_with(config.lossy_utf8(true), bytes);
    }
}

/// The tests' own recogniser, which shares no code with the crate.
fn agree_with_grammar(bytes: &[u8]) {
    match (prefix::<IgnoredAny>(de::Config::new(), bytes), grammar::value(bytes)) {
        (Ok(end), Ok(extent)) => assert_eq!(end, extent.end),
        (Err(error), Err(fault)) => {
            assert_eq!(kind_name(error.kind), fault.kind, "{fault:?}");
            let offset = fault.offset.map(|offset| offset as u64);
            assert!(offset.is_none() || error.offset == offset, "{error:?}, not {fault:?}");
        }
        (crate_says, grammar_says) => panic!("{crate_says:?}, the grammar says {grammar_says:?}"),
    }
}

fn kind_name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Eof => "eof",
        ErrorKind::Marker => "marker",
        ErrorKind::Length => "length",
        ErrorKind::Utf8 => "utf8",
        ErrorKind::Char => "char",
        ErrorKind::Number => "number",
        ErrorKind::ContainerHeader => "container-header",
        ErrorKind::Depth => "depth",
        ErrorKind::Budget => "budget",
        _ => "none of the grammar's",
    }
}

fn agree_with(config: de::Config, bytes: &[u8]) {
    let verdict = prefix::<IgnoredAny>(config, bytes);
    assert_eq!(prefix::<Value>(config, bytes), verdict, "Value");
    assert_eq!(raw(config, bytes), verdict, "RawRef");
    assert_pulled(pull(config, bytes, false), verdict);
    assert_pulled(pull(config, bytes, true), verdict);
    assert_pulled(pull_skipping(config, bytes), verdict);
    assert_eq!(transcoding(config, bytes), verdict, "transcoding");
    assert_eq!(elements(config, bytes), verdict, "elements");
    assert_eq!(
        scanned(config, bytes),
        verdict.map_err(|error| (error.kind != ErrorKind::Eof).then_some(error))
    );
    // A type that takes numbers of 128 bits at most has one more thing to find fault with.
    match prefix::<Any>(config, bytes) {
        Err(error) if error.kind == ErrorKind::Number => {}
        read => assert_eq!(read, verdict, "any type"),
    }
}

/// The pull reader reads texts piece by piece, so it may find one that is no text before it finds that the rest of it
/// is missing.
fn assert_pulled(pulled: Verdict, verdict: Verdict) {
    match (pulled, verdict) {
        (Err(pulled), Err(error)) if pulled.kind == ErrorKind::Utf8 && error.kind == ErrorKind::Eof => {}
        _ => assert_eq!(pulled, verdict, "pull reader"),
    }
}

fn prefix<'de, T: Deserialize<'de>>(config: de::Config, bytes: &'de [u8]) -> Verdict {
    let (_, rest) = config.from_slice_prefix::<T>(bytes)?;
    Ok(bytes.len() - rest.len())
}

fn raw(config: de::Config, bytes: &[u8]) -> Verdict {
    let (raw, rest) = config.from_slice_prefix::<RawRef<'_>>(bytes)?;
    let end = bytes.len() - rest.len();
    let start = bytes.iter().take_while(|byte| **byte == b'N').count();
    assert_eq!(raw.as_bytes(), &bytes[start..end]);
    Ok(end)
}

/// Every token, each within the ones before and behind it. A third of the texts is read whole, the others in pieces or
/// not at all.
fn pull(config: de::Config, bytes: &[u8], in_pieces: bool) -> Verdict {
    let mut reader = Reader::from(config.deserializer_from_slice(bytes));
    let mut end = 0;
    let mut number = 0_usize;
    while let Some(event) = reader.next_event()? {
        assert!(
            end <= event.offset && event.offset <= event.end,
            "{event:?} behind {end}"
        );
        end = event.end;
        number += 1;
        let token = event.token;
        match token {
            Token::String(_) if number % 3 == 0 => {
                let text = reader.text()?.into_string();
                assert!(text.len() <= 3 * bytes.len());
                end = reader.byte_offset();
            }
            Token::String(_) if in_pieces => {
                while reader.text_chunk()?.is_some() {}
                end = reader.byte_offset();
            }
            Token::Array(header) if header.element.is_some() && number % 2 == 0 => {
                while reader.packed_chunk()?.is_some() {}
                end = reader.byte_offset();
            }
            _ => {}
        }
    }
    assert_eq!(reader.depth(), 0);
    Ok(usize::try_from(reader.byte_offset()).expect("an offset within the bytes"))
}

/// Every third value is passed over.
fn pull_skipping(config: de::Config, bytes: &[u8]) -> Verdict {
    let mut reader = Reader::from(config.deserializer_from_slice(bytes));
    let mut number = 0_usize;
    loop {
        number += 1;
        if number % 3 == 0 {
            reader.skip_value()?;
        } else if reader.next_event()?.is_none() {
            return Ok(usize::try_from(reader.byte_offset()).expect("an offset within the bytes"));
        }
    }
}

/// What is written of a valid document is as valid.
fn transcoding(config: de::Config, bytes: &[u8]) -> Verdict {
    let mut source = config.deserializer_from_slice(bytes);
    let mut target = Serializer::with_vec(Vec::new(), &ser::Config::new());
    match transcode(&mut source, &mut target) {
        Ok(()) => {
            let written = target.into_vec();
            assert_eq!(
                prefix::<IgnoredAny>(config, &written),
                Ok(written.len()),
                "{written:02x?}"
            );
            Ok(usize::try_from(source.byte_offset()).expect("an offset within the bytes"))
        }
        Err(TranscodeError::Read(error)) => Err(error.into()),
        Err(TranscodeError::Write(error)) => panic!("not writable: {error}"),
    }
}

/// Arrays one element after the other; other documents as they come.
fn elements(config: de::Config, bytes: &[u8]) -> Verdict {
    let mut deserializer = config.deserializer_from_slice(bytes);
    match deserializer.elements::<IgnoredAny>() {
        Ok(mut elements) => {
            for element in elements.by_ref() {
                element?;
            }
            elements.finish()?;
        }
        // Another document, which has been passed over.
        Err(error) if error.kind() == ErrorKind::Data => {}
        Err(error) => return Err(error.into()),
    }
    Ok(usize::try_from(deserializer.byte_offset()).expect("an offset within the bytes"))
}

/// The document's length; no error where more bytes are all that is missing.
fn scanned(config: de::Config, bytes: &[u8]) -> Result<usize, Option<Failure>> {
    match DocumentScanner::with_config(&config).scan(bytes) {
        Ok(DocumentLen::Complete(byte_len)) => Ok(byte_len),
        Ok(DocumentLen::Incomplete { missing }) => {
            assert!(missing > 0);
            Err(None)
        }
        Err(error) => Err(Some(error.into())),
    }
}

/// Takes whatever serde has.
struct Any;

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

macro_rules! visit {
    ($($visit:ident: $value:ty;)*) => {$(
        fn $visit<E>(self, _: $value) -> Result<Any, E> {
            Ok(Any)
        }
    )*};
}

impl<'de> Visitor<'de> for Any {
    type Value = Any;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    visit! {
        visit_bool: bool; visit_i64: i64; visit_u64: u64; visit_i128: i128; visit_u128: u128; visit_f64: f64;
        visit_str: &str; visit_bytes: &[u8];
    }

    fn visit_unit<E>(self) -> Result<Any, E> {
        Ok(Any)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Any, A::Error> {
        while seq.next_element::<Any>()?.is_some() {}
        Ok(Any)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Any, A::Error> {
        while map.next_entry::<IgnoredAny, Any>()?.is_some() {}
        Ok(Any)
    }
}
