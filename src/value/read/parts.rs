//! A value taken apart: what serde's visitors get of it.

use alloc::borrow::Cow;
use alloc::sync::Arc;
use alloc::vec::{self, Vec};
use core::slice;

use serde_core::de::{self, DeserializeSeed, MapAccess, SeqAccess, Unexpected, Visitor};

use super::ValueDeserializer;
use crate::de::{KeyDeserializer, KeyText};
use crate::error::{Error, ErrorCode, Result};
use crate::number::{self, ParsedNumber};
use crate::value::map::{IntoIter as IntoEntries, Iter as Entries};
use crate::value::number::Repr;
use crate::value::{Number, PackedArray, Value, ascii_text};

/// A value by its kind, owned or borrowed.
pub(super) enum Parts<'de> {
    Null,
    Bool(bool),
    Number(Cow<'de, Number>),
    Char(char),
    Text(Cow<'de, str>),
    Array(Elements<'de>),
    Packed(Cow<'de, PackedArray>),
    Object(Members<'de>),
}

impl<'de> From<Cow<'de, Value>> for Parts<'de> {
    fn from(value: Cow<'de, Value>) -> Self {
        match value {
            Cow::Borrowed(value) => match value {
                Value::Null => Self::Null,
                Value::Bool(value) => Self::Bool(*value),
                Value::Number(number) => Self::Number(Cow::Borrowed(number)),
                Value::Char(char) => Self::Char(*char),
                Value::String(text) => Self::Text(Cow::Borrowed(text)),
                Value::Array(array) => Self::Array(Elements::Borrowed(array.iter())),
                Value::Packed(packed) => Self::Packed(Cow::Borrowed(packed)),
                Value::Object(map) => Self::Object(Members::borrowed(map.iter())),
            },
            Cow::Owned(value) => match value {
                Value::Null => Self::Null,
                Value::Bool(value) => Self::Bool(value),
                Value::Number(number) => Self::Number(Cow::Owned(number)),
                Value::Char(char) => Self::Char(char),
                Value::String(text) => Self::Text(Cow::Owned(text)),
                Value::Array(array) => Self::Array(Elements::Owned(array.into_iter())),
                Value::Packed(packed) => Self::Packed(Cow::Owned(packed)),
                Value::Object(map) => Self::Object(Members::owned(map.into_iter())),
            },
        }
    }
}

impl<'de> Parts<'de> {
    /// Visits the value as what it is.
    pub(super) fn visit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self {
            Self::Null => visitor.visit_unit(),
            Self::Bool(value) => visitor.visit_bool(value),
            Self::Number(number) => visit_number(&number, visitor),
            Self::Char(char) => match ascii_text(char) {
                Some(text) => visitor.visit_borrowed_str(text),
                None => visitor.visit_char(char),
            },
            Self::Text(Cow::Borrowed(text)) => visitor.visit_borrowed_str(text),
            Self::Text(Cow::Owned(text)) => visitor.visit_string(text),
            Self::Array(elements) => elements.visit(visitor),
            Self::Packed(packed) => Elements::packed(packed).visit(visitor),
            Self::Object(members) => members.visit(visitor),
        }
    }
}

/// Visits the number by its width, a high-precision one as the narrowest Rust number.
fn visit_number<'de, V: Visitor<'de>>(number: &Number, visitor: V) -> Result<V::Value> {
    match number.repr() {
        Repr::Int8(value) => visitor.visit_i8(*value),
        Repr::Uint8(value) => visitor.visit_u8(*value),
        Repr::Int16(value) => visitor.visit_i16(*value),
        Repr::Int32(value) => visitor.visit_i32(*value),
        Repr::Int64(value) => visitor.visit_i64(*value),
        Repr::Float32(value) => visitor.visit_f32(*value),
        Repr::Float64(value) => visitor.visit_f64(*value),
        Repr::HighPrecision(text) => match number::parse(text.as_bytes()) {
            Some(ParsedNumber::Unsigned(value)) => visitor.visit_u64(value),
            Some(ParsedNumber::Signed(value)) => visitor.visit_i64(value),
            Some(ParsedNumber::Unsigned128(value)) => visitor.visit_u128(value),
            Some(ParsedNumber::Signed128(value)) => visitor.visit_i128(value),
            Some(ParsedNumber::Float(value)) => visitor.visit_f64(value),
            Some(ParsedNumber::OutOfRange) | None => Err(Error::without_offset(ErrorCode::NumberOutOfRange)),
        },
    }
}

/// The elements of an array that are left.
pub(super) enum Elements<'de> {
    Borrowed(slice::Iter<'de, Value>),
    Owned(vec::IntoIter<Value>),
    Packed { packed: Cow<'de, PackedArray>, next: usize },
}

impl<'de> Iterator for Elements<'de> {
    type Item = Cow<'de, Value>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Borrowed(elements) => elements.next().map(Cow::Borrowed),
            Self::Owned(elements) => elements.next().map(Cow::Owned),
            Self::Packed { packed, next } => {
                let number = packed.get(*next)?;
                *next += 1;
                Some(Cow::Owned(number.into()))
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Borrowed(elements) => elements.size_hint(),
            Self::Owned(elements) => elements.size_hint(),
            Self::Packed { packed, next } => {
                let left = packed.len() - next;
                (left, Some(left))
            }
        }
    }
}

impl<'de> Elements<'de> {
    pub(super) fn packed(packed: Cow<'de, PackedArray>) -> Self {
        Self::Packed { packed, next: 0 }
    }

    fn visit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let value = visitor.visit_seq(&mut self)?;
        match self.next() {
            None => Ok(value),
            Some(_) => Err(Error::without_offset(ErrorCode::UnreadElements)),
        }
    }

    /// The integers from 0 to 255 that the elements are.
    pub(super) fn bytes(self) -> Result<Vec<u8>> {
        let expected = &"an integer from 0 to 255";
        self.map(|element| match (&*element, element.as_i64()) {
            (Value::Char(char), _) => {
                u8::try_from(*char).map_err(|_| de::Error::invalid_value(Unexpected::Char(*char), expected))
            }
            (_, Some(value)) => {
                u8::try_from(value).map_err(|_| de::Error::invalid_value(Unexpected::Signed(value), expected))
            }
            (other, None) => Err(de::Error::invalid_type(other.unexpected(), expected)),
        })
        .collect()
    }
}

impl<'de> SeqAccess<'de> for Elements<'de> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let element = self.next().map(ValueDeserializer::new);
        element.map(|element| seed.deserialize(element)).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Iterator::size_hint(self).1
    }
}

