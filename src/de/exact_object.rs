//! The entries of an object behind the private doorway: their keys may be expected ones.

use serde_core::de::{self, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde_core::{Deserializer as _, forward_to_deserialize_any};

use super::container::{NOWHERE, ObjectAccess};
use super::{Deserializer, KeyDeserializer, KeyText};
use crate::decode::Extent;
use crate::doorway::{self, Door, Head, Payload, Request, Visit};
use crate::error::{Error, ErrorCode, Result};
use crate::marker::byte;
use crate::read::Read;

impl<'de, R: Read<'de>> Deserializer<R> {
    /// Like [`visit_object`](Self::visit_object), behind the doorway.
    pub(super) fn visit_exact_object<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let object = self.decoder.open_object()?;
        let mut access = ObjectAccess::new(self, object, &[]);
        let visited = visitor.visit_map(ExactEntries(&mut access));
        let visited = access.end(visited);
        self.decoder.leave();
        visited
    }
}

/// Access to the entries of an object whose keys may be expected ones.
struct ExactEntries<'e, 'a, R>(&'e mut ObjectAccess<'a, R>);

impl<'de, R: Read<'de>> ExactEntries<'_, '_, R> {
    /// Whether the object ends here: consumed if so, and else a key is next, behind no-ops at most
    /// in a counted object.
    #[inline]
    fn ends_here(&mut self) -> Result<bool> {
        let (decoder, object) = (&mut self.0.de.decoder, &mut self.0.object);
        if let Extent::Counted(left) = object.extent {
            return Ok(left == 0);
        }
        if decoder.ends_here(object) {
            return Ok(true);
        }
        match decoder.at_hand().first() {
            Some(first) if *first != byte::NO_OP => Ok(false),
            _ => {
                decoder.skip_to_key(object)?;
                Ok(decoder.ends_here(object))
            }
        }
    }
}

impl<'de, R: Read<'de>> MapAccess<'de> for ExactEntries<'_, '_, R> {
    type Error = Error;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        match self.ends_here() {
            Ok(true) => Ok(None),
            Ok(false) => {
                self.0.value_start = NOWHERE;
                match seed.deserialize(NextKey(&mut *self.0)) {
                    Ok(_) if self.0.value_start == NOWHERE => Err(self.0.key_not_read()),
                    Ok(key) => Ok(Some(key)),
                    Err(error) => Err(self.0.de.noted(error)),
                }
            }
            Err(error) => Err(self.0.de.noted(error)),
        }
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        self.0.next_value_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

/// A key that is next, and has not been read.
struct NextKey<'e, 'a, R>(&'e mut ObjectAccess<'a, R>);

impl<'de, R: Read<'de>> NextKey<'_, '_, R> {
    /// Reads the key, and visits its number and its text.
    #[inline(never)]
    fn visit_numbered<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let access = self.0;
        let key_len = access.advance()?;
        let key_len = key_len.ok_or_else(|| Error::without_offset(ErrorCode::ValueWithoutKey))?;
        let offset = access.de.decoder.offset();
        let key = access.de.decoder.key(key_len, &access.object)?;
        let text = KeyText::new(key, offset, access.de.lossy_utf8)?;
        let key = NumberedKey {
            number: Some(access.de.known_keys.number(text.as_str())),
            text: Some(KeyDeserializer::new(text)),
        };
        let visited = visitor.visit_seq(key);
        access.value_start = access.de.decoder.mark();
        visited.map_err(|error| error.or_offset(offset))
    }
}

/// A key's number and its text.
struct NumberedKey<'de, 's> {
    number: Option<usize>,
    text: Option<KeyDeserializer<'de, 's>>,
}

impl<'de> SeqAccess<'de> for NumberedKey<'de, '_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        match (self.number.take(), self.text.take()) {
            (Some(number), text) => {
                self.text = text;
                seed.deserialize(number.into_deserializer()).map(Some)
            }
            (None, Some(text)) => seed.deserialize(text).map(Some),
            (None, None) => Ok(None),
        }
    }
}

impl<'de, R: Read<'de>> de::Deserializer<'de> for NextKey<'_, '_, R> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let key = self.0.next_other_key(Visit(visitor))?;
        key.ok_or_else(|| Error::without_offset(ErrorCode::ValueWithoutKey))
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        match doorway::request(name) {
            Some(Request::Key) => visitor.visit_enum(Door {
                head: Head::Key,
                payload: self,
            }),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn is_human_readable(&self) -> bool {
        true
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de, R: Read<'de>> Payload<'de> for NextKey<'_, '_, R> {
    type Error = Error;

    fn visit_whole<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }

    /// Visits nothing if the key is the expected one; else the key's number and its text.
    #[inline]
    fn visit_parts<V: Visitor<'de>>(self, expected: usize, visitor: V) -> Result<V::Value> {
        let access = &mut *self.0;
        let is_expected = match access.de.known_keys.name(expected) {
            Some(name) => access.de.decoder.next_key_is(&mut access.object, name),
            None => false,
        };
        if is_expected {
            access.value_start = access.de.decoder.mark();
            return visitor.visit_unit();
        }
        self.visit_numbered(visitor)
    }
}
