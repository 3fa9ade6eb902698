//! The documents of an input as something that serde can serialize, token by token.
//!
//! What the library's `transcode` does for any format, this does for files of people: it knows
//! where it is, writes high-precision numbers exactly in both formats, passes counts on, and can
//! go on as far as a damaged document goes.

mod source;

use std::cell::{Cell, RefCell};

use serde_core::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};
use ubjson::de::Read;
use ubjson::pull::{Header, Reader, Scalar};
use ubjson::{Marker, Number, TranscodeError};

use self::source::{Source, Start, is_non_finite};

/// What high-precision numbers become.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Target {
    Json,
    Ubjson,
}

/// Documents on their way to a serializer.
pub(crate) struct Walk<R> {
    target: Target,
    /// A fault ends all open containers in place of everything.
    is_lenient: bool,
    source: RefCell<Source<R>>,
}

impl<R> Walk<R> {
    pub(crate) fn new(reader: Reader<R>, target: Target) -> Self {
        Self {
            target,
            is_lenient: false,
            source: RefCell::new(Source::new(reader)),
        }
    }

    /// Lets a fault end all open containers, so that what is before it is a document.
    pub(crate) fn lenient(mut self) -> Self {
        self.is_lenient = true;
        self
    }

    /// Tells how many elements the containers have, those with a closing marker, too.
    pub(crate) fn with_counts(self, counts: Vec<usize>) -> Self {
        self.source.borrow_mut().counts = Some(counts.into_iter());
        self
    }

    /// The fault that ended the last document, and the path of what was read last.
    pub(crate) fn take_fault(&self) -> Option<(ubjson::Error, String)> {
        let mut source = self.source.borrow_mut();
        let fault = source.fault.take()?;
        Some((fault, source.path.to_string()))
    }

    /// How many numbers have become null in JSON, not being finite.
    pub(crate) fn non_finite(&self) -> u64 {
        self.source.borrow().non_finite
    }

    /// The reader, behind what has been serialized.
    pub(crate) fn into_reader(self) -> Reader<R> {
        self.source.into_inner().reader
    }

    fn is_at_fault(&self) -> bool {
        self.source.borrow().fault.is_some()
    }
}

impl<'de, R: Read<'de>> Walk<R> {
    /// Moves to the next document.
    pub(crate) fn next_document(&self) -> ubjson::Result<bool> {
        self.source.borrow_mut().next_document()
    }

    /// How many bytes have been read.
    pub(crate) fn byte_offset(&self) -> u64 {
        self.source.borrow().reader.byte_offset()
    }

    /// Serializes the next value; `None` where there is none.
    pub(crate) fn serialize_next<S: Serializer>(
        &self,
        serializer: S,
    ) -> Result<Option<S::Ok>, TranscodeError<ubjson::Error, S::Error>> {
        let start = match self.next() {
            Some(Start::Key | Start::End) => return Ok(None),
            Some(start) => start,
            None => return Err(self.read_error()),
        };
        match self.put(start, serializer) {
            Ok(written) => Ok(Some(written)),
            Err(_) if self.is_at_fault() && !self.is_lenient => Err(self.read_error()),
            Err(error) => Err(TranscodeError::Write(error)),
        }
    }

    fn read_error<W>(&self) -> TranscodeError<ubjson::Error, W> {
        let fault = self.source.borrow_mut().fault.take();
        TranscodeError::Read(fault.unwrap_or_else(|| serde_core::de::Error::custom("no value is left")))
    }

    /// The next token; `None` at a fault, which is put aside, and behind the document.
    fn next(&self) -> Option<Start> {
        let mut source = self.source.borrow_mut();
        match source.next(self.is_lenient) {
            Ok(start) => start,
            Err(error) => {
                source.fault = Some(error);
                None
            }
        }
    }

