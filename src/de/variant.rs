//! Enums: a name alone, or an object of one entry whose key is the name.

use serde_core::Deserializer as _;
use serde_core::de::{self, DeserializeSeed, EnumAccess, VariantAccess, Visitor};

use super::Deserializer;
use super::key::{KeyDeserializer, Text, UnitVariant};
use crate::decode::Container;
use crate::error::{Error, ErrorCode, Expected, Result};
use crate::marker::byte;
use crate::read::Read;

/// A variant that is written as its name: a string, or a char for a name of one letter.
pub(super) struct UnitEnumAccess<'a, R> {
    de: &'a mut Deserializer<R>,
    marker: u8,
}

impl<'a, R> UnitEnumAccess<'a, R> {
    pub(super) fn new(de: &'a mut Deserializer<R>, marker: u8) -> Self {
        Self { de, marker }
    }
}

impl<'de, R: Read<'de>> EnumAccess<'de> for UnitEnumAccess<'_, R> {
    type Error = Error;
    type Variant = UnitVariant;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, UnitVariant)> {
        let decoder = &mut self.de.decoder;
        let byte_len = if self.marker == byte::CHAR {
            decoder.peek_char()?;
            1
        } else {
            decoder.byte_length(Expected::StringLength, 0)?
        };
        let offset = decoder.offset();
        let name = Text::new(decoder.take(byte_len, 0)?, offset, self.de.lossy_utf8)?;
        let variant = seed.deserialize(KeyDeserializer::new(name, self.de.human_readable));
        variant.map(|variant| (variant, UnitVariant))
    }
}

/// A variant with content: the only entry of an open object.
pub(super) struct ObjectEnumAccess<'a, R> {
    de: &'a mut Deserializer<R>,
    object: Container,
}

impl<'a, R> ObjectEnumAccess<'a, R> {
    pub(super) fn new(de: &'a mut Deserializer<R>, object: Container) -> Self {
        Self { de, object }
    }
}

impl<'de, R: Read<'de>> ObjectEnumAccess<'_, R> {
    /// Reads the content, behind which the object must end.
    fn content<T>(mut self, read: impl FnOnce(&mut Deserializer<R>) -> Result<T>) -> Result<T> {
        self.de.decoder.begin_value(&self.object);
        let content = read(self.de)?;
        match self.de.decoder.next_key_len(&mut self.object)? {
            None => Ok(content),
            Some(_) => Err(Error::new(ErrorCode::VariantWithManyKeys, self.de.decoder.offset())),
        }
    }
}

impl<'de, R: Read<'de>> EnumAccess<'de> for ObjectEnumAccess<'_, R> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(mut self, seed: S) -> Result<(S::Value, Self)> {
        let Some(key_len) = self.de.decoder.next_key_len(&mut self.object)? else {
            return Err(Error::without_offset(ErrorCode::VariantWithoutKey));
        };
        let offset = self.de.decoder.offset();
        let name = self.de.decoder.key(key_len, &self.object)?;
        let name = Text::new(name, offset, self.de.lossy_utf8)?;
        let variant = seed.deserialize(KeyDeserializer::new(name, self.de.human_readable));
        match variant {
            Ok(variant) => Ok((variant, self)),
            Err(error) => Err(error.or_offset(offset)),
        }
    }
}

impl<'de, R: Read<'de>> VariantAccess<'de> for ObjectEnumAccess<'_, R> {
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
