//! Payloads: strings and the elements of typed arrays, as slices and in pieces.

use super::reader::{Open, State};
use super::{Reader, Text};
use crate::decode::{Container, Extent};
use crate::error::{Error, ErrorCode, Result};
use crate::marker::Marker;
use crate::read::{Read, Reference};

/// The longest UTF-8 form of a character.
const MAX_CHAR_LEN: usize = 4;

impl<'de, R: Read<'de>> Reader<R> {
    /// The text of the string whose start was the last token, as a whole; empty behind any other
    /// token.
    ///
    /// From a reader it is held in memory, which grows with what arrives;
    /// [`text_chunk`](Self::text_chunk) holds one buffer.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::Utf8`](crate::ErrorKind::Utf8) unless
    ///   [`lossy_utf8`](crate::de::Config::lossy_utf8) is set;
    /// - [`ErrorKind::Eof`](crate::ErrorKind::Eof) and [`ErrorKind::Io`](crate::ErrorKind::Io).
    pub fn text(&mut self) -> Result<Text<'de, '_>> {
        let State::Text { start, left } = self.state else {
            self.bad_text()?;
            return Ok(Text::Borrowed(""));
        };
        self.state = State::Failed;
        let state = self.after_value();
        let decoder = &mut self.de.decoder;
        let byte_len =
            usize::try_from(left).map_err(|_| Error::new(ErrorCode::LengthOverflow(left), decoder.offset()))?;
        let text = Text::new(decoder.take(byte_len, 0)?, start, self.de.lossy_utf8)?;
        self.state = state;
        Ok(text)
    }

    /// The next piece of the text of the string at hand; `None` when there is no more of it.
    ///
    /// From a slice the piece is all that is there; from a reader it is what has arrived, at most
    /// a buffer, and ends between two characters. Of a text that is severed or not UTF-8, the
    /// pieces before the fault come out, and then the error.
    ///
    /// ```
    /// use ubjson::pull::Reader;
    ///
    /// let mut reader = Reader::from_slice(b"Si\x0bhello");
    /// reader.next_event()?;
    /// assert_eq!(reader.text_chunk()?.unwrap(), "hello");
    /// assert!(reader.text_chunk().unwrap_err().is_eof());
    /// # Ok::<(), ubjson::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`text`](Self::text).
    pub fn text_chunk(&mut self) -> Result<Option<Text<'de, '_>>> {
        let State::Text { start, left } = self.state else {
            self.bad_text()?;
            return Ok(None);
        };
        self.state = State::Failed;
        if left == 0 {
            self.state = self.after_value();
            return Ok(None);
        }
        let byte_len = self.text_at_hand(left)?;
        let left_behind = left - byte_len as u64;
        let state = match left_behind {
            0 => self.after_value(),
            left => State::Text { start, left },
        };
        let bytes = self.de.decoder.take(byte_len, left_behind)?;
        let text = match Text::new(bytes, start, self.de.lossy_utf8) {
            Ok(text) => {
                self.state = state;
                text
            }
            Err(error) => {
                let prefix = Text::valid_prefix(bytes).ok_or(error)?;
                self.state = State::BadText { start };
                prefix
            }
        };
        Ok(Some(text))
    }

    /// The error that is due where a text goes on with what is not UTF-8.
    fn bad_text(&mut self) -> Result<()> {
        match self.state {
            State::BadText { start } => {
                self.state = State::Failed;
                Err(Error::new(ErrorCode::InvalidUtf8, start))
            }
            _ => Ok(()),
        }
    }

    /// How many bytes of a text that goes on for `left` bytes can be given out now: at least one
    /// character, and no part of one.
    fn text_at_hand(&mut self, left: u64) -> Result<usize> {
        let decoder = &mut self.de.decoder;
        let mut needed = 1;
        loop {
            if decoder.at_hand().len() < needed {
                decoder.fill(needed, left - needed as u64)?;
            }
            let at_hand = decoder.at_hand();
            let text = match usize::try_from(left) {
                Ok(left) if left <= at_hand.len() => return Ok(left),
                _ => at_hand,
            };
            match text.len() - severed_char_len(text) {
                // Only the start of a character has arrived.
                0 => needed = text.len() + 1,
                byte_len => return Ok(byte_len),
            }
        }
    }

