//! Documents through `Value`: every vector, and the files of real programs, come out as they went in.
#![cfg(feature = "std")]

mod common;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;
use ubjson::pull::{Header, Length, Reader, Scalar, Token};
use ubjson::ser::{Config, Containers, Integers, Lengths};
use ubjson::{Marker, Value, from_slice};

use common::doc::Doc;
use common::sources::Source;
use common::vectors::{DecodeVector, Expected, decode_vectors};
use common::{grammar, to_hex};

const CONTAINERS: [Containers; 4] = [
    Containers::Auto,
    Containers::Counted,
    Containers::CountedArrays,
    Containers::Plain,
];
const LENGTHS: [Lengths; 4] = [Lengths::Smallest, Lengths::Uint8First, Lengths::Int32, Lengths::Int64];

/// The vectors that are one value, each cut behind it.
fn documents() -> impl Iterator<Item = DecodeVector> {
    decode_vectors().into_iter().filter_map(|mut vector| {
        if let Expected::Error { .. } | Expected::Bomb = vector.expected {
            return None;
        }
        let end = grammar::value(&vector.bytes).expect("a value").end;
        vector.bytes.truncate(end);
        Some(vector)
    })
}

/// What a document is made of, as the pull reader sees it: what a writer's options would have to say.
#[derive(Default)]
struct Form {
    lengths: Vec<Length>,
    counts: Vec<Length>,
    plain_arrays: bool,
    counted_arrays: bool,
    plain_objects: bool,
    counted_objects: bool,
    /// Something that no option asks for: no-ops, a typed container that is no array of numbers, a repeated key.
    inexpressible: bool,
}

impl Form {
    fn of(bytes: &[u8]) -> Form {
        let mut form = Form::default();
        let mut reader = Reader::from_slice(bytes);
        let mut keys = Vec::new();
        while let Some(event) = reader.next_event().expect("a valid document") {
            match event.token {
                Token::Scalar(_) => {}
                Token::HighPrecision(length, _) | Token::String(length) => form.lengths.push(length),
                Token::Key(length, key) => {
                    form.lengths.push(length);
                    let known: Option<&mut HashSet<String>> = keys.last_mut();
                    let is_new = known.is_some_and(|known| known.insert(key.as_str().to_owned()));
                    form.inexpressible |= !is_new;
                }
                Token::Array(header) => form.array(header),
                Token::Object(header) => {
                    form.object(header);
                    keys.push(HashSet::new());
                }
                Token::ObjectEnd => drop(keys.pop()),
                Token::ArrayEnd => {}
            }
        }
        form.inexpressible |= has_no_op(bytes);
        form
    }

    fn array(&mut self, header: Header) {
        self.counts.extend(header.count);
        match (header.element, header.count) {
            (Some(element), _) => self.inexpressible |= !is_number(element),
            (None, Some(_)) => self.counted_arrays = true,
            (None, None) => self.plain_arrays = true,
        }
    }

    fn object(&mut self, header: Header) {
        self.counts.extend(header.count);
        match (header.element, header.count) {
            (Some(_), _) => self.inexpressible = true,
            (None, Some(_)) => self.counted_objects = true,
            (None, None) => self.plain_objects = true,
        }
    }

    /// The options that express the document, if there are any.
    fn config(&self) -> Option<Config> {
        let containers = match (
            self.plain_arrays,
            self.counted_arrays,
            self.plain_objects,
            self.counted_objects,
        ) {
            (_, false, _, false) => Containers::Plain,
            (false, _, false, _) => Containers::Counted,
            (false, true, _, false) => Containers::CountedArrays,
            _ => return None,
        };
        if self.inexpressible {
            return None;
        }
        let profile = |lengths: &[Length]| {
            LENGTHS
                .into_iter()
                .find(|profile| lengths.iter().all(|length| written_by(*profile, *length)))
        };
        let config = Config::new().containers(containers).integers(Integers::Declared);
        Some(config.lengths(profile(&self.lengths)?).counts(profile(&self.counts)?))
    }
}

fn is_number(marker: Marker) -> bool {
    matches!(
        marker,
        Marker::Int8
            | Marker::Uint8
            | Marker::Int16
            | Marker::Int32
            | Marker::Int64
            | Marker::Float32
            | Marker::Float64
    )
}

