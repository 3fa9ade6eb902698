//! An untyped document of the tests' own, read through `deserialize_any` and written through the plainest serde calls.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// A document without a type. Of duplicate keys the last wins.
#[derive(Clone, Debug)]
pub(crate) enum Doc {
    Null,
    Bool(bool),
    Int(i128),
    /// An integer above `i128::MAX`.
    Huge(u128),
    Float(f64),
    Text(String),
    Array(Vec<Doc>),
    Object(BTreeMap<String, Doc>),
}

/// Floats are equal when their bits are, or when both are NaN: a NaN's payload may change between the two widths.
impl PartialEq for Doc {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Doc::Null, Doc::Null) => true,
            (Doc::Bool(a), Doc::Bool(b)) => a == b,
            (Doc::Int(a), Doc::Int(b)) => a == b,
            (Doc::Huge(a), Doc::Huge(b)) => a == b,
            (Doc::Float(a), Doc::Float(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
            (Doc::Text(a), Doc::Text(b)) => a == b,
            (Doc::Array(a), Doc::Array(b)) => a == b,
            (Doc::Object(a), Doc::Object(b)) => a == b,
            _ => false,
        }
    }
}

impl Doc {
    /// The value of a JSON number's text: an integer when it is written as one and fits, else a double; `None` when
    /// neither holds it. Minus zero is a double, as integers have none.
    pub(crate) fn from_number(text: &str) -> Option<Doc> {
        if !text.contains(['.', 'e', 'E']) && text != "-0" {
            if let Ok(int) = text.parse() {
                return Some(Doc::Int(int));
            }
            if let Ok(int) = text.parse() {
                return Some(Doc::Huge(int));
            }
        }
        let float: f64 = text.parse().ok()?;
        float.is_finite().then_some(Doc::Float(float))
    }
}

impl<'de> Deserialize<'de> for Doc {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DocVisitor)
    }
}

struct DocVisitor;

impl<'de> Visitor<'de> for DocVisitor {
    type Value = Doc;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Doc, E> {
        Ok(Doc::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Doc, E> {
        Ok(Doc::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Doc, E> {
        Ok(Doc::Int(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Doc, E> {
        Ok(Doc::Int(value.into()))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Doc, E> {
        Ok(Doc::Int(value))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Doc, E> {
        Ok(i128::try_from(value).map_or(Doc::Huge(value), Doc::Int))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Doc, E> {
        Ok(Doc::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Doc, E> {
        Ok(Doc::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Doc, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = seq.next_element()? {
            elements.push(element);
        }
        Ok(Doc::Array(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Doc, A::Error> {
        let mut members = BTreeMap::new();
        while let Some((key, value)) = map.next_entry()? {
            members.insert(key, value);
        }
        Ok(Doc::Object(members))
    }
}

impl Serialize for Doc {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Doc::Null => serializer.serialize_unit(),
            Doc::Bool(value) => serializer.serialize_bool(*value),
            Doc::Int(value) => match (i64::try_from(*value), u64::try_from(*value)) {
                (Ok(value), _) => serializer.serialize_i64(value),
                (_, Ok(value)) => serializer.serialize_u64(value),
                _ => serializer.serialize_i128(*value),
            },
            Doc::Huge(value) => serializer.serialize_u128(*value),
            Doc::Float(value) => serializer.serialize_f64(*value),
            Doc::Text(value) => serializer.serialize_str(value),
            Doc::Array(elements) => serializer.collect_seq(elements),
            Doc::Object(members) => serializer.collect_map(members),
        }
    }
}
