//! Keys of objects: text that is matched with field names and reads into strings, numbers,
//! booleans, chars and unit variants.

use serde_core::de::{self, DeserializeSeed, EnumAccess, Unexpected, VariantAccess, Visitor};
use serde_core::forward_to_deserialize_any;

use crate::error::{Error, Result};
use crate::number::{self, ParsedNumber};
pub(crate) use crate::text::Text;

/// The name among the expected ones, in their order, that `key` is: text known to be UTF-8, so
/// that nobody checks it again. Fields that the document leaves out are passed over.
#[inline]
pub(super) fn next_field(fields: &mut core::slice::Iter<'static, &'static str>, key: &[u8]) -> Option<&'static str> {
    let mut rest = fields.clone();
    while let Some(name) = rest.next() {
        if name.as_bytes() == key {
            *fields = rest;
            return Some(name);
        }
    }
    None
}

/// A key as serde reads it.
pub(crate) struct KeyDeserializer<'de, 's> {
    text: Text<'de, 's>,
}

impl<'de, 's> KeyDeserializer<'de, 's> {
    #[inline]
    pub(crate) fn new(text: Text<'de, 's>) -> Self {
        Self { text }
    }

    /// Visits the number that the text is; other text is visited as such, and refused there.
    fn visit_number<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match number::parse(self.text.as_str().as_bytes()) {
            Some(ParsedNumber::Unsigned(value)) => visitor.visit_u64(value),
            Some(ParsedNumber::Signed(value)) => visitor.visit_i64(value),
            Some(ParsedNumber::Unsigned128(value)) => visitor.visit_u128(value),
            Some(ParsedNumber::Signed128(value)) => visitor.visit_i128(value),
            Some(ParsedNumber::Float(value)) => visitor.visit_f64(value),
            Some(ParsedNumber::OutOfRange) | None => self.text.visit(visitor),
        }
    }
}

macro_rules! deserialize_number_key {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.visit_number(visitor)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for KeyDeserializer<'de, '_> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.text.visit(visitor)
    }

    deserialize_number_key! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.text.as_str() {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            _ => self.text.visit(visitor),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.text {
            Text::Borrowed(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
            Text::Transient(text) => visitor.visit_bytes(text.as_bytes()),
            Text::Repaired(text) => visitor.visit_byte_buf(text.into_bytes()),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_enum(self)
    }

    /// Whatever the format is, a key is text.
    fn is_human_readable(&self) -> bool {
        true
    }

    forward_to_deserialize_any! {
        char str string unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// A key names a variant without content.
impl<'de> EnumAccess<'de> for KeyDeserializer<'de, '_> {
    type Error = Error;
    type Variant = UnitVariant;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, UnitVariant)> {
        seed.deserialize(self).map(|variant| (variant, UnitVariant))
    }
}

/// The content of a variant that was written as its name alone.
pub(crate) struct UnitVariant;

impl<'de> VariantAccess<'de> for UnitVariant {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, _seed: S) -> Result<S::Value> {
        Err(de::Error::invalid_type(Unexpected::UnitVariant, &"newtype variant"))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, _visitor: V) -> Result<V::Value> {
        Err(de::Error::invalid_type(Unexpected::UnitVariant, &"tuple variant"))
    }

    fn struct_variant<V: Visitor<'de>>(self, _fields: &'static [&'static str], _visitor: V) -> Result<V::Value> {
        Err(de::Error::invalid_type(Unexpected::UnitVariant, &"struct variant"))
    }
}