/// Whether a profile writes this length in this way: the widths by hand from its documentation.
fn written_by(profile: Lengths, length: Length) -> bool {
    let marker = match (profile, length.value) {
        (Lengths::Int64, _) => Marker::Int64,
        (Lengths::Int32, 0..=0x7fff_ffff) => Marker::Int32,
        (Lengths::Smallest, 0..=127) => Marker::Int8,
        (Lengths::Smallest | Lengths::Uint8First, 0..=255) => Marker::Uint8,
        (Lengths::Smallest | Lengths::Uint8First, 0..=0x7fff) => Marker::Int16,
        (Lengths::Smallest | Lengths::Uint8First, 0..=0x7fff_ffff) => Marker::Int32,
        _ => return false,
    };
    length.marker == marker
}

/// Whether no-ops stand in a document: bytes that no event accounts for. What it is without them, the pull reader
/// says with one event less or more only in the offsets, so they are looked for there.
fn has_no_op(bytes: &[u8]) -> bool {
    let mut reader = Reader::from_slice(bytes);
    let mut end = 0;
    while let Some(event) = reader.next_event().expect("a valid document") {
        if event.offset != end {
            return true;
        }
        if let Token::String(_) = event.token {
            reader.text().expect("a text");
        }
        end = reader.byte_offset();
    }
    false
}

#[test]
fn every_vector_reads_to_its_value_from_every_source() {
    for vector in documents() {
        for source in Source::ALL {
            let context = format!("{} from {source:?}", vector.name);
            let read = source.read::<Value>(&vector.bytes);
            let value = read.result.unwrap_or_else(|failure| panic!("{context}: {failure:?}"));
            match &vector.expected {
                Expected::Value(expected) => {
                    assert_eq!(&Doc::deserialize(&value).expect(&context), expected, "{context}");
                }
                // What no Rust number holds, `Value` does.
                _ => assert!(Doc::deserialize(&value).is_err(), "{context}: {value:?}"),
            }
            if let Some(position) = read.position {
                assert_eq!(position, vector.bytes.len() as u64, "{context}");
            }
        }
    }
}

#[test]
fn every_refused_vector_is_refused_as_by_everybody_else() {
    let mut refused = 0;
    for vector in decode_vectors() {
        for source in Source::ALL {
            let Err(expected) = source.read::<IgnoredAny>(&vector.bytes).result else {
                continue;
            };
            refused += 1;
            let failure = source.read::<Value>(&vector.bytes).result.expect_err(&vector.name);
            let context = format!("{} from {source:?}", vector.name);
            assert_eq!(
                (failure.kind, failure.offset),
                (expected.kind, expected.offset),
                "{context}"
            );
        }
    }
    assert!(refused > 5000, "{refused}");
}

#[test]
fn every_vector_that_options_can_express_comes_out_as_it_went_in() {
    let (mut expressed, mut others) = (0, Vec::new());
    for vector in documents() {
        let value: Value = from_slice(&vector.bytes).expect(&vector.name);
        let Some(config) = Form::of(&vector.bytes).config() else {
            others.push(vector.name);
            continue;
        };
        let written = config.to_vec(&value).expect(&vector.name);
        assert_eq!(to_hex(&written), to_hex(&vector.bytes), "{}", vector.name);
        expressed += 1;
    }
    // As the vectors stand: enough of them, and none that gets lost unseen.
    assert_eq!((expressed, others.len()), (311, 146), "not expressed: {others:?}");
}

#[test]
fn every_vector_keeps_its_value_under_any_options() {
    for vector in documents() {
        let value: Value = from_slice(&vector.bytes).expect(&vector.name);
        let is_nan = format!("{value:?}").contains("NaN");
        for containers in CONTAINERS {
            for lengths in LENGTHS {
                for integers in [Integers::Smallest, Integers::Declared] {
                    let config = Config::new().containers(containers).lengths(lengths).integers(integers);
                    let bytes = config.compact_floats(true).to_vec(&value).expect(&vector.name);
                    let read: Value = from_slice(&bytes).expect(&vector.name);
                    let context = format!("{} under {config:?}", vector.name);
                    assert!(read == value || is_nan, "{context}: {read:?}, not {value:?}");
                }
            }
        }
    }
}

/// The files with this ending in a folder of the repository, or below the folder of files that are shared only.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("{} is not there; its files are not tested", folder.display());
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == ending))
        .collect();
    paths.sort();
    paths
}

