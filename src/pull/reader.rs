//! The reader: an explicit stack of open containers over the decoder's tokens.
//!
//! Maintainers: every step sets the state to `Failed` before it does anything that can fail, and to
//! what follows when it has succeeded, so an error leaves a spent reader behind.

use alloc::vec::Vec;
use core::mem;
#[cfg(feature = "std")]
use std::io;

use super::{Event, Header, Length, Scalar, Text, Token};
use crate::de::Deserializer;
use crate::decode::{Container, Decoder, Extent};
use crate::error::{Error, ErrorCode, Expected, Result};
use crate::marker::{Marker, byte};
use crate::number;
#[cfg(feature = "std")]
use crate::read::{IoRead, Seekable};
use crate::read::{Read, SliceRead};

/// A container whose end has not been reached.
#[derive(Clone, Copy, Debug)]
pub(super) enum Open {
    Array(Container),
    Object(Container),
}

/// What comes next.
#[derive(Clone, Copy, Debug)]
pub(super) enum State {
    /// A document that has not been begun.
    Start,
    /// A value, whose marker has not been read.
    Value,
    /// An element, a key or the end of the innermost container.
    Inside,
    /// The end of the innermost container, which has been read.
    End { offset: u64 },
    /// The rest of a string that starts at `start`.
    Text { start: u64, left: u64 },
    /// What is not UTF-8 in the string that starts at `start`; what is before it has been read.
    BadText { start: u64 },
    /// Nothing more of this document.
    Done,
    /// Nothing more at all.
    Failed,
}

/// Reads documents token by token.
///
/// ```
/// use ubjson::pull::{Reader, Scalar, Token};
///
/// let mut reader = Reader::from_slice(b"[i\x05Si\x02hi]");
/// let mut seen = Vec::new();
/// while let Some(event) = reader.next_event()? {
///     match event.token {
///         Token::Scalar(Scalar::Int8(number)) => seen.push(format!("{} at {}", number, event.offset)),
///         Token::String(_) => seen.push(reader.text()?.to_string()),
///         _ => {}
///     }
/// }
/// assert_eq!(seen, ["5 at 1", "hi"]);
/// # Ok::<(), ubjson::Error>(())
/// ```
///
/// After an error it is spent and gives out nothing more, except that
/// [`next_value`](Self::next_value) goes on behind a value of another type.
#[derive(Debug)]
pub struct Reader<R> {
    pub(super) de: Deserializer<R>,
    pub(super) outer: Vec<Open>,
    pub(super) state: State,
}

impl<'de> Reader<SliceRead<'de>> {
    /// Reads from a slice, of which texts and payloads are parts.
    #[must_use]
    pub fn from_slice(bytes: &'de [u8]) -> Self {
        Deserializer::from_slice(bytes).into()
    }
}

#[cfg(feature = "std")]
impl<R: io::Read> Reader<IoRead<R>> {
    /// Reads from a reader and takes no byte that is not the document's.
    pub fn from_reader(reader: R) -> Self {
        Deserializer::from_reader(reader).into()
    }
}

#[cfg(feature = "std")]
impl<R: io::Read + io::Seek> Reader<IoRead<R, Seekable>> {
    /// Reads ahead in whole buffers; [`finish`](Self::finish) seeks back to
    /// [`byte_offset`](Self::byte_offset).
    pub fn from_seekable(reader: R) -> Self {
        Deserializer::from_seekable(reader).into()
    }
}

/// With the options that the deserializer was made with; what it has read is behind.
///
/// ```
/// use ubjson::{de, pull::Reader};
///
/// let mut reader = Reader::from(de::Config::new().lossy_utf8(true).deserializer_from_slice(b"Si\x02a\xff"));
/// reader.next_event()?;
/// assert_eq!(reader.text()?, "a\u{fffd}");
/// # Ok::<(), ubjson::Error>(())
/// ```
impl<R> From<Deserializer<R>> for Reader<R> {
    fn from(deserializer: Deserializer<R>) -> Self {
        Self {
            de: deserializer,
            outer: Vec::new(),
            state: State::Start,
        }
    }
}

impl<R> Reader<R> {
    /// How many containers are open.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.outer.len()
    }

    /// The deserializer below, which goes on behind the last token that was read.
    #[must_use]
    pub fn into_deserializer(self) -> Deserializer<R> {
        self.de
    }
}

