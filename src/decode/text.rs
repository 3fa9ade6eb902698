//! UTF-8: most text is ASCII, and most ASCII short.

use ascii::AsciiStr;

/// The text that `bytes` are, if they are UTF-8.
#[inline]
pub(crate) fn utf8(bytes: &[u8]) -> Option<&str> {
    match AsciiStr::from_ascii(bytes) {
        Ok(text) => Some(text.as_str()),
        Err(_) => non_ascii_utf8(bytes),
    }
}

/// The bits that a text of so many bytes, read as a little-endian word, has only if it is not ASCII.
const NON_ASCII: [u64; 9] = {
    let mut masks = [0; 9];
    let mut byte_len = 1;
    while byte_len < masks.len() {
        masks[byte_len] = masks[byte_len - 1] << 8 | 0x80;
        byte_len += 1;
    }
    masks
};

/// Whether the first `byte_len` bytes of `text` are ASCII, as far as it can be told at a glance: of
/// long texts, and of those near the end of the bytes at hand, it cannot.
#[inline]
pub(crate) fn starts_with_ascii(text: &[u8], byte_len: usize) -> bool {
    match (byte_len, text.split_first_chunk()) {
        (0..=8, Some((head, _))) => u64::from_le_bytes(*head) & NON_ASCII[byte_len] == 0,
        (9..=16, Some((head, tail))) => tail.first_chunk().is_some_and(|tail| {
            let last = u64::from_le_bytes(*tail) & NON_ASCII[byte_len - 8];
            last | (u64::from_le_bytes(*head) & NON_ASCII[8]) == 0
        }),
        _ => false,
    }
}

/// Whether `bytes` are UTF-8.
#[inline]
pub(crate) fn is_utf8(bytes: &[u8]) -> bool {
    bytes.is_ascii() || simdutf8::basic::from_utf8(bytes).is_ok()
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
        // The commonest first.
        4..=7 => Some((
            u32::from_ne_bytes(*text.first_chunk()?).into(),
            u32::from_ne_bytes(*text.last_chunk()?).into(),
        )),
        8..=16 => Some((
            u64::from_ne_bytes(*text.first_chunk()?),
            u64::from_ne_bytes(*text.last_chunk()?),
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
fn non_ascii_utf8(bytes: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(bytes).ok()
}
