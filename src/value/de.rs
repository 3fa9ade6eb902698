//! Reading a `Value` from any format.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde_core::de::{self, Deserialize, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, Visitor};

use super::number::TextVisitor;
use super::shapes::{NodeIndex, ObjectBuilder, ROOT, Shapes, Slot};
use super::{Map, Number, PackedArray, Value, packed};
use crate::doorway::{self, Head};

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let seed = ValueSeed {
            shapes: &mut Shapes::new(),
            outer: ROOT,
        };
        seed.deserialize(deserializer)
    }
}

/// A value of a document whose keys are shared.
struct ValueSeed<'a> {
    shapes: &'a mut Shapes,
    /// The key that the value is, or is in, the value of.
    outer: NodeIndex,
}

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = Value;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_newtype_struct(doorway::VALUE, self)
    }
}

macro_rules! visit_number {
    ($($method:ident, $number:ty;)*) => {$(
        #[inline]
        fn $method<E>(self, value: $number) -> Result<Value, E> {
            Ok(Value::Number(value.into()))
        }
    )*};
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    visit_number! {
        visit_i8, i8; visit_i16, i16; visit_i32, i32; visit_i64, i64; visit_i128, i128;
        visit_u8, u8; visit_u16, u16; visit_u32, u32; visit_u64, u64; visit_u128, u128;
        visit_f32, f32; visit_f64, f64;
    }

    #[inline]
    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    #[inline]
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.deserialize(deserializer)
    }

    /// Not one of this crate's deserializers, or a buffer.
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self).map(Value::or_json_number)
    }

    fn visit_char<E>(self, value: char) -> Result<Value, E> {
        Ok(value.into())
    }

    #[inline]
    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.into()))
    }

    #[inline]
    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_bytes<E>(self, value: &[u8]) -> Result<Value, E> {
        Ok(Value::Packed(PackedArray::from(value.to_vec())))
    }

    fn visit_byte_buf<E>(self, value: Vec<u8>) -> Result<Value, E> {
        Ok(Value::Packed(PackedArray::from(value)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut elements = Vec::with_capacity(bounded(access.size_hint()));
        while let Some(element) = access.next_element_seed(ValueSeed {
            shapes: self.shapes,
            outer: self.outer,
        })? {
            elements.push(element);
        }
        Ok(Value::Array(elements.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut object = ObjectBuilder::new(self.shapes, self.outer, bounded(access.size_hint()));
        while let Some(slot) = access.next_key_seed(KeySeed {
            object: &mut object,
            shapes: self.shapes,
        })? {
            let value = access.next_value_seed(ValueSeed {
                shapes: self.shapes,
                outer: object.inner(),
            })?;
            object.value(slot, value);
        }
        Ok(Value::Object(object.finish(self.shapes)))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Value, A::Error> {
        let unexpected = || de::Error::invalid_type(de::Unexpected::Enum, &self);
        match doorway::open(access)? {
            (Head::HighPrecision, payload) => doorway::text(payload, TextVisitor).map(Value::Number),
            (Head::Packed(element), payload) => packed::read_payload(element, payload)?
                .map(Value::Packed)
                .ok_or_else(unexpected),
            (Head::Raw | Head::Key, _) => Err(unexpected()),
        }
    }
}

#[inline]
fn bounded(size_hint: Option<usize>) -> usize {
    /// What is reserved for so many elements before any of them has been seen.
    const MAX_LEN: usize = 4096;
    size_hint.unwrap_or_default().min(MAX_LEN)
}

struct KeySeed<'a> {
    object: &'a mut ObjectBuilder,
    shapes: &'a mut Shapes,
}

impl<'de> DeserializeSeed<'de> for KeySeed<'_> {
    type Value = Slot;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Slot, D::Error> {
        deserializer.deserialize_newtype_struct(doorway::KEY, self)
    }
}

impl<'de> Visitor<'de> for KeySeed<'_> {
    type Value = Slot;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string as the key of a map")
    }

    #[inline]
    fn visit_str<E>(self, key: &str) -> Result<Slot, E> {
        Ok(self.object.key(self.shapes, key))
    }

    /// Keys of other formats become the text that they would be written as.
    fn visit_bool<E: de::Error>(self, key: bool) -> Result<Slot, E> {
        self.visit_str(if key { "true" } else { "false" })
    }

    fn visit_i64<E: de::Error>(self, key: i64) -> Result<Slot, E> {
        self.visit_str(itoa::Buffer::new().format(key))
    }

    fn visit_u64<E: de::Error>(self, key: u64) -> Result<Slot, E> {
        self.visit_str(itoa::Buffer::new().format(key))
    }

    /// Not one of this crate's deserializers, or a buffer.
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Slot, D::Error> {
        deserializer.deserialize_str(self)
    }

    #[inline]
    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Slot, A::Error> {
        match doorway::open(access)? {
            (Head::Key, payload) => doorway::key(payload, self.object.expected_number(self.shapes), NumberedKey(self)),
            _ => Err(de::Error::invalid_type(de::Unexpected::Enum, &self)),
        }
    }
}

