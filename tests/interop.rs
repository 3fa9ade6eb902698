//! Documents that other implementations wrote, read here and compared with their JSON. The files lie in the folder
//! `../shared/corpus`; where that is absent the tests say so. `tests/interop/run.py` runs the implementations themselves.
#![cfg(feature = "std")]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use ubjson::de;

use common::doc::Doc;

/// One of the documents nests deeper than the default.
const MAX_DEPTH: usize = 1000;

/// The folder `corpus/NAME`, or a line that says it is not here.
fn corpus(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/corpus")
        .join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("{} is not here: nothing compared", folder.display());
    None
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

fn json(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap();
    let mut parser = serde_json::Deserializer::from_str(&text);
    parser.disable_recursion_limit();
    Value::deserialize(&mut parser).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What an implementation is known to change before it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    /// Floats are rounded to float32.
    Float32,
    /// Integers that JavaScript has no number for are rounded to a double.
    Double,
    /// -0.0 is the integer 0.
    UnsignedZero,
    /// An array of numbers is an object with the indices as keys.
    Indexed,
}

/// The changes of each folder of `encoded`.
fn changes(client: &str) -> &'static [Change] {
    match client {
        "py-ubjson-float32" => &[Change::Float32],
        "json-pack" | "shelacek" | "shelacek-arrays-objects" | "shelacek-typedarrays" => {
            &[Change::Double, Change::UnsignedZero]
        }
        "json-pack-typedarrays" => &[Change::Double, Change::UnsignedZero, Change::Indexed],
        _ => &[],
    }
}

/// Compares what was written with what was read, and takes down which known changes were met.
struct Comparison<'a> {
    changes: &'a [Change],
    met: Vec<Change>,
}

impl Comparison<'_> {
    fn is_met(&mut self, change: Change, really: bool) -> bool {
        let met = really && self.changes.contains(&change);
        if met {
            self.met.push(change);
        }
        met
    }

    fn is_same(&mut self, written: &Value, read: &Doc) -> bool {
        match (written, read) {
            (Value::Null, Doc::Null) => true,
            (Value::Bool(written), Doc::Bool(read)) => written == read,
            (Value::String(written), Doc::Text(read)) => written == read,
            (Value::Number(written), read) => {
                self.is_same_number(&Doc::from_number(&written.to_string()).unwrap(), read)
            }
            (Value::Array(written), Doc::Array(read)) => {
                written.len() == read.len() && written.iter().zip(read).all(|(one, other)| self.is_same(one, other))
            }
            (Value::Object(written), Doc::Object(read)) => {
                written.len() == read.len()
                    && written
                        .iter()
                        .all(|(key, value)| read.get(key).is_some_and(|other| self.is_same(value, other)))
            }
            (Value::Array(written), Doc::Object(read)) => {
                let indexed = written.len() == read.len()
                    && written.iter().enumerate().all(|(at, value)| {
                        value.is_number()
                            && read
                                .get(&at.to_string())
                                .is_some_and(|other| self.is_same(value, other))
                    });
                self.is_met(Change::Indexed, indexed)
            }
            _ => false,
        }
    }

    fn is_same_number(&mut self, written: &Doc, read: &Doc) -> bool {
        match (written, read) {
            (Doc::Float(written), Doc::Float(read)) => {
                written.to_bits() == read.to_bits() || self.is_met(Change::Float32, f64::from(*written as f32) == *read)
            }
            (Doc::Int(written), Doc::Int(read)) => written == read,
            // The same number in the other form; a double that is one holds no more than 53 bits.
            (Doc::Float(written), Doc::Int(read)) => {
                *written == *read as f64
                    && *read == *written as i128
                    && (written.is_sign_positive() || *written != 0.0 || self.is_met(Change::UnsignedZero, true))
            }
            (Doc::Int(written), Doc::Float(read)) => {
                *written == *read as i128 || self.is_met(Change::Double, *written as f64 == *read)
            }
            _ => false,
        }
    }
}

#[test]
fn documents_of_every_implementation_are_equal_to_their_json() {
    let (Some(encoded), Some(documents)) = (corpus("encoded"), corpus("documents")) else {
        return;
    };
    let config = de::Config::new().max_depth(MAX_DEPTH);
    let mut compared = BTreeMap::new();
    for folder in files(&encoded) {
        let client = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let mut comparison = Comparison {
            changes: changes(&client),
            met: Vec::new(),
        };
        for path in files(&folder) {
            let name = path.file_stem().unwrap().to_str().unwrap();
            let written = json(&documents.join(name).with_extension("json"));
            let bytes = fs::read(&path).unwrap();
            let read: Doc = config
                .from_slice(&bytes)
                .unwrap_or_else(|error| panic!("{client}/{name}: {error}"));
            assert!(comparison.is_same(&written, &read), "{client}/{name}");
            assert_eq!(
                config.from_reader::<_, Doc>(&bytes[..]).unwrap(),
                read,
                "{client}/{name}"
            );
            *compared.entry(client.clone()).or_insert(0) += 1;
        }
        comparison.met.sort();
        comparison.met.dedup();
        assert_eq!(
            comparison.met,
            changes(&client),
            "{client}: a change that no document shows"
        );
    }
    assert_eq!(compared.len(), 14);
    assert!(compared.values().all(|count| *count == 46), "{compared:?}");
}

#[test]
fn documents_of_nlohmann_are_equal_to_their_json() {
    let Some(folder) = corpus("nlohmann") else {
        return;
    };
    let mut compared = 0;
    for path in files(&folder).iter().flat_map(|folder| files(folder)) {
        let Some(json_path) = path.to_str().unwrap().strip_suffix(".ubjson") else {
            continue;
        };
        let config = de::Config::new().max_depth(MAX_DEPTH);
        let read: Doc = config.from_slice(&fs::read(&path).unwrap()).unwrap();
        let mut comparison = Comparison {
            changes: &[],
            met: Vec::new(),
        };
        assert!(comparison.is_same(&json(Path::new(json_path)), &read), "{json_path}");
        compared += 1;
    }
    assert_eq!(compared, 41);
}