    fn put<S: Serializer>(&self, start: Start, serializer: S) -> Result<S::Ok, S::Error> {
        match start {
            Start::Scalar(scalar) => {
                self.source.borrow_mut().count_non_finite(scalar);
                scalar.serialize(serializer)
            }
            Start::Number(text) => self.put_number(&text, serializer),
            Start::Text => serializer.serialize_str(&self.source.borrow().text),
            Start::Array { header, len } => self.put_array(header, len, serializer),
            Start::Object { len } => self.put_object(len, serializer),
            Start::Key | Start::End => Err(S::Error::custom("a value is due")),
        }
    }

    fn put_number<S: Serializer>(&self, text: &str, serializer: S) -> Result<S::Ok, S::Error> {
        match self.target {
            Target::Json => text
                .parse::<serde_json::Number>()
                .map_err(S::Error::custom)?
                .serialize(serializer),
            Target::Ubjson => Number::from_text(text).map_err(S::Error::custom)?.serialize(serializer),
        }
    }

    fn put_array<S: Serializer>(&self, header: Header, len: Option<usize>, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(len)?;
        if let Some(element) = header.element {
            self.put_packed(element, &mut seq)?;
        }
        loop {
            match self.next() {
                Some(Start::Key | Start::End) => return seq.end(),
                Some(start) => seq.serialize_element(&Started::new(self, start))?,
                None => {}
            }
            if self.stops_at_fault()? {
                return seq.end();
            }
        }
    }

    /// Puts the elements of a typed array of scalars without a token each.
    fn put_packed<S: SerializeSeq>(&self, element: Marker, seq: &mut S) -> Result<(), S::Error> {
        let Some(element_len @ 1..) = element.payload_len() else {
            return Ok(());
        };
        let mut source = self.source.borrow_mut();
        let Source {
            reader,
            path,
            fault,
            non_finite,
            ..
        } = &mut *source;
        loop {
            let chunk = match reader.packed_chunk() {
                Ok(Some(chunk)) => chunk,
                Ok(None) => return Ok(()),
                Err(error) => {
                    *fault = Some(error);
                    return Ok(());
                }
            };
            for payload in chunk.as_bytes().chunks_exact(element_len) {
                let Some(scalar) = Scalar::from_be_bytes(element, payload) else {
                    return Err(S::Error::custom("an element of another size"));
                };
                *non_finite += u64::from(is_non_finite(scalar));
                seq.serialize_element(&scalar)?;
            }
            path.follow_elements((chunk.as_bytes().len() / element_len) as u64);
        }
    }

    fn put_object<S: Serializer>(&self, len: Option<usize>, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(len)?;
        while let Some(Start::Key) = self.next() {
            let key = std::mem::take(&mut self.source.borrow_mut().key);
            // A key without a value is not written.
            let Some(start) = self.next() else {
                break;
            };
            map.serialize_key(&key)?;
            self.source.borrow_mut().key = key;
            map.serialize_value(&Started::new(self, start))?;
            if self.is_at_fault() {
                break;
            }
        }
        self.stops_at_fault()?;
        map.end()
    }

    /// Whether there is a fault that ends the containers; an error if it ends everything.
    fn stops_at_fault<E: serde_core::ser::Error>(&self) -> Result<bool, E> {
        match (self.is_at_fault(), self.is_lenient) {
            (true, false) => Err(E::custom("the input is at fault")),
            (is_at_fault, _) => Ok(is_at_fault),
        }
    }
}

/// A value whose start has been read.
struct Started<'w, R> {
    walk: &'w Walk<R>,
    start: Cell<Option<Start>>,
}

impl<'w, R> Started<'w, R> {
    fn new(walk: &'w Walk<R>, start: Start) -> Self {
        Self {
            walk,
            start: Cell::new(Some(start)),
        }
    }
}

impl<'de, R: Read<'de>> Serialize for Started<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.start.take() {
            Some(start) => self.walk.put(start, serializer),
            None => Err(S::Error::custom(
                "a value that is read as it is written can be written once",
            )),
        }
    }
}
