//! The elements of one array, one by one: `Elements`.

use alloc::format;
use alloc::vec::Vec;
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

use serde_core::de::{self, Deserialize};

use super::Deserializer;
use crate::decode::{Container, Decoder, Extent};
use crate::error::{Error, Expected, Result};
use crate::marker::{Marker, byte};
use crate::read::Read;
use crate::skip::{Open, check_text};

/// Reads the elements of one array, one an item; made by [`Deserializer::elements`] and
/// [`Deserializer::elements_at`].
///
/// Memory holds one element at a time, whatever the size of the array. The iterator gives `None`
/// at the array's end. An element that is not what `T` wants gives an error of kind
/// [`Data`](crate::ErrorKind::Data), or [`Number`](crate::ErrorKind::Number) for a number out of
/// range; it has been passed over, and the next one follows. Nothing but `None` follows any other
/// error.
///
/// The deserializer stands behind the last element that was given out. [`finish`](Self::finish)
/// passes over what is left of the document, after which the deserializer is ready for the next
/// one; dropping the iterator leaves it where it stands.
#[must_use = "elements are read as the iterator is advanced"]
pub struct Elements<'a, 'de, R, T> {
    de: &'a mut Deserializer<R>,
    array: Container,
    /// The objects around the array, the innermost last.
    outer: Vec<Container>,
    state: State,
    input: PhantomData<&'de ()>,
    items: PhantomData<fn() -> T>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Reading,
    /// The end of the array has been read.
    Ended,
    Failed,
}

impl<'de, R: Read<'de>> Deserializer<R> {
    /// Reads the next document, an array of any form, element by element.
    ///
    /// ```
    /// use std::io::Cursor;
    ///
    /// let file = Cursor::new(b"[[i\x01i\x02][i\x03i\x04][i\x05i\x06]]T");
    /// let mut deserializer = ubjson::Deserializer::from_seekable(file);
    /// let mut rows = deserializer.elements::<(i32, i32)>()?;
    /// assert_eq!(rows.next().transpose()?, Some((1, 2)));
    /// assert_eq!(rows.next().transpose()?, Some((3, 4)));
    /// rows.finish()?;
    /// assert_eq!(deserializer.into_inner()?.position(), 20);
    /// # Ok::<(), ubjson::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::Data`](crate::ErrorKind::Data) if the document is no array. It has been passed
    ///   over then.
    /// - Other kinds if it is broken; see [`from_slice`](crate::from_slice) and
    ///   [`from_reader`](crate::from_reader).
    pub fn elements<T: Deserialize<'de>>(&mut self) -> Result<Elements<'_, 'de, R, T>> {
        self.elements_at(&[])
    }

    /// Reads the elements of an array that stands in the next document, within objects, under the
    /// keys of `path`, the outermost first. Of equal keys in one object the first counts.
    ///
    /// What stands in front of the array is passed over here; what stands behind it by
    /// [`Elements::finish`].
    ///
    /// ```
    /// let document = b"{i\x04metaTi\x04data{i\x04rows[$U#i\x03\x07\x08\x09i\x01xF}}";
    /// let mut deserializer = ubjson::Deserializer::from_slice(document);
    /// let mut rows = deserializer.elements_at::<u32>(&["data", "rows"])?;
    /// assert_eq!(rows.remaining(), Some(3));
    /// assert_eq!(rows.by_ref().sum::<ubjson::Result<u32>>()?, 24);
    /// rows.finish()?;
    /// deserializer.end()?;
    /// # Ok::<(), ubjson::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`elements`](Self::elements); [`ErrorKind::Data`](crate::ErrorKind::Data) also if a key
    /// is missing, or one on the way to the last has no object.
    pub fn elements_at<T: Deserialize<'de>>(&mut self, path: &[&str]) -> Result<Elements<'_, 'de, R, T>> {
        self.decoder.begin_document();
        let mut outer = Vec::with_capacity(path.len());
        match self.open_array_at(path, &mut outer) {
            Ok(array) => Ok(Elements {
                de: self,
                array,
                outer,
                state: State::Reading,
                input: PhantomData,
                items: PhantomData,
            }),
            Err(error) if error.is_recoverable() => {
                self.decoder.skip_objects(&mut outer)?;
                Err(error)
            }
            Err(error) => Err(error),
        }
    }

    /// Opens the array under `path`, and the objects around it. After an error of kind `Data`
    /// what is left of the objects is to be skipped.
    fn open_array_at(&mut self, path: &[&str], outer: &mut Vec<Container>) -> Result<Container> {
        for key in path {
            let start = self.open_marker(byte::OBJECT_START, &"an object")?;
            let mut object = self.decoder.open_object()?;
            let found = self.find_key(&mut object, key);
            outer.push(object);
            if !found? {
                let missing: Error = de::Error::custom(format!("no key `{key}` in the object"));
                return Err(missing.or_offset(start));
            }
        }
        self.open_marker(byte::ARRAY_START, &"an array")?;
        self.decoder.open_array()
    }

    /// Consumes the next value's marker, which must be `wanted`, and gives its offset; passes over
    /// any other value.
    fn open_marker(&mut self, wanted: u8, expected: &dyn de::Expected) -> Result<u64> {
        let found = self.decoder.peek_marker()?;
        let start = self.decoder.offset();
        self.decoder.consume_marker();
        if found == wanted {
            return Ok(start);
        }
        let Some(marker) = Marker::from_byte(found) else {
            return Err(self.decoder.unexpected_marker(found, Expected::Value));
        };
        self.decoder.skip_payload(found)?;
        let error: Error = de::Error::invalid_type(marker.unexpected(), expected);
        Err(error.or_offset(start))
    }

    /// Moves to the value of a key; false if the object, which is then at its end, has no such key.
    fn find_key(&mut self, object: &mut Container, wanted: &str) -> Result<bool> {
        while let Some(byte_len) = self.decoder.next_key_len(object)? {
            let offset = self.decoder.offset();
            let key = self.decoder.key(byte_len, object)?;
            let is_found = key.as_bytes() == wanted.as_bytes();
            check_text(&key, offset, is_found || self.lossy_utf8)?;
            self.decoder.begin_value(object);
            if is_found {
                return Ok(true);
            }
            self.decoder.skip_value()?;
        }
        Ok(false)
    }
}

