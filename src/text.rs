//! Text as a source lends it.

use alloc::string::String;
use core::fmt;
use core::ops::Deref;

use serde_core::de::Visitor;

use crate::decode::utf8;
use crate::error::{Error, ErrorCode, Result};
use crate::read::Reference;

/// Text of a document: part of the input, part of the reader's buffer, or a repaired copy.
#[derive(Clone, Debug)]
pub enum Text<'de, 's> {
    /// Part of the input; the source is a slice.
    Borrowed(&'de str),
    /// Part of the reader's buffer.
    Transient(&'s str),
    /// What was not UTF-8 has been replaced by U+FFFD; see
    /// [`lossy_utf8`](crate::de::Config::lossy_utf8).
    Repaired(String),
}

/// The text that `bytes` come closest to: U+FFFD in place of what is not UTF-8.
#[cold]
pub(crate) fn repaired(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl<'de, 's> Text<'de, 's> {
    /// The text that `bytes` are; `offset` is where the whole text starts, for the error.
    #[inline]
    pub(crate) fn new(bytes: Reference<'de, 's>, offset: u64, lossy: bool) -> Result<Self> {
        let text = match bytes {
            Reference::Borrowed(bytes) => utf8(bytes).map(Self::Borrowed),
            Reference::Transient(bytes) => utf8(bytes).map(Self::Transient),
        };
        match text {
            Some(text) => Ok(text),
            None if lossy => Ok(Self::Repaired(repaired(bytes.as_bytes()))),
            None => Err(Error::new(ErrorCode::InvalidUtf8, offset)),
        }
    }

    /// The text before what is not UTF-8 in `bytes`, if there is any.
    pub(crate) fn valid_prefix(bytes: Reference<'de, 's>) -> Option<Self> {
        match bytes {
            Reference::Borrowed(bytes) => valid_prefix(bytes).map(Self::Borrowed),
            Reference::Transient(bytes) => valid_prefix(bytes).map(Self::Transient),
        }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Transient(text) => text,
            Self::Repaired(text) => text,
        }
    }

    /// Gives the text to a visitor, borrowed where the source lends.
    #[inline]
    pub(crate) fn visit<'v, V: Visitor<'v>>(self, visitor: V) -> Result<V::Value>
    where
        'de: 'v,
    {
        match self {
            Self::Borrowed(text) => visitor.visit_borrowed_str(text),
            Self::Transient(text) => visitor.visit_str(text),
            Self::Repaired(text) => visitor.visit_string(text),
        }
    }

    /// The text as a string of its own.
    #[must_use]
    pub fn into_string(self) -> String {
        match self {
            Self::Borrowed(text) => text.into(),
            Self::Transient(text) => text.into(),
            Self::Repaired(text) => text,
        }
    }
}

fn valid_prefix(bytes: &[u8]) -> Option<&str> {
    let valid = bytes.utf8_chunks().next()?.valid();
    (!valid.is_empty()).then_some(valid)
}

impl Deref for Text<'_, '_> {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for Text<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Two texts are equal if they read the same, wherever they lie.
impl PartialEq for Text<'_, '_> {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl PartialEq<str> for Text<'_, '_> {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Text<'_, '_> {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}
