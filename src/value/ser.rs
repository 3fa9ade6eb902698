//! Writing a `Value` to any format.

use serde_core::ser::{Serialize, Serializer};

use super::{Array, Map, Value};

impl Serialize for Value {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number) => number.serialize(serializer),
            Self::Char(char) => serializer.serialize_char(*char),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(array) => array.serialize(serializer),
            Self::Packed(packed) => packed.serialize(serializer),
            Self::Object(map) => map.serialize(serializer),
        }
    }
}

impl Serialize for Array {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl Serialize for Map {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}