impl<'de, R: Read<'de>> Decoder<R> {
    /// Consumes what is left of objects within each other, the innermost last.
    fn skip_objects(&mut self, objects: &mut Vec<Container>) -> Result<()> {
        while let Some(object) = objects.pop() {
            self.skip_rest(Open::Object(object))?;
            self.leave();
        }
        Ok(())
    }
}

impl<'de, R: Read<'de>, T> Elements<'_, 'de, R, T> {
    /// How many elements are left, where the array says so.
    #[must_use]
    pub fn remaining(&self) -> Option<u64> {
        match self.array.extent {
            Extent::Counted(left) => Some(left),
            Extent::Plain => None,
        }
    }

    /// How many bytes have been consumed since the deserializer was made: the end of the last
    /// element.
    #[must_use]
    pub fn byte_offset(&self) -> u64 {
        self.de.byte_offset()
    }

    /// Passes over what is left of the document: elements that were not asked for, and what
    /// follows the array in the objects around it. All of it is checked like any other.
    ///
    /// # Errors
    ///
    /// The document is broken, now or in an error that was given out before.
    pub fn finish(mut self) -> Result<()> {
        match self.state {
            State::Reading => {
                self.de.decoder.skip_rest(Open::Array(self.array))?;
                self.de.decoder.leave();
            }
            State::Ended => {}
            State::Failed => return Err(self.de.fault_again()),
        }
        self.de.decoder.skip_objects(&mut self.outer)
    }
}

impl<'de, R: Read<'de>, T: Deserialize<'de>> Iterator for Elements<'_, 'de, R, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        if self.state != State::Reading {
            return None;
        }
        let element = match self.de.decoder.next_element(&mut self.array) {
            Ok(true) => {
                let is_element = self.array.element.is_some();
                self.de.recovering(is_element, |de| T::deserialize(de))
            }
            Ok(false) => {
                self.de.decoder.leave();
                self.state = State::Ended;
                return None;
            }
            Err(error) => Err(self.de.noted(error)),
        };
        if element.as_ref().is_err_and(|error| !error.is_recoverable()) {
            self.state = State::Failed;
        }
        Some(element)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let most = match self.state {
            State::Reading => self.remaining().and_then(|left| usize::try_from(left).ok()),
            State::Ended | State::Failed => Some(0),
        };
        // An error may end it at any time.
        (0, most)
    }
}

impl<'de, R: Read<'de>, T: Deserialize<'de>> FusedIterator for Elements<'_, 'de, R, T> {}

impl<R: fmt::Debug, T> fmt::Debug for Elements<'_, '_, R, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elements")
            .field("deserializer", &self.de)
            .field("array", &self.array)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}
