//! Documents between JSON and UBJSON, under named settings.

use std::error::Error;
use std::io::{self, BufRead, Cursor, Write};

use serde::Deserialize;
use serde_json::{Value, json};
use ubjson::ser::{Config, Containers, Integers, Lengths};
use ubjson::{de, ser};

use crate::doc::Doc;

/// Deep enough for every document that is exchanged.
const MAX_DEPTH: usize = 1000;

#[derive(Deserialize)]
#[serde(tag = "act", rename_all = "lowercase")]
enum Request {
    Encode { setting: String, json: String },
    Decode { setting: String, hex: String },
}

pub(crate) fn answer_requests() -> Result<(), Box<dyn Error>> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let answer = answer(&line?).unwrap_or_else(|error| json!({ "error": error.to_string() }));
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

fn answer(line: &str) -> Result<Value, Box<dyn Error>> {
    Ok(match serde_json::from_str(line)? {
        Request::Encode { setting, json } => {
            let document = parse(&json)?;
            let bytes = writer(&setting)?.max_depth(MAX_DEPTH).to_vec(&document)?;
            json!({ "hex": bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>() })
        }
        Request::Decode { setting, hex } => {
            let mut json = String::new();
            print(&read(&setting, &from_hex(&hex)?)?, &mut json);
            json!({ "json": json })
        }
    })
}

/// The writer's options that a setting such as `counted uint8first` stands for.
fn writer(setting: &str) -> Result<ser::Config, Box<dyn Error>> {
    setting.split(' ').try_fold(Config::new(), |config, word| {
        Ok(match word {
            "auto" => config.containers(Containers::Auto),
            "counted" => config.containers(Containers::Counted),
            "plain" => config.containers(Containers::Plain),
            "uint8first" => config.lengths(Lengths::Uint8First).counts(Lengths::Uint8First),
            "int32" => config.lengths(Lengths::Int32).counts(Lengths::Int32),
            "int64" => config.lengths(Lengths::Int64).counts(Lengths::Int64),
            "declared" => config.integers(Integers::Declared),
            "compact" => config.compact_floats(true),
            _ => return Err(format!("unknown setting {word}").into()),
        })
    })
}

fn read(setting: &str, bytes: &[u8]) -> Result<Doc, Box<dyn Error>> {
    let config = de::Config::new().max_depth(MAX_DEPTH);
    Ok(match setting {
        "slice" => config.from_slice(bytes)?,
        "reader" => config.from_reader(bytes)?,
        "seekable" => config.from_seekable(Cursor::new(bytes))?,
        _ => return Err(format!("unknown setting {setting}").into()),
    })
}

fn from_hex(hex: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    (0..hex.len())
        .step_by(2)
        .map(|at| Ok(u8::from_str_radix(hex.get(at..at + 2).ok_or("odd hexadecimal")?, 16)?))
        .collect()
}

fn parse(json: &str) -> Result<Doc, Box<dyn Error>> {
    let mut parser = serde_json::Deserializer::from_str(json);
    parser.disable_recursion_limit();
    let value = Value::deserialize(&mut parser)?;
    parser.end()?;
    document(value).ok_or_else(|| "a number beyond every float".into())
}

fn document(json: Value) -> Option<Doc> {
    Some(match json {
        Value::Null => Doc::Null,
        Value::Bool(value) => Doc::Bool(value),
        // Its text is the document's own.
        Value::Number(number) => Doc::from_number(number.as_str())?,
        Value::String(text) => Doc::Text(text),
        Value::Array(elements) => Doc::Array(elements.into_iter().map(document).collect::<Option<_>>()?),
        Value::Object(members) => {
            let members = members.into_iter().map(|(key, value)| Some((key, document(value)?)));
            Doc::Object(members.collect::<Option<_>>()?)
        }
    })
}

/// JSON in which a float can be told from an integer.
fn print(document: &Doc, json: &mut String) {
    match document {
        Doc::Null => json.push_str("null"),
        Doc::Bool(value) => json.push_str(&value.to_string()),
        Doc::Int(value) => json.push_str(&value.to_string()),
        Doc::Huge(value) => json.push_str(&value.to_string()),
        Doc::Float(value) if value.is_nan() => json.push_str("NaN"),
        Doc::Float(value) if value.is_infinite() => json.push_str(if *value > 0.0 { "Infinity" } else { "-Infinity" }),
        Doc::Float(value) => json.push_str(&format!("{value:e}")),
        Doc::Text(text) => print_text(text, json),
        Doc::Array(elements) => {
            json.push('[');
            for (at, element) in elements.iter().enumerate() {
                json.push_str(if at > 0 { "," } else { "" });
                print(element, json);
            }
            json.push(']');
        }
        Doc::Object(members) => {
            json.push('{');
            for (at, (key, value)) in members.iter().enumerate() {
                json.push_str(if at > 0 { "," } else { "" });
                print_text(key, json);
                json.push(':');
                print(value, json);
            }
            json.push('}');
        }
    }
}

fn print_text(text: &str, json: &mut String) {
    json.push_str(&Value::from(text).to_string());
}