/// A key that comes through the doorway.
struct NumberedKey<'a>(KeySeed<'a>);

impl<'de> Visitor<'de> for NumberedKey<'_> {
    type Value = Slot;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    #[inline]
    fn visit_unit<E>(self) -> Result<Slot, E> {
        Ok(self.0.object.expected_key(self.0.shapes))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Slot, A::Error> {
        let number = access.next_element()?.unwrap_or(usize::MAX);
        let slot = access.next_element_seed(NumberedText { key: self.0, number })?;
        slot.ok_or_else(|| de::Error::missing_field("key"))
    }
}

/// The text of a key with a number.
struct NumberedText<'a> {
    key: KeySeed<'a>,
    number: usize,
}

impl<'de> DeserializeSeed<'de> for NumberedText<'_> {
    type Value = Slot;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Slot, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for NumberedText<'_> {
    type Value = Slot;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.key.expecting(f)
    }

    fn visit_str<E>(self, key: &str) -> Result<Slot, E> {
        Ok(self.key.object.numbered_key(self.key.shapes, self.number, key))
    }
}

impl<'de> Deserialize<'de> for Map {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Object(map) => Ok(map),
            other => Err(de::Error::invalid_type(other.unexpected(), &"an object")),
        }
    }
}

impl<'de> Deserialize<'de> for PackedArray {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Packed(packed) => Ok(packed),
            other => Err(de::Error::invalid_type(other.unexpected(), &"a typed array of numbers")),
        }
    }
}

/// The key of the map that `serde_json` shows for a number, where it is built with its feature
/// `arbitrary_precision`; the value is the number's text.
const JSON_NUMBER: &str = "$serde_json::private::Number";

impl Value {
    /// The number that a map of another format's stands for, if that is `serde_json`'s number.
    fn or_json_number(self) -> Self {
        let text = match &self {
            Self::Object(map) if map.len() == 1 => map.get(JSON_NUMBER).and_then(Self::as_str),
            _ => None,
        };
        match text.map(str::parse) {
            Some(Ok(number)) => Self::Number(number),
            _ => self,
        }
    }

    /// The number that a map of another format stands for.
    pub(super) fn number_of_map<'de, A: MapAccess<'de>>(access: A) -> Result<Option<Number>, A::Error> {
        let seed = ValueSeed {
            shapes: &mut Shapes::new(),
            outer: ROOT,
        };
        match seed.visit_map(access)?.or_json_number() {
            Self::Number(number) => Ok(Some(number)),
            _ => Ok(None),
        }
    }

    /// What serde's messages call the value.
    pub(super) fn unexpected(&self) -> de::Unexpected<'_> {
        match self {
            Self::Null => de::Unexpected::Unit,
            Self::Bool(value) => de::Unexpected::Bool(*value),
            Self::Number(number) => number.unexpected(),
            Self::Char(value) => de::Unexpected::Char(*value),
            Self::String(value) => de::Unexpected::Str(value),
            Self::Array(_) | Self::Packed(_) => de::Unexpected::Seq,
            Self::Object(_) => de::Unexpected::Map,
        }
    }
}

impl Number {
    fn unexpected(&self) -> de::Unexpected<'static> {
        match (self.as_i64(), self.as_f64()) {
            (Some(value), _) => de::Unexpected::Signed(value),
            (None, Some(value)) if self.is_float() => de::Unexpected::Float(value),
            _ => de::Unexpected::Other("high-precision number"),
        }
    }
}