impl<'de, R: Read<'de>> Reader<R> {
    /// How many bytes have been consumed since the source was opened: the end of the last token.
    #[must_use]
    pub fn byte_offset(&self) -> u64 {
        self.de.decoder.offset()
    }

    /// Gives back what was read ahead, so that a seekable reader stands at
    /// [`byte_offset`](Self::byte_offset). Does nothing for other sources.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if seeking fails or ends up elsewhere.
    pub fn finish(&mut self) -> Result<()> {
        self.de.finish()
    }

    /// Moves to the next document and says whether there is one: not at a clean end of the input,
    /// nor after an error. What is left of the document at hand is passed over.
    ///
    /// Not needed before the first document. No-ops between documents are skipped; a document of
    /// no-ops alone is none.
    ///
    /// # Errors
    ///
    /// As [`next_event`](Self::next_event), for what is passed over.
    pub fn next_document(&mut self) -> Result<bool> {
        while matches!(
            self.state,
            State::Value | State::Inside | State::End { .. } | State::Text { .. } | State::BadText { .. }
        ) {
            self.skip_rest()?;
        }
        if let State::Failed = self.state {
            return Ok(false);
        }
        self.state = State::Failed;
        let follows = self.de.decoder.peek_document()?.is_some();
        self.de.decoder.begin_document();
        self.state = if follows { State::Value } else { State::Done };
        Ok(follows)
    }

    /// The next token; `None` behind the last one of the document, where the source is not asked
    /// for anything, and after an error.
    ///
    /// # Errors
    ///
    /// Every kind but [`ErrorKind::Trailing`](crate::ErrorKind::Trailing) and
    /// [`ErrorKind::Data`](crate::ErrorKind::Data).
    pub fn next_event(&mut self) -> Result<Option<Event<'de, '_>>> {
        self.skip_text()?;
        match mem::replace(&mut self.state, State::Failed) {
            State::Start => {
                self.de.decoder.begin_document();
                self.value_event().map(Some)
            }
            State::Value => self.value_event().map(Some),
            State::Inside => self.inside_event().map(Some),
            State::End { offset } => Ok(self.end_event(offset)),
            state => {
                self.state = state;
                Ok(None)
            }
        }
    }

    /// The token that comes next in the innermost container.
    fn inside_event(&mut self) -> Result<Event<'de, '_>> {
        let decoder = &mut self.de.decoder;
        match self.outer.last_mut() {
            Some(Open::Array(array)) => {
                let follows = decoder.next_element(array)?;
                let offset = end_offset(decoder, array);
                match follows {
                    true => self.value_event(),
                    false => Ok(self.close(offset, Token::ArrayEnd)),
                }
            }
            Some(Open::Object(object)) => {
                decoder.skip_to_key(object)?;
                let offset = decoder.offset();
                let marker = decoder.at_hand().first().copied().and_then(Marker::from_byte);
                let (Some(byte_len), Some(marker)) = (decoder.next_key_len(object)?, marker) else {
                    return Ok(self.close(offset, Token::ObjectEnd));
                };
                let object = *object;
                self.key_event(offset, marker, byte_len, &object)
            }
            None => self.value_event(),
        }
    }

    /// The key whose length has been read.
    fn key_event(
        &mut self,
        offset: u64,
        marker: Marker,
        byte_len: usize,
        object: &Container,
    ) -> Result<Event<'de, '_>> {
        let length = Length {
            marker,
            value: byte_len as u64,
        };
        let decoder = &mut self.de.decoder;
        decoder.begin_value(object);
        let text_offset = decoder.offset();
        let key = decoder.key(byte_len, object)?;
        let text = Text::new(key, text_offset, self.de.lossy_utf8)?;
        self.state = State::Value;
        Ok(Event {
            offset,
            end: text_offset + length.value,
            token: Token::Key(length, text),
        })
    }

