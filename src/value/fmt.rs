//! Printing without recursion: as JSON, and for debugging.

use alloc::vec::Vec;
use core::fmt::{self, Write};

use super::map::Iter as Entries;
use super::{Number, Numbers, PackedArray, Value};

/// A container that is being printed.
enum Open<'a> {
    Array(core::slice::Iter<'a, Value>),
    Object(Entries<'a>),
}

/// How things that are no containers are printed.
trait Style {
    fn scalar(value: &Value, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// What stands before a packed array.
    fn packed_prefix(packed: &PackedArray) -> &'static str;

    fn number(number: &Number, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

/// JSON.
struct Json;

impl Style for Json {
    fn scalar(value: &Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match value {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Number(number) => Self::number(number, f),
            Value::Char(char) => write_text(char.encode_utf8(&mut [0; 4]), f),
            Value::String(text) => write_text(text, f),
            _ => f.write_str("null"),
        }
    }

    fn packed_prefix(_: &PackedArray) -> &'static str {
        ""
    }

    fn number(number: &Number, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(number, f)
    }
}

/// JSON with what JSON does not tell: `int8 5`, `'c'`, `float32 [0.5, NaN]`.
struct Wire;

impl Style for Wire {
    fn scalar(value: &Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match value {
            Value::Number(number) => {
                write!(f, "{} ", number.marker().name())?;
                Self::number(number, f)
            }
            Value::Char(char) => write!(f, "{char:?}"),
            _ => Json::scalar(value, f),
        }
    }

    fn packed_prefix(packed: &PackedArray) -> &'static str {
        match packed.numbers() {
            Numbers::Int8(_) => "int8 ",
            Numbers::Uint8(_) => "uint8 ",
            Numbers::Int16(_) => "int16 ",
            Numbers::Int32(_) => "int32 ",
            Numbers::Int64(_) => "int64 ",
            Numbers::Float32(_) => "float32 ",
            Numbers::Float64(_) => "float64 ",
        }
    }

    fn number(number: &Number, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match number.as_f64() {
            Some(value) if !number.is_finite() => write!(f, "{value}"),
            _ => fmt::Display::fmt(number, f),
        }
    }
}

/// Line breaks and indentation, if they are asked for.
struct Layout {
    pretty: bool,
    depth: usize,
}

impl Layout {
    fn new_line(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pretty {
            write!(f, "\n{:width$}", "", width = 2 * self.depth)?;
        }
        Ok(())
    }

    fn open(&mut self, bracket: char, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.depth += 1;
        f.write_char(bracket)
    }

    /// Before an element or entry.
    fn separate(&self, is_first: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !is_first {
            f.write_char(',')?;
        }
        self.new_line(f)
    }

    fn close(&mut self, bracket: char, is_empty: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.depth -= 1;
        if !is_empty {
            self.new_line(f)?;
        }
        f.write_char(bracket)
    }
}

fn print<S: Style>(value: &Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut layout = Layout {
        pretty: f.alternate(),
        depth: 0,
    };
    let mut open = Vec::new();
    let mut is_first = begin::<S>(value, &mut layout, &mut open, f)?;
    while let Some(container) = open.last_mut() {
        let next = match container {
            Open::Array(elements) => elements.next().map(|value| (None, value)),
            Open::Object(entries) => entries.next().map(|(key, value)| (Some(key), value)),
        };
        let Some((key, value)) = next else {
            let bracket = match container {
                Open::Array(_) => ']',
                Open::Object(_) => '}',
            };
            layout.close(bracket, is_first, f)?;
            open.pop();
            is_first = false;
            continue;
        };
        layout.separate(is_first, f)?;
        if let Some(key) = key {
            write_text(key, f)?;
            f.write_str(if layout.pretty { ": " } else { ":" })?;
        }
        is_first = begin::<S>(value, &mut layout, &mut open, f)?;
    }
    Ok(())
}

/// Prints a value, or opens it if others are in it: true then, since the next one is its first.
fn begin<'a, S: Style>(
    value: &'a Value,
    layout: &mut Layout,
    open: &mut Vec<Open<'a>>,
    f: &mut fmt::Formatter<'_>,
) -> Result<bool, fmt::Error> {
    match value {
        Value::Array(array) => {
            open.push(Open::Array(array.iter()));
            layout.open('[', f)?;
            return Ok(true);
        }
        Value::Object(map) => {
            open.push(Open::Object(map.iter()));
            layout.open('{', f)?;
            return Ok(true);
        }
        Value::Packed(packed) => {
            f.write_str(S::packed_prefix(packed))?;
            layout.open('[', f)?;
            for (at, number) in packed.iter().enumerate() {
                layout.separate(at == 0, f)?;
                S::number(&number, f)?;
            }
            layout.close(']', packed.is_empty(), f)?;
        }
        scalar => S::scalar(scalar, f)?,
    }
    Ok(false)
}

/// A JSON string.
fn write_text(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    let mut rest = text;
    while let Some(at) = rest.find(|char: char| char < ' ' || char == '"' || char == '\\') {
        let (plain, special) = rest.split_at(at);
        f.write_str(plain)?;
        let mut chars = special.chars();
        match chars.next() {
            Some('"') => f.write_str("\\\"")?,
            Some('\\') => f.write_str("\\\\")?,
            Some('\n') => f.write_str("\\n")?,
            Some('\r') => f.write_str("\\r")?,
            Some('\t') => f.write_str("\\t")?,
            Some('\u{8}') => f.write_str("\\b")?,
            Some('\u{c}') => f.write_str("\\f")?,
            Some(control) => write!(f, "\\u{:04x}", u32::from(control))?,
            None => {}
        }
        rest = chars.as_str();
    }
    f.write_str(rest)?;
    f.write_char('"')
}

/// As JSON on one line, or with `{:#}` indented by two spaces. What JSON cannot express (NaN, the
/// infinities) is `null`, a char a string.
///
/// ```
/// let value = ubjson::ubjson!({"a": [1, null], "b": 0.5});
/// assert_eq!(value.to_string(), r#"{"a":[1,null],"b":0.5}"#);
/// ```
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print::<Json>(self, f)
    }
}

/// As JSON with the wire types.
///
/// ```
/// let value = ubjson::ubjson!({"a": [1_u8, 0.5_f32]});
/// assert_eq!(format!("{value:?}"), r#"{"a":[uint8 1,float32 0.5]}"#);
/// ```
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print::<Wire>(self, f)
    }
}
