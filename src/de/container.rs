//! serde's access to the elements of arrays and the entries of objects.

use serde_core::de::{DeserializeSeed, MapAccess, SeqAccess};

use super::Deserializer;
use super::key::{self, KeyDeserializer};
use crate::decode::Container;
use crate::error::{Error, ErrorCode, Result};
use crate::read::Read;

/// Access to the elements of an array of any form.
pub(super) struct ArrayAccess<'a, R> {
    de: &'a mut Deserializer<R>,
    array: Container,
    ended: bool,
}

impl<'a, R> ArrayAccess<'a, R> {
    pub(super) fn new(de: &'a mut Deserializer<R>, array: Container) -> Self {
        Self {
            de,
            array,
            ended: false,
        }
    }
}

impl<'de, R: Read<'de>> ArrayAccess<'_, R> {
    fn advance(&mut self) -> Result<bool> {
        let more = !self.ended && self.de.decoder.next_element(&mut self.array)?;
        self.ended = !more;
        Ok(more)
    }

    /// The visitor is done: the array must be, too.
    pub(super) fn end(&mut self) -> Result<()> {
        if self.advance()? {
            return Err(Error::new(ErrorCode::UnreadElements, self.de.decoder.offset()));
        }
        Ok(())
    }
}

impl<'de, R: Read<'de>> SeqAccess<'de> for ArrayAccess<'_, R> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        if !self.advance()? {
            return Ok(None);
        }
        seed.deserialize(&mut *self.de).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        self.de.decoder.size_hint(&self.array)
    }
}

/// Access to the entries of an object of any form.
pub(super) struct ObjectAccess<'a, R> {
    de: &'a mut Deserializer<R>,
    object: Container,
    /// The names that the keys will most likely be, in this order.
    fields: core::slice::Iter<'static, &'static str>,
    ended: bool,
}

impl<'a, R> ObjectAccess<'a, R> {
    pub(super) fn new(de: &'a mut Deserializer<R>, object: Container, fields: &'static [&'static str]) -> Self {
        Self {
            de,
            object,
            fields: fields.iter(),
            ended: false,
        }
    }
}

impl<'de, R: Read<'de>> ObjectAccess<'_, R> {
    fn advance(&mut self) -> Result<Option<usize>> {
        if self.ended {
            return Ok(None);
        }
        let key_len = self.de.decoder.next_key_len(&mut self.object)?;
        self.ended = key_len.is_none();
        Ok(key_len)
    }

    /// The visitor is done: the object must be, too.
    pub(super) fn end(&mut self) -> Result<()> {
        if self.advance()?.is_some() {
            return Err(Error::new(ErrorCode::UnreadElements, self.de.decoder.offset()));
        }
        Ok(())
    }
}

impl<'de, R: Read<'de>> MapAccess<'de> for ObjectAccess<'_, R> {
    type Error = Error;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some(key_len) = self.advance()? else {
            return Ok(None);
        };
        let offset = self.de.decoder.offset();
        let human_readable = self.de.human_readable;
        let lossy = self.de.lossy_utf8;
        let key = self.de.decoder.key(key_len, &self.object)?;
        let text = match key::next_field(&mut self.fields, key.as_bytes()) {
            Some(name) => key::Text::Borrowed(name),
            None => key::Text::new(key, offset, lossy)?,
        };
        let key = seed.deserialize(KeyDeserializer::new(text, human_readable));
        key.map(Some).map_err(|error| error.or_offset(offset))
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        self.de.decoder.begin_value(&self.object);
        seed.deserialize(&mut *self.de)
    }

    fn size_hint(&self) -> Option<usize> {
        self.de.decoder.entries_hint(&self.object)
    }
}
