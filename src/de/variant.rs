//! Enums: a name alone, or an object of one entry whose key is the name.

use serde_core::Deserializer as _;
use serde_core::de::{self, DeserializeSeed, EnumAccess, MapAccess, VariantAccess, Visitor};

use super::Deserializer;
use super::container::ObjectAccess;
use super::key::{KeyDeserializer, Text, UnitVariant};
use crate::decode::Container;
use crate::error::{Error, ErrorCode, Expected, Result};
use crate::marker::byte;
use crate::read::Read;

impl<'de, R: Read<'de>> Deserializer<R> {
    /// Visits the variant that is written as its name behind `marker`.
    pub(super) fn visit_unit_variant<V: Visitor<'de>>(&mut self, marker: u8, visitor: V) -> Result<V::Value> {
        let start = self.decoder.offset();
        match visitor.visit_enum(UnitEnumAccess { de: self, marker }) {
            Ok(variant) => Ok(variant),
            // The visitor has not looked at the name.
            Err(error) if self.decoder.offset() == start => {
                Err(self.skipping(error, |decoder| decoder.skip_payload(marker)))
            }
            Err(error) => Err(error),
        }
    }

    /// Visits the variant whose name and content are the only entry of an open object.
    pub(super) fn visit_variant<V: Visitor<'de>>(&mut self, object: Container, visitor: V) -> Result<V::Value> {
        let mut object = ObjectAccess::new(self, object, &[]);
        match visitor.visit_enum(ObjectEnumAccess { object: &mut object }) {
            Ok(variant) => Ok(variant),
            Err(error) => Err(object.failed(error)),
        }
    }
}

/// A variant that is written as its name: a string, or a char for a name of one letter.
struct UnitEnumAccess<'a, R> {
    de: &'a mut Deserializer<R>,
    marker: u8,
}

impl<'de, R: Read<'de>> UnitEnumAccess<'_, R> {
    fn name<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        let decoder = &mut self.de.decoder;
        let byte_len = if self.marker == byte::CHAR {
            decoder.peek_char()?;
            1
        } else {
            decoder.byte_length(Expected::StringLength, 0)?
        };
        let offset = decoder.offset();
        let name = Text::new(decoder.take(byte_len, 0)?, offset, self.de.lossy_utf8)?;
        seed.deserialize(KeyDeserializer::new(name))
    }
}

impl<'de, R: Read<'de>> EnumAccess<'de> for UnitEnumAccess<'_, R> {
    type Error = Error;
    type Variant = UnitVariant;

    fn variant_seed<S: DeserializeSeed<'de>>(mut self, seed: S) -> Result<(S::Value, UnitVariant)> {
        match self.name(seed) {
            Ok(variant) => Ok((variant, UnitVariant)),
            Err(error) => Err(self.de.noted(error)),
        }
    }
}

/// A variant with content: the only entry of an open object.
struct ObjectEnumAccess<'a, 'o, R> {
    object: &'o mut ObjectAccess<'a, R>,
}

impl<'de, R: Read<'de>> ObjectEnumAccess<'_, '_, R> {
    /// Reads the content, behind which the object must end.
    fn content<T>(self, read: impl FnOnce(&mut Deserializer<R>) -> Result<T>) -> Result<T> {
        let content = self.object.value(read)?;
        self.object.end_variant()?;
        Ok(content)
    }
}

impl<'de, R: Read<'de>> EnumAccess<'de> for ObjectEnumAccess<'_, '_, R> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self)> {
        match self.object.next_key_seed(seed)? {
            Some(variant) => Ok((variant, self)),
            None => Err(Error::without_offset(ErrorCode::VariantWithoutKey)),
        }
    }
}

impl<'de, R: Read<'de>> VariantAccess<'de> for ObjectEnumAccess<'_, '_, R> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        self.content(|de| de::Deserialize::deserialize(de))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value> {
        self.content(|de| seed.deserialize(de))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.content(|de| de.deserialize_tuple(len, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value> {
        self.content(|de| de.deserialize_struct("", fields, visitor))
    }
}