/// A key of an object.
pub(super) enum Key<'de> {
    Borrowed(&'de str),
    Shared(Arc<str>),
}

impl<'de> Key<'de> {
    pub(super) fn read<S: DeserializeSeed<'de>>(&self, seed: S) -> Result<S::Value> {
        let text = match self {
            Self::Borrowed(key) => KeyText::Borrowed(key),
            Self::Shared(key) => KeyText::Transient(key),
        };
        seed.deserialize(KeyDeserializer::new(text))
    }
}

/// The entries of an object that are left.
pub(super) struct Members<'de> {
    rest: MembersIter<'de>,
    /// The value whose key was given out.
    value: Option<Cow<'de, Value>>,
}

enum MembersIter<'de> {
    Borrowed(Entries<'de>),
    Owned(IntoEntries),
}

impl<'de> Members<'de> {
    fn borrowed(entries: Entries<'de>) -> Self {
        Self {
            rest: MembersIter::Borrowed(entries),
            value: None,
        }
    }

    fn owned(entries: IntoEntries) -> Self {
        Self {
            rest: MembersIter::Owned(entries),
            value: None,
        }
    }

    pub(super) fn next(&mut self) -> Option<(Key<'de>, Cow<'de, Value>)> {
        match &mut self.rest {
            MembersIter::Borrowed(entries) => {
                let (key, value) = entries.next()?;
                Some((Key::Borrowed(key), Cow::Borrowed(value)))
            }
            MembersIter::Owned(entries) => {
                let (key, value) = entries.next()?;
                Some((Key::Shared(key), Cow::Owned(value)))
            }
        }
    }

    fn visit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let value = visitor.visit_map(&mut self)?;
        match self.next() {
            None => Ok(value),
            Some(_) => Err(Error::without_offset(ErrorCode::UnreadElements)),
        }
    }
}

impl<'de> MapAccess<'de> for Members<'de> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some((key, value)) = self.next() else {
            return Ok(None);
        };
        self.value = Some(value);
        key.read(seed).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        match self.value.take() {
            Some(value) => seed.deserialize(ValueDeserializer::new(value)),
            None => Err(Error::without_offset(ErrorCode::ValueWithoutKey)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        let (lower, _) = match &self.rest {
            MembersIter::Borrowed(entries) => entries.size_hint(),
            MembersIter::Owned(entries) => entries.size_hint(),
        };
        Some(lower)
    }
}
