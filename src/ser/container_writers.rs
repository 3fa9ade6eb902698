//! Arrays and objects that are written element by element: `ArrayWriter` and `ObjectWriter`.

use core::fmt;
#[cfg(feature = "std")]
use std::io;

use serde_core::Serialize;

use super::Serializer;
use super::key::KeySerializer;
use crate::error::{Error, ErrorCode, Result};
use crate::write::Write;
#[cfg(feature = "std")]
use crate::write::{IoWrite, Options};

impl<W: Write> Serializer<W> {
    /// Starts an array whose elements are pushed one by one; counted if a count is given.
    ///
    /// ```
    /// let mut serializer = ubjson::Serializer::new(Vec::new());
    /// let mut array = serializer.begin_array(None)?;
    /// for word in "to be or not".split(' ') {
    ///     array.push(word)?;
    /// }
    /// array.finish()?;
    /// assert_eq!(serializer.into_inner(), b"[Si\x02toSi\x02beSi\x02orSi\x03not]");
    /// # Ok::<(), ubjson::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::Depth`](crate::ErrorKind::Depth) beyond the limit of levels.
    /// - [`ErrorKind::Data`](crate::ErrorKind::Data) after a container that was not finished.
    pub fn begin_array(&mut self, count: Option<usize>) -> Result<ArrayWriter<'_, W>> {
        self.start_array(count)?;
        Ok(ArrayWriter {
            open: Open::new(self, count),
        })
    }

    /// Starts an object whose entries are written one by one; counted if a count is given.
    ///
    /// ```
    /// let mut serializer = ubjson::Serializer::new(Vec::new());
    /// let mut object = serializer.begin_object(Some(2))?;
    /// object.entry("name", "a")?;
    /// let mut rows = object.begin_array("rows", None)?;
    /// rows.push(&1)?;
    /// rows.push(&2)?;
    /// rows.finish()?;
    /// object.finish()?;
    /// assert_eq!(serializer.into_inner(), b"{#i\x02i\x04nameSi\x01ai\x04rows[i\x01i\x02]");
    /// # Ok::<(), ubjson::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`begin_array`](Self::begin_array).
    pub fn begin_object(&mut self, count: Option<usize>) -> Result<ObjectWriter<'_, W>> {
        self.start_object(count)?;
        Ok(ObjectWriter {
            open: Open::new(self, count),
        })
    }

    fn start_array(&mut self, count: Option<usize>) -> Result<()> {
        self.encoder.check_finished()?;
        self.encoder.enter()?;
        self.whole(|ser| ser.encoder.array_header(count))
    }

    fn start_object(&mut self, count: Option<usize>) -> Result<()> {
        self.encoder.check_finished()?;
        self.encoder.enter()?;
        self.whole(|ser| ser.encoder.object_header(count))
    }

    /// Writes what breaks the document where it fails half-way.
    fn whole(&mut self, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let written = write(self);
        if written.is_err() {
            self.encoder.abandon();
        }
        written
    }

    /// Whether every array and object that was begun has been finished.
    ///
    /// Once false it stays so: the document is broken. A serializer over a writer then refuses to
    /// write more.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        !self.encoder.is_abandoned()
    }
}

/// A container that has been started.
struct Open<'a, W> {
    ser: &'a mut Serializer<W>,
    declared: Option<usize>,
    written: usize,
    is_unfinished: bool,
}

impl<'a, W: Write> Open<'a, W> {
    fn new(ser: &'a mut Serializer<W>, declared: Option<usize>) -> Self {
        Self {
            ser,
            declared,
            written: 0,
            is_unfinished: true,
        }
    }

    /// Writes one element or entry, or its start; nothing if there is no place for it.
    fn item(&mut self, write: impl FnOnce(&mut Serializer<W>) -> Result<()>) -> Result<()> {
        self.ser.encoder.check_finished()?;
        let written = self.written + 1;
        if let Some(declared) = self.declared.filter(|declared| *declared < written) {
            return Err(Error::without_offset(ErrorCode::CountMismatch { declared, written }));
        }
        self.written = written;
        self.ser.whole(write)
    }

    /// Checks that all is there and writes the end.
    fn finish(mut self, close: impl FnOnce(&mut Serializer<W>, bool) -> Result<()>) -> Result<()> {
        self.ser.encoder.check_finished()?;
        let (declared, written) = (self.declared, self.written);
        if let Some(declared) = declared.filter(|declared| *declared != written) {
            return Err(Error::without_offset(ErrorCode::CountMismatch { declared, written }));
        }
        self.is_unfinished = false;
        close(self.ser, declared.is_some())
    }
}

#[cfg(feature = "std")]
impl<W: io::Write, O: Options> Open<'_, IoWrite<W, O>> {
    fn flush(&mut self) -> Result<()> {
        self.ser.encoder.check_finished()?;
        self.ser.encoder.write_out()?;
        self.ser.flush()
    }
}

/// A drop cannot report, so whatever comes next does.
impl<W> Drop for Open<'_, W> {
    fn drop(&mut self) {
        if self.is_unfinished {
            self.ser.encoder.abandon();
        }
    }
}

impl<W> fmt::Debug for Open<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Open")
            .field("declared", &self.declared)
            .field("written", &self.written)
            .finish_non_exhaustive()
    }
}

