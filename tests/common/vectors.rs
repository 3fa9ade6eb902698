//! The vectors of `tests/vectors`, read with `serde_json`.

use serde_json::Value;

use super::doc::Doc;
use super::from_hex;

/// A vector of `decode.json`.
pub(crate) struct DecodeVector {
    pub(crate) name: String,
    pub(crate) group: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) expected: Expected,
}

/// What a vector reads as.
pub(crate) enum Expected {
    /// A value that serde's data model can carry.
    Value(Doc),
    /// A value with a number that no integer and no finite float holds.
    OutOfRange,
    /// An error; `kind` as the vectors name it, `offset` where they give one.
    Error { kind: String, offset: Option<u64> },
    /// Refused or within limits, but never a burden.
    Bomb,
}

/// A vector of `encode.json`.
pub(crate) struct EncodeVector {
    pub(crate) name: String,
    /// `None` where the value holds a number that only its text can express.
    pub(crate) value: Option<Doc>,
    pub(crate) bytes: Vec<u8>,
}

/// A line of `reports.jsonl`.
pub(crate) struct Report {
    pub(crate) id: String,
    pub(crate) bytes: Option<Vec<u8>>,
}

pub(crate) fn decode_vectors() -> Vec<DecodeVector> {
    entries(include_str!("../vectors/decode.json"), 8)
        .map(|entry| DecodeVector {
            name: text(&entry["name"]),
            group: text(&entry["group"]),
            bytes: from_hex(&text(&entry["hex"])),
            expected: expected(&entry),
        })
        .collect()
}

pub(crate) fn encode_vectors() -> Vec<EncodeVector> {
    entries(include_str!("../vectors/encode.json"), 1)
        .map(|entry| EncodeVector {
            name: text(&entry["name"]),
            value: doc(&entry["json"], exact_number),
            bytes: from_hex(&text(&entry["hex"])),
        })
        .collect()
}

pub(crate) fn reports() -> Vec<Report> {
    include_str!("../vectors/reports.jsonl")
        .lines()
        .map(|line| {
            let entry: Value = serde_json::from_str(line).expect("a line of JSON");
            Report {
                id: text(&entry["id"]),
                bytes: entry["hex"].as_str().map(from_hex),
            }
        })
        .collect()
}

/// The bytes of one report.
pub(crate) fn report_bytes(id: &str) -> Vec<u8> {
    let report = reports().into_iter().find(|report| report.id == id);
    report
        .and_then(|report| report.bytes)
        .unwrap_or_else(|| panic!("no bytes for the report {id}"))
}

/// The document that a JSON text with the vectors' conventions stands for.
pub(crate) fn parse(json: &str) -> Doc {
    let json = serde_json::from_str(json).expect("JSON");
    doc(&json, Doc::from_number).expect("a number within range")
}

/// All vectors of a file; under Miri one in `stride` of the short ones.
fn entries(file: &str, stride: usize) -> impl Iterator<Item = Value> + use<> {
    let entries: Vec<Value> = if cfg!(miri) {
        short_lines(file)
            .step_by(stride)
            .map(|line| serde_json::from_slice(&line).expect("a vector"))
            .collect()
    } else {
        serde_json::from_str(file).expect("an array of vectors")
    };
    entries.into_iter()
}

/// One vector stands on each line, and a few of many thousand bytes make up most of a file. Miri, which takes a second
/// for a millisecond, does without those.
fn short_lines(file: &str) -> impl Iterator<Item = Vec<u8>> {
    // This splits by words; the adapters of slices and texts go byte by byte.
    std::io::BufRead::split(file.as_bytes(), b'\n')
        .map(|line| line.expect("a line"))
        .filter(|line| line.starts_with(b"{") && line.len() < 1_000)
        .map(|line| line.strip_suffix(b",").map(<[u8]>::to_vec).unwrap_or(line))
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

fn expected(entry: &Value) -> Expected {
    if let Some(json) = entry.get("json") {
        doc(json, Doc::from_number).map_or(Expected::OutOfRange, Expected::Value)
    } else if let Some(kind) = entry.get("error") {
        Expected::Error {
            kind: text(kind),
            offset: entry.get("offset").and_then(Value::as_u64),
        }
    } else {
        Expected::Bomb
    }
}

/// A number that keeps its exact text when it is written as a plain serde number.
fn exact_number(text: &str) -> Option<Doc> {
    Doc::from_number(text).filter(|number| !matches!(number, Doc::Float(_)))
}

/// The document a vector's JSON stands for; `high` gives a high-precision number's value, if it has one.
fn doc(json: &Value, high: fn(&str) -> Option<Doc>) -> Option<Doc> {
    Some(match json {
        Value::Null => Doc::Null,
        Value::Bool(value) => Doc::Bool(*value),
        Value::Number(number) => Doc::from_number(&number.to_string()).expect("a number within range"),
        Value::String(text) => Doc::Text(text.clone()),
        Value::Array(elements) => Doc::Array(
            elements
                .iter()
                .map(|element| doc(element, high))
                .collect::<Option<_>>()?,
        ),
        Value::Object(members) => {
            if let Some(number) = special(json, high) {
                return number;
            }
            let members = members
                .iter()
                .map(|(key, value)| Some((key.clone(), doc(value, high)?)));
            Doc::Object(members.collect::<Option<_>>()?)
        }
    })
}

/// The number that an object with a `$` name stands for.
fn special(json: &Value, high: fn(&str) -> Option<Doc>) -> Option<Option<Doc>> {
    let get = |name| json.get(name).and_then(Value::as_str);
    if let Some(text) = get("$int") {
        return Some(Doc::from_number(text));
    }
    if let Some(text) = get("$float") {
        return Some(text.parse().ok().map(Doc::Float));
    }
    get("$high").map(high)
}
