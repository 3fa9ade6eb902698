//! Conversion to and from `serde_json::Value`.

use alloc::string::ToString;

use serde_json::Value as Json;

use super::number::Repr;
use super::{Number, Value};

/// Integers take the smallest type that holds them, decimals float64; numbers that would lose by
/// that (beyond 64 bits, more than 17 digits, out of range) keep their exact text, as far as
/// `serde_json` has kept it: it does with its feature `arbitrary_precision`.
impl From<Json> for Value {
    fn from(json: Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Bool(value),
            Json::Number(number) => {
                let text = number.to_string();
                // Text that is no number can only come from serde_json's unchecked constructors.
                text.parse().map_or_else(|_| Self::String(text.clone()), Self::Number)
            }
            Json::String(text) => Self::String(text),
            Json::Array(elements) => elements.into_iter().collect(),
            Json::Object(entries) => entries.into_iter().collect(),
        }
    }
}

/// What JSON cannot express is lost: NaN and the infinities become null, chars strings, and
/// numbers all one type. High-precision numbers keep every digit where `serde_json` is built with
/// its feature `arbitrary_precision` (it puts the sign of an exponent that lacks it); else they
/// become the nearest float64, or text where there is none. Keys keep their order as far as
/// `serde_json` keeps it.
///
/// ```
/// let value: ubjson::Value = ubjson::from_slice(b"[d\x7f\xc0\0\0Hi\x031.5Cx]")?;
/// assert_eq!(serde_json::Value::from(value).to_string(), r#"[null,1.5,"x"]"#);
/// # Ok::<(), ubjson::Error>(())
/// ```
impl From<Value> for Json {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(value),
            Value::Number(number) => to_json_number(&number),
            Value::Char(char) => Self::String(char.into()),
            Value::String(text) => Self::String(text),
            Value::Array(array) => array.into_iter().map(Self::from).collect(),
            Value::Packed(packed) => packed.iter().map(|number| to_json_number(&number)).collect(),
            Value::Object(map) => map
                .into_iter()
                .map(|(key, value)| (key.as_ref().into(), Self::from(value)))
                .collect::<serde_json::Map<_, _>>()
                .into(),
        }
    }
}

fn to_json_number(number: &Number) -> Json {
    match number.repr() {
        Repr::Float32(value) => Json::from(*value),
        Repr::Float64(value) => Json::from(*value),
        // It is the text of a number, so it is one there, too.
        Repr::HighPrecision(text) => text.parse().map_or_else(|_| Json::from(&**text), Json::Number),
        _ => Json::from(number.as_i64()),
    }
}