/// Writes an array element by element; made by [`Serializer::begin_array`].
///
/// Elements are collected in a block and written out when it is full, so memory does not grow with
/// the array. [`finish`](Self::finish) must be called at the end. An array that is dropped without it
/// is a broken document: [`Serializer::is_finished`] says so, and so does the next use of the
/// serializer or of a container around the array.
#[derive(Debug)]
#[must_use = "an array that is not finished is a broken document"]
pub struct ArrayWriter<'a, W> {
    open: Open<'a, W>,
}

impl<W: Write> ArrayWriter<'_, W> {
    /// Writes the next element.
    ///
    /// # Errors
    ///
    /// - As [`to_writer`](crate::to_writer); the document is broken then.
    /// - [`ErrorKind::Data`](crate::ErrorKind::Data) if it would be more elements than the count that
    ///   was given, in which case it is not written, or if a container before was not finished.
    pub fn push<T: ?Sized + Serialize>(&mut self, element: &T) -> Result<()> {
        self.open.item(|ser| element.serialize(ser))
    }

    /// Starts an array as the next element.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push), and as [`Serializer::begin_array`].
    pub fn begin_array(&mut self, count: Option<usize>) -> Result<ArrayWriter<'_, W>> {
        self.open.item(|ser| ser.start_array(count))?;
        Ok(ArrayWriter {
            open: Open::new(self.open.ser, count),
        })
    }

    /// Starts an object as the next element.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push), and as [`Serializer::begin_object`].
    pub fn begin_object(&mut self, count: Option<usize>) -> Result<ObjectWriter<'_, W>> {
        self.open.item(|ser| ser.start_object(count))?;
        Ok(ObjectWriter {
            open: Open::new(self.open.ser, count),
        })
    }

    /// How many elements have been written.
    #[must_use]
    pub fn written(&self) -> usize {
        self.open.written
    }

    /// Ends the array; the outermost one is then written out completely.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::Data`](crate::ErrorKind::Data) if elements are missing from the count that was
    ///   given, or a container in the array was not finished. The document is broken.
    /// - [`ErrorKind::Io`](crate::ErrorKind::Io) if the writer fails.
    pub fn finish(self) -> Result<()> {
        self.open.finish(|ser, counted| ser.encoder.close_array(counted))
    }
}

#[cfg(feature = "std")]
impl<W: io::Write, O: Options> ArrayWriter<'_, IoWrite<W, O>> {
    /// Writes out what has been collected, and flushes the writer: a reader at the other end then
    /// has all elements so far.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if the writer fails.
    pub fn flush(&mut self) -> Result<()> {
        self.open.flush()
    }
}

/// Writes an object entry by entry; made by [`Serializer::begin_object`].
///
/// What [`ArrayWriter`] says of elements holds for entries. Nobody checks that keys differ.
#[derive(Debug)]
#[must_use = "an object that is not finished is a broken document"]
pub struct ObjectWriter<'a, W> {
    open: Open<'a, W>,
}

impl<W: Write> ObjectWriter<'_, W> {
    /// Writes the next entry. Keys are what keys of a map may be: strings, numbers, booleans, chars
    /// and unit variants.
    ///
    /// # Errors
    ///
    /// As [`ArrayWriter::push`].
    pub fn entry<K, V>(&mut self, key: &K, value: &V) -> Result<()>
    where
        K: ?Sized + Serialize,
        V: ?Sized + Serialize,
    {
        self.open.item(|ser| {
            key.serialize(KeySerializer::new(&mut ser.encoder))?;
            value.serialize(ser)
        })
    }

    /// Starts an array as the value of the next entry.
    ///
    /// # Errors
    ///
    /// As [`ArrayWriter::push`], and as [`Serializer::begin_array`].
    pub fn begin_array<K: ?Sized + Serialize>(&mut self, key: &K, count: Option<usize>) -> Result<ArrayWriter<'_, W>> {
        self.open.item(|ser| {
            key.serialize(KeySerializer::new(&mut ser.encoder))?;
            ser.start_array(count)
        })?;
        Ok(ArrayWriter {
            open: Open::new(self.open.ser, count),
        })
    }

    /// Starts an object as the value of the next entry.
    ///
    /// # Errors
    ///
    /// As [`ArrayWriter::push`], and as [`Serializer::begin_object`].
    pub fn begin_object<K: ?Sized + Serialize>(
        &mut self,
        key: &K,
        count: Option<usize>,
    ) -> Result<ObjectWriter<'_, W>> {
        self.open.item(|ser| {
            key.serialize(KeySerializer::new(&mut ser.encoder))?;
            ser.start_object(count)
        })?;
        Ok(ObjectWriter {
            open: Open::new(self.open.ser, count),
        })
    }

    /// How many entries have been written.
    #[must_use]
    pub fn written(&self) -> usize {
        self.open.written
    }

    /// Ends the object; the outermost one is then written out completely.
    ///
    /// # Errors
    ///
    /// As [`ArrayWriter::finish`].
    pub fn finish(self) -> Result<()> {
        self.open.finish(|ser, counted| ser.encoder.close_object(counted))
    }
}

#[cfg(feature = "std")]
impl<W: io::Write, O: Options> ObjectWriter<'_, IoWrite<W, O>> {
    /// Writes out what has been collected, and flushes the writer.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if the writer fails.
    pub fn flush(&mut self) -> Result<()> {
        self.open.flush()
    }
}
