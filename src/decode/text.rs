//! UTF-8: most text is ASCII, and most ASCII short.

use ascii::AsciiStr;

use crate::error::{Error, ErrorCode, Result};

/// The UTF-8 text that `bytes` are, or the error for text that starts at `offset`.
#[inline]
pub(crate) fn utf8(bytes: &[u8], offset: u64) -> Result<&str> {
    match AsciiStr::from_ascii(bytes) {
        Ok(text) => Ok(text.as_str()),
        Err(_) => non_ascii_utf8(bytes, offset),
    }
}

/// Whether `text` is ASCII.
#[inline]
pub(crate) fn is_ascii(text: &[u8]) -> bool {
    const NON_ASCII: u64 = 0x8080_8080_8080_8080;
    match words(text) {
        Some((head, tail)) => (head | tail) & NON_ASCII == 0,
        None => text.is_ascii(),
    }
}

/// Whether two texts of the same length are the same.
#[inline]
pub(super) fn is_same(text: &[u8], other: &[u8]) -> bool {
    match (words(text), words(other)) {
        (Some(text), Some(other)) => text == other,
        _ => text == other,
    }
}

/// The bytes of a text of at most 16 as two words, which may overlap: cheaper to look at than by a
/// call for any length.
#[inline]
fn words(text: &[u8]) -> Option<(u64, u64)> {
    match text.len() {
        8..=16 => Some((
            u64::from_ne_bytes(*text.first_chunk()?),
            u64::from_ne_bytes(*text.last_chunk()?),
        )),
        4..=7 => Some((
            u32::from_ne_bytes(*text.first_chunk()?).into(),
            u32::from_ne_bytes(*text.last_chunk()?).into(),
        )),
        2..=3 => Some((
            u16::from_ne_bytes(*text.first_chunk()?).into(),
            u16::from_ne_bytes(*text.last_chunk()?).into(),
        )),
        1 => Some((u64::from(*text.first()?), 0)),
        0 => Some((0, 0)),
        _ => None,
    }
}

#[inline(never)]
fn non_ascii_utf8(bytes: &[u8], offset: u64) -> Result<&str> {
    simdutf8::basic::from_utf8(bytes).map_err(|_| Error::new(ErrorCode::InvalidUtf8, offset))
}