#[test]
fn every_xgboost_model_comes_out_as_it_went_in() {
    let config = Config::new()
        .containers(Containers::CountedArrays)
        .lengths(Lengths::Int64)
        .counts(Lengths::Int64)
        .integers(Integers::Declared);
    let mut models = files("tests/data/xgboost", "ubj");
    assert_eq!(models.len(), 7);
    models.extend(files("../shared/corpus/xgboost", "ubj"));
    models.extend(files("../shared/corpus/xgboost/old", "ubj"));
    for path in models {
        let bytes = std::fs::read(&path).expect("a readable file");
        let value: Value = from_slice(&bytes).expect("a valid document");
        assert!(
            config.to_vec(&value).expect("a document") == bytes,
            "{}",
            path.display()
        );
        let from_file: Value = ubjson::from_reader(std::fs::File::open(&path).expect("a file")).expect("a document");
        assert!(
            config.to_vec(&from_file).expect("a document") == bytes,
            "{}",
            path.display()
        );
    }
}

#[test]
fn an_xgboost_model_equals_its_json() {
    for path in files("tests/data/xgboost", "ubj") {
        let value: Value = from_slice(&std::fs::read(&path).expect("a readable file")).expect("a valid document");
        let json = std::fs::read(path.with_extension("json")).expect("a readable file");
        let json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
        assert_same(&value, &json, &path);
    }
}

/// Compares with JSON of the same model: its floats are those of the model as float32.
fn assert_same(value: &Value, json: &serde_json::Value, path: &Path) {
    match json {
        serde_json::Value::Array(elements) => {
            let array = value.as_array().expect("an array");
            assert_eq!(array.len(), elements.len(), "{}", path.display());
            for (value, json) in array.iter().zip(elements) {
                assert_same(value, json, path);
            }
        }
        serde_json::Value::Object(members) => {
            let map = value.as_object().expect("an object");
            assert_eq!(map.len(), members.len(), "{}", path.display());
            for (key, json) in members {
                assert_same(&map[key.as_str()], json, path);
            }
        }
        serde_json::Value::Number(number) => {
            let (found, expected) = (value.as_f64(), number.as_f64().map(|value| value as f32));
            assert_eq!(found.map(|value| value as f32), expected, "{}", path.display());
        }
        serde_json::Value::String(text) => assert_eq!(value.as_str(), Some(text.as_str()), "{}", path.display()),
        serde_json::Value::Bool(flag) => assert!(
            value.as_bool() == Some(*flag) || value.as_u64() == Some(u64::from(*flag)),
            "{}",
            path.display()
        ),
        serde_json::Value::Null => assert!(value.is_null(), "{}", path.display()),
    }
}

#[test]
fn slippi_replays_keep_their_values_and_their_raw_bytes() {
    let mut replays = files("tests/data/slippi", "slp");
    replays.retain(|path| path.file_stem().is_some_and(|stem| stem == "replay"));
    assert_eq!(replays.len(), 1);
    let shared = files("../shared/corpus/slippi", "slp").into_iter();
    replays.extend(shared.filter(|path| path.file_stem().is_some_and(|stem| stem != "corrupt")));
    for path in replays {
        let bytes = std::fs::read(&path).expect("a readable file");
        let value: Value = from_slice(&bytes).expect("a valid document");
        let config = Config::new().lengths(Lengths::Uint8First).counts(Lengths::Int32);
        let config = config.containers(Containers::Plain).integers(Integers::Declared);
        assert!(
            config.to_vec(&value).expect("a document") == bytes,
            "{}",
            path.display()
        );
    }
}

#[test]
fn a_scalar_keeps_its_marker() {
    for (bytes, scalar) in [
        (&b"i\x05"[..], Scalar::Int8(5)),
        (b"U\x05", Scalar::Uint8(5)),
        (b"I\0\x05", Scalar::Int16(5)),
        (b"l\0\0\0\x05", Scalar::Int32(5)),
        (b"L\0\0\0\0\0\0\0\x05", Scalar::Int64(5)),
        (b"d\x3f\0\0\0", Scalar::Float32(0.5)),
        (b"D\x3f\xe0\0\0\0\0\0\0", Scalar::Float64(0.5)),
    ] {
        let value: Value = from_slice(bytes).expect("a number");
        assert_eq!(value.as_number().map(ubjson::Number::marker), Some(scalar.marker()));
        assert_eq!(
            Config::new()
                .integers(Integers::Declared)
                .to_vec(&value)
                .expect("a document"),
            bytes
        );
    }
}