    /// Passes over what is left of a text, checked like any other.
    pub(super) fn skip_text(&mut self) -> Result<()> {
        while self.text_chunk()?.is_some() {}
        Ok(())
    }

    /// The next elements of the typed array at hand as they are on the wire, big-endian, in place
    /// of a token each; `None` when there are no more, and where no array is at hand whose elements
    /// have a fixed size of at least a byte.
    ///
    /// A piece has whole elements: from a slice all that are there, from a reader those that have
    /// arrived, at most a buffer. The array's end is a token as ever.
    ///
    /// ```
    /// use ubjson::pull::{Reader, Token};
    ///
    /// let mut reader = Reader::from_slice(b"[$I#i\x02\x01\x00\x02\x00");
    /// reader.next_event()?;
    /// assert_eq!(reader.packed_chunk()?.unwrap().as_bytes(), [1, 0, 2, 0]);
    /// assert!(reader.packed_chunk()?.is_none());
    /// assert_eq!(reader.next_event()?.unwrap().token, Token::ArrayEnd);
    /// # Ok::<(), ubjson::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::Char`](crate::ErrorKind::Char) in an array of chars;
    /// - [`ErrorKind::Eof`](crate::ErrorKind::Eof) and [`ErrorKind::Io`](crate::ErrorKind::Io).
    pub fn packed_chunk(&mut self) -> Result<Option<Reference<'de, '_>>> {
        let (State::Inside, Some(Open::Array(array))) = (self.state, self.outer.last_mut()) else {
            return Ok(None);
        };
        let Some((element, element_len, left)) = fixed_elements(array) else {
            return Ok(None);
        };
        self.state = State::Failed;
        let decoder = &mut self.de.decoder;
        // The payload is owed as a whole, no longer as elements.
        decoder.begin_payload(left.saturating_mul(element_len as u64));
        if decoder.at_hand().len() < element_len {
            decoder.fill(element_len, (left - 1).saturating_mul(element_len as u64))?;
        }
        let at_hand = decoder.at_hand().len() / element_len;
        let count = usize::try_from(left).unwrap_or(usize::MAX).min(at_hand);
        let left_behind = left - count as u64;
        decoder.owe_elements(left_behind.saturating_mul(element_len as u64));
        array.extent = Extent::Counted(left_behind);
        let offset = decoder.offset();
        let bytes = decoder.take(count * element_len, 0)?;
        if element == Marker::Char {
            check_chars(bytes.as_bytes(), offset)?;
        }
        self.state = State::Inside;
        Ok(Some(bytes))
    }
}

/// The type, size and number of an array's elements, where all have one size that is not zero.
fn fixed_elements(array: &Container) -> Option<(Marker, usize, u64)> {
    let (Some(element), Extent::Counted(left)) = (array.element, array.extent) else {
        return None;
    };
    let element_len = element.payload_len()?;
    (element_len > 0 && left > 0).then_some((element, element_len, left))
}

fn check_chars(bytes: &[u8], offset: u64) -> Result<()> {
    match bytes.iter().position(|byte| !byte.is_ascii()) {
        None => Ok(()),
        Some(at) => {
            let found = bytes.get(at).copied().unwrap_or_default();
            Err(Error::new(ErrorCode::InvalidChar(found), offset + at as u64))
        }
    }
}

/// How many bytes at the end of `text` are the start of a character whose rest is missing.
fn severed_char_len(text: &[u8]) -> usize {
    let last = text.iter().rev().take(MAX_CHAR_LEN - 1).enumerate();
    for (behind, byte) in last {
        let char_len = match byte {
            // Inside of a character: its first byte is further ahead.
            0x80..=0xbf => continue,
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => 1,
        };
        return if char_len > behind + 1 { behind + 1 } else { 0 };
    }
    0
}
