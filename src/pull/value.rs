//! Whole values: passed over, or read through serde.

use serde_core::de::{Deserialize, DeserializeSeed};

use super::Reader;
use super::reader::{Open, State, end_offset};
use crate::error::{Error, Result};
use crate::read::Read;

impl<'de, R: Read<'de>> Reader<R> {
    /// Passes over the next value with all that is in it; false where none is left, in a
    /// container whose end is next or behind the document.
    ///
    /// In an array that is the next element; in an object the value of the key that was read, or
    /// the next entry as a whole. The rest of a string at hand is passed over first. Skipped values
    /// are checked like any other.
    ///
    /// ```
    /// use ubjson::pull::{Reader, Token};
    ///
    /// let mut reader = Reader::from_slice(b"{i\x01a[[[]]]i\x01bT}");
    /// let mut keys = Vec::new();
    /// while let Some(event) = reader.next_event()? {
    ///     if let Token::Key(_, key) = event.token {
    ///         keys.push(key.to_string());
    ///         reader.skip_value()?;
    ///     }
    /// }
    /// assert_eq!(keys, ["a", "b"]);
    /// # Ok::<(), ubjson::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`next_event`](Self::next_event).
    pub fn skip_value(&mut self) -> Result<bool> {
        if !self.begin_value()? {
            return Ok(false);
        }
        self.state = State::Failed;
        self.de.decoder.skip_value()?;
        self.state = self.after_value();
        Ok(true)
    }

    /// Passes over the rest of the innermost container, its end included; outside of containers,
    /// over the rest of the document.
    ///
    /// # Errors
    ///
    /// As [`next_event`](Self::next_event).
    pub fn skip_rest(&mut self) -> Result<()> {
        while self.skip_value()? {}
        if let State::End { offset } = self.state {
            self.end_event(offset);
        }
        Ok(())
    }

    /// Reads the next value through serde; `None` where none is left, as
    /// [`skip_value`](Self::skip_value) has it.
    ///
    /// A value that is not what `T` wants gives an error of kind
    /// [`Data`](crate::ErrorKind::Data), or [`Number`](crate::ErrorKind::Number) for a number out
    /// of range; it has been passed over, and the reader goes on behind it.
    ///
    /// ```
    /// use ubjson::pull::{Reader, Token};
    ///
    /// let mut reader = Reader::from_slice(b"{i\x04rows[[i\x01i\x02][i\x03i\x04]]}");
    /// // Into the object, behind the key and into the array.
    /// for _ in 0..3 {
    ///     reader.next_event()?;
    /// }
    /// let mut sum = 0;
    /// while let Some((x, y)) = reader.next_value::<(i32, i32)>()? {
    ///     sum += x * y;
    /// }
    /// assert_eq!(sum, 14);
    /// # Ok::<(), ubjson::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`from_slice`](crate::from_slice), but never
    /// [`ErrorKind::Trailing`](crate::ErrorKind::Trailing).
    pub fn next_value<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.next_value_seed(core::marker::PhantomData)
    }

    /// As [`next_value`](Self::next_value), with a seed.
    ///
    /// # Errors
    ///
    /// As [`next_value`](Self::next_value).
    pub fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        if !self.begin_value()? {
            return Ok(None);
        }
        self.state = State::Failed;
        let is_element = self.de.decoder.is_elided();
        let read = self.de.recovering(is_element, |de| seed.deserialize(de));
        if read.as_ref().map_or_else(Error::is_recoverable, |_| true) {
            self.state = self.after_value();
        }
        read.map(Some)
    }

    /// Moves to the next value; false where none is left.
    fn begin_value(&mut self) -> Result<bool> {
        self.skip_text()?;
        match self.state {
            State::Start => {
                self.de.decoder.begin_document();
                self.state = State::Value;
                Ok(true)
            }
            State::Value => Ok(true),
            State::Inside => self.next_inside(),
            _ => Ok(false),
        }
    }

    /// Moves to the next value in the innermost container, over its key; false at the end.
    fn next_inside(&mut self) -> Result<bool> {
        self.state = State::Failed;
        let decoder = &mut self.de.decoder;
        let (follows, container) = match self.outer.last_mut() {
            Some(Open::Array(array)) => (decoder.next_element(array)?, array),
            Some(Open::Object(object)) => (decoder.skip_key(object)?, object),
            None => return Ok(false),
        };
        self.state = match follows {
            true => State::Value,
            false => State::End {
                offset: end_offset(decoder, container),
            },
        };
        Ok(follows)
    }
}
