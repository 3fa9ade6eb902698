//! serde's access to the elements of arrays and the entries of objects.

use serde_core::de::value::BorrowedStrDeserializer;
use serde_core::de::{DeserializeSeed, MapAccess, SeqAccess};

use super::Deserializer;
use super::key::{self, KeyDeserializer};
use crate::decode::{Container, Decoder};
use crate::error::{Error, ErrorCode, Result};
use crate::read::Read;
use crate::skip::Open;

/// A mark that no place has.
pub(super) const NOWHERE: u64 = u64::MAX;

/// Access to the elements of an array of any form.
pub(super) struct ArrayAccess<'a, R> {
    de: &'a mut Deserializer<R>,
    array: Container,
    /// The mark of the element that was begun last.
    start: u64,
}

impl<'a, R> ArrayAccess<'a, R> {
    pub(super) fn new(de: &'a mut Deserializer<R>, array: Container) -> Self {
        Self {
            de,
            array,
            start: NOWHERE,
        }
    }
}

impl<'de, R: Read<'de>> ArrayAccess<'_, R> {
    #[inline]
    fn advance(&mut self) -> Result<bool> {
        self.de.decoder.next_element(&mut self.array)
    }

    /// The visitor is done: the array must be, too.
    #[inline]
    pub(super) fn end<T>(&mut self, visited: Result<T>) -> Result<T> {
        match visited {
            Ok(value) if self.array.has_ended() => Ok(value),
            Ok(value) => match self.advance()? {
                false => Ok(value),
                true => Err(self.unread()),
            },
            Err(error) => Err(self.failed(error)),
        }
    }

    #[cold]
    fn unread(&mut self) -> Error {
        let error = Error::new(ErrorCode::UnreadElements, self.de.decoder.offset());
        let error = self.de.skipping(error, Decoder::skip_value);
        self.failed(error)
    }

    #[cold]
    fn failed(&mut self, error: Error) -> Error {
        self.de
            .skipping(error, |decoder| decoder.skip_rest(Open::Array(self.array)))
    }
}

impl<'de, R: Read<'de>> SeqAccess<'de> for ArrayAccess<'_, R> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        match self.advance() {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(error) => return Err(self.de.noted(error)),
        }
        self.start = self.de.decoder.mark();
        match seed.deserialize(&mut *self.de) {
            Ok(element) => Ok(Some(element)),
            Err(error) => Err(self.de.value_failed(error, self.start, self.array.element.is_some())),
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        self.de.decoder.size_hint(&self.array)
    }
}

/// Access to the entries of an object of any form.
pub(super) struct ObjectAccess<'a, R> {
    pub(super) de: &'a mut Deserializer<R>,
    pub(super) object: Container,
    /// The names that the keys will most likely be, in this order.
    fields: core::slice::Iter<'static, &'static str>,
    /// The mark of the value whose key was read last: if that is where the decoder still stands,
    /// the value is due, or it takes no bytes and it does not matter.
    pub(super) value_start: u64,
}

impl<'a, R> ObjectAccess<'a, R> {
    pub(super) fn new(de: &'a mut Deserializer<R>, object: Container, fields: &'static [&'static str]) -> Self {
        Self {
            de,
            object,
            fields: fields.iter(),
            value_start: NOWHERE,
        }
    }
}

impl<'de, R: Read<'de>> ObjectAccess<'_, R> {
    pub(super) fn advance(&mut self) -> Result<Option<usize>> {
        self.de.decoder.next_key_len(&mut self.object)
    }

    /// Most documents have the fields in the order of their declaration, and their names are known
    /// to be UTF-8.
    #[inline]
    fn next_expected_field(&mut self) -> Option<&'static str> {
        let name = *self.fields.as_slice().first()?;
        if !self.de.decoder.next_key_is(&mut self.object, name) {
            return None;
        }
        self.fields.next();
        self.value_start = self.de.decoder.mark();
        Some(name)
    }

    #[cold]
    fn located_at_key(&self, error: Error, key: &str) -> Error {
        error.or_offset(self.de.decoder.offset().saturating_sub(key.len() as u64))
    }

    #[inline(never)]
    pub(super) fn next_other_key<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some(key_len) = self.advance()? else {
            return Ok(None);
        };
        let offset = self.de.decoder.offset();
        let lossy = self.de.lossy_utf8;
        let key = self.de.decoder.key(key_len, &self.object)?;
        let text = match key::next_field(&mut self.fields, key.as_bytes()) {
            Some(name) => key::Text::Borrowed(name),
            None => key::Text::new(key, offset, lossy)?,
        };
        let key = seed.deserialize(KeyDeserializer::new(text));
        self.value_start = self.de.decoder.mark();
        key.map(Some).map_err(|error| error.or_offset(offset))
    }

    /// Reads the value of the key that was read.
    #[inline]
    pub(super) fn value<T>(&mut self, read: impl FnOnce(&mut Deserializer<R>) -> Result<T>) -> Result<T> {
        self.de.decoder.begin_value(&self.object);
        match read(self.de) {
            Ok(value) => Ok(value),
            Err(error) => Err(self
                .de
                .value_failed(error, self.value_start, self.object.element.is_some())),
        }
    }

    /// The visitor is done: the object must be, too.
    #[inline]
    pub(super) fn end<T>(&mut self, visited: Result<T>) -> Result<T> {
        let error = match visited {
            Ok(value) if self.object.has_ended() => return Ok(value),
            Ok(value) => match self.advance()? {
                None => return Ok(value),
                Some(key_len) => self.unread(key_len, ErrorCode::UnreadElements),
            },
            Err(error) => error,
        };
        Err(self.failed(error))
    }

    /// The content of a variant was read: its entry must have been the only one.
    pub(super) fn end_variant(&mut self) -> Result<()> {
        match self.advance() {
            Ok(None) => Ok(()),
            Ok(Some(key_len)) => Err(self.unread(key_len, ErrorCode::VariantWithManyKeys)),
            Err(error) => Err(self.de.noted(error)),
        }
    }

    /// The error for an entry that is too many, whose key's length has been read.
    #[cold]
    fn unread(&mut self, key_len: usize, code: ErrorCode) -> Error {
        let error = Error::new(code, self.de.decoder.offset());
        let error = self
            .de
            .skipping(error, |decoder| decoder.skip_key_text(key_len, &self.object));
        self.value_start = self.de.decoder.mark();
        error
    }

    /// The error for a type that asked for no key where one was due.
    #[cold]
    pub(super) fn key_not_read(&self) -> Error {
        Error::new(ErrorCode::UnreadElements, self.de.decoder.offset())
    }

    #[cold]
    pub(super) fn failed(&mut self, error: Error) -> Error {
        self.de.skipping(error, |decoder| {
            if self.value_start == decoder.mark() {
                decoder.begin_value(&self.object);
                decoder.skip_value()?;
            }
            decoder.skip_rest(Open::Object(self.object))
        })
    }
}

impl<'de, R: Read<'de>> MapAccess<'de> for ObjectAccess<'_, R> {
    type Error = Error;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        if let Some(name) = self.next_expected_field() {
            return match seed.deserialize(BorrowedStrDeserializer::<Error>::new(name)) {
                Ok(key) => Ok(Some(key)),
                Err(error) => Err(self.located_at_key(error, name)),
            };
        }
        if self.de.decoder.ends_here(&mut self.object) {
            return Ok(None);
        }
        match self.next_other_key(seed) {
            Ok(key) => Ok(key),
            Err(error) => Err(self.de.noted(error)),
        }
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        self.value(|de| seed.deserialize(de))
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        self.de.decoder.entries_hint(&self.object)
    }
}