    /// The value that comes next, or its start.
    fn value_event(&mut self) -> Result<Event<'de, '_>> {
        let decoder = &mut self.de.decoder;
        let marker = decoder.peek_marker()?;
        let offset = decoder.offset();
        decoder.consume_marker();
        let scalar = match marker {
            byte::NULL => Scalar::Null,
            byte::TRUE => Scalar::Bool(true),
            byte::FALSE => Scalar::Bool(false),
            byte::INT8 => Scalar::Int8(i8::from_be_bytes(decoder.payload()?)),
            byte::UINT8 => Scalar::Uint8(u8::from_be_bytes(decoder.payload()?)),
            byte::INT16 => Scalar::Int16(i16::from_be_bytes(decoder.payload()?)),
            byte::INT32 => Scalar::Int32(i32::from_be_bytes(decoder.payload()?)),
            byte::INT64 => Scalar::Int64(i64::from_be_bytes(decoder.payload()?)),
            byte::FLOAT32 => Scalar::Float32(f32::from_be_bytes(decoder.payload()?)),
            byte::FLOAT64 => Scalar::Float64(f64::from_be_bytes(decoder.payload()?)),
            byte::CHAR => Scalar::Char(decoder.char()?),
            byte::STRING => return self.string_event(offset),
            byte::HIGH_PRECISION => return self.number_event(offset),
            byte::ARRAY_START => {
                let array = decoder.open_array()?;
                return Ok(self.open(offset, Open::Array(array), Token::Array(header(&array))));
            }
            byte::OBJECT_START => {
                let object = decoder.open_object()?;
                return Ok(self.open(offset, Open::Object(object), Token::Object(header(&object))));
            }
            found => return Err(decoder.unexpected_marker(found, Expected::Value)),
        };
        let end = decoder.offset();
        self.state = self.after_value();
        let token = Token::Scalar(scalar);
        Ok(Event { offset, end, token })
    }

    fn string_event(&mut self, offset: u64) -> Result<Event<'de, '_>> {
        let length = self.length(Expected::StringLength, 0)?;
        let end = self.de.decoder.offset();
        self.state = State::Text {
            start: end,
            left: length.value,
        };
        let token = Token::String(length);
        Ok(Event { offset, end, token })
    }

    fn number_event(&mut self, offset: u64) -> Result<Event<'de, '_>> {
        let length = self.length(Expected::NumberLength, 1)?;
        let state = self.after_value();
        let decoder = &mut self.de.decoder;
        let text_offset = decoder.offset();
        let byte_len = usize::try_from(length.value)
            .map_err(|_| Error::new(ErrorCode::LengthOverflow(length.value), offset + 1))?;
        let bytes = decoder.take(byte_len, 0)?;
        if number::validate(bytes.as_bytes()).is_none() {
            return Err(Error::new(ErrorCode::InvalidNumber, text_offset));
        }
        let text = Text::new(bytes, text_offset, false)?;
        self.state = state;
        Ok(Event {
            offset,
            end: text_offset + length.value,
            token: Token::HighPrecision(length, text),
        })
    }

    /// A length behind its value's marker; `more` bytes are owed behind it.
    fn length(&mut self, expected: Expected, more: u64) -> Result<Length> {
        let decoder = &mut self.de.decoder;
        let found = decoder.length_marker(more)?;
        let value = decoder.length_behind(found, expected, more)?;
        match Marker::from_byte(found) {
            Some(marker) => Ok(Length { marker, value }),
            None => Err(decoder.unexpected_marker(found, expected)),
        }
    }

    fn open(&mut self, offset: u64, open: Open, token: Token<'de, 'static>) -> Event<'de, 'static> {
        self.outer.push(open);
        self.state = State::Inside;
        let end = self.de.decoder.offset();
        Event { offset, end, token }
    }

    fn close(&mut self, offset: u64, token: Token<'de, 'static>) -> Event<'de, 'static> {
        self.outer.pop();
        self.de.decoder.leave();
        self.state = self.after_value();
        let end = self.de.decoder.offset();
        Event { offset, end, token }
    }

    /// What follows when a value has been read to its end.
    pub(super) fn after_value(&self) -> State {
        match self.outer.is_empty() {
            true => State::Done,
            false => State::Inside,
        }
    }

    /// The end of the innermost container, which has been read.
    pub(super) fn end_event(&mut self, offset: u64) -> Option<Event<'de, 'static>> {
        let token = match self.outer.last()? {
            Open::Array(_) => Token::ArrayEnd,
            Open::Object(_) => Token::ObjectEnd,
        };
        Some(self.close(offset, token))
    }
}

/// Where a container ended that has been read to its end.
pub(super) fn end_offset<'de, R: Read<'de>>(decoder: &Decoder<R>, container: &Container) -> u64 {
    match container.count_marker {
        None => decoder.offset().saturating_sub(1),
        Some(_) => decoder.offset(),
    }
}

/// What the header of a container said that has just been opened.
fn header(container: &Container) -> Header {
    let count = match (container.extent, container.count_marker) {
        (Extent::Counted(value), Some(marker)) => Some(Length { marker, value }),
        _ => None,
    };
    Header {
        element: container.element,
        count,
    }
}
