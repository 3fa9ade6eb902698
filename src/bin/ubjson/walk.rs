//! The documents of an input as something that serde can serialize, token by token.
//!
//! What the library's `transcode` does for any format, this does for files of people: it knows
//! where it is, writes high-precision numbers exactly in both formats, passes counts on, and can
//! go on as far as a damaged document goes.

use std::cell::{Cell, RefCell};

use serde_core::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};
use ubjson::de::Read;
use ubjson::pull::{Header, Reader, Scalar, Token};
use ubjson::{Marker, Number, TranscodeError};

use crate::path::Path;

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
    state: RefCell<State<R>>,
}

struct State<R> {
    reader: Reader<R>,
    path: Path,
    fault: Option<ubjson::Error>,
    /// The number of elements of each container to come, in the order of their starts.
    counts: Option<std::vec::IntoIter<usize>>,
    /// Numbers that are not finite, which JSON cannot write.
    non_finite: u64,
    /// The last key and the last text.
    key: String,
    text: String,
}

/// The start of a value, or what else comes in its place.
enum Start {
    Scalar(Scalar),
    Number(String),
    Text,
    Array { header: Header, len: Option<usize> },
    Object { len: Option<usize> },
    Key,
    End,
}

impl<R> Walk<R> {
    pub(crate) fn new(reader: Reader<R>, target: Target) -> Self {
        Self {
            target,
            is_lenient: false,
            state: RefCell::new(State {
                reader,
                path: Path::default(),
                fault: None,
                counts: None,
                non_finite: 0,
                key: String::new(),
                text: String::new(),
            }),
        }
    }

    /// Lets a fault end all open containers, so that what is before it is a document.
    pub(crate) fn lenient(mut self) -> Self {
        self.is_lenient = true;
        self
    }

    /// Tells how many elements the containers have, those with a closing marker, too.
    pub(crate) fn with_counts(self, counts: Vec<usize>) -> Self {
        self.state.borrow_mut().counts = Some(counts.into_iter());
        self
    }

    /// The fault that ended the last document, and the path of what was read last.
    pub(crate) fn take_fault(&self) -> Option<(ubjson::Error, String)> {
        let mut state = self.state.borrow_mut();
        let fault = state.fault.take()?;
        Some((fault, state.path.to_string()))
    }

    /// How many numbers have become null in JSON, not being finite.
    pub(crate) fn non_finite(&self) -> u64 {
        self.state.borrow().non_finite
    }

    /// The reader, behind what has been serialized.
    pub(crate) fn into_reader(self) -> Reader<R> {
        self.state.into_inner().reader
    }

    fn is_at_fault(&self) -> bool {
        self.state.borrow().fault.is_some()
    }
}

impl<'de, R: Read<'de>> Walk<R> {
    /// Moves to the next document.
    pub(crate) fn next_document(&self) -> ubjson::Result<bool> {
        let mut state = self.state.borrow_mut();
        state.path = Path::default();
        state.reader.next_document()
    }

    /// How many bytes have been read.
    pub(crate) fn byte_offset(&self) -> u64 {
        self.state.borrow().reader.byte_offset()
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
        let fault = self.state.borrow_mut().fault.take();
        TranscodeError::Read(fault.unwrap_or_else(|| serde_core::de::Error::custom("no value is left")))
    }

    /// The next token; `None` at a fault, which is put aside, and behind the document.
    fn next(&self) -> Option<Start> {
        let mut state = self.state.borrow_mut();
        match state.next(self.is_lenient) {
            Ok(start) => start,
            Err(error) => {
                state.fault = Some(error);
                None
            }
        }
    }

    fn put<S: Serializer>(&self, start: Start, serializer: S) -> Result<S::Ok, S::Error> {
        match start {
            Start::Scalar(scalar) => {
                self.state.borrow_mut().count_non_finite(scalar);
                scalar.serialize(serializer)
            }
            Start::Number(text) => self.put_number(&text, serializer),
            Start::Text => serializer.serialize_str(&self.state.borrow().text),
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

    fn put_array<S: Serializer>(
        &self,
        header: Header,
        len: Option<usize>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
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
        let mut state = self.state.borrow_mut();
        let State {
            reader,
            path,
            fault,
            non_finite,
            ..
        } = &mut *state;
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
            let key = std::mem::take(&mut self.state.borrow_mut().key);
            // A key without a value is not written.
            let Some(start) = self.next() else {
                break;
            };
            map.serialize_key(&key)?;
            self.state.borrow_mut().key = key;
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

impl<'de, R: Read<'de>> State<R> {
    fn next(&mut self, is_lenient: bool) -> ubjson::Result<Option<Start>> {
        let Some(event) = self.reader.next_event()? else {
            return Ok(None);
        };
        self.path.follow(&event.token);
        Ok(Some(match event.token {
            Token::Scalar(scalar) => Start::Scalar(scalar),
            Token::HighPrecision(_, text) => Start::Number(text.into_string()),
            Token::String(_) => {
                self.read_text(is_lenient)?;
                Start::Text
            }
            Token::Array(header) => Start::Array {
                header,
                len: self.len(header, is_lenient),
            },
            Token::Object(header) => Start::Object {
                len: self.len(header, is_lenient),
            },
            Token::Key(_, key) => {
                self.key.clear();
                self.key.push_str(&key);
                Start::Key
            }
            Token::ArrayEnd | Token::ObjectEnd => Start::End,
        }))
    }

    /// Reads a text, or as much of it as there is.
    fn read_text(&mut self, is_lenient: bool) -> ubjson::Result<()> {
        self.text.clear();
        loop {
            match self.reader.text_chunk() {
                Ok(Some(chunk)) => self.text.push_str(&chunk),
                Ok(None) => return Ok(()),
                Err(error) if is_lenient && !self.text.is_empty() => {
                    self.fault = Some(error);
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// How many elements a container will have, if that is sure.
    fn len(&mut self, header: Header, is_lenient: bool) -> Option<usize> {
        match &mut self.counts {
            _ if is_lenient => None,
            Some(counts) => counts.next(),
            None => usize::try_from(header.count?.value).ok(),
        }
    }
}

impl<R> State<R> {
    fn count_non_finite(&mut self, scalar: Scalar) {
        self.non_finite += u64::from(is_non_finite(scalar));
    }
}

fn is_non_finite(scalar: Scalar) -> bool {
    scalar.as_f64().is_some_and(|value| !value.is_finite())
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
            None => Err(S::Error::custom("a value that is read as it is written can be written once")),
        }
    }
}

/// The number of elements or entries of every container, in the order of their starts.
pub(crate) fn counts_of<'de, R: Read<'de>>(mut reader: Reader<R>) -> ubjson::Result<Vec<usize>> {
    let mut counts = Counts::default();
    while reader.next_document()? {
        while let Some(event) = reader.next_event()? {
            counts.follow(&event.token);
        }
    }
    Ok(counts.finish())
}

/// Counts what is in each container.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    counts: Vec<usize>,
    /// Where the counts of the open containers stand, and whether they are arrays.
    open: Vec<(usize, bool)>,
}

impl Counts {
    /// Follows a token.
    pub(crate) fn follow(&mut self, token: &Token<'_, '_>) {
        match token {
            Token::Key(..) => self.add(1),
            Token::ArrayEnd | Token::ObjectEnd => drop(self.open.pop()),
            Token::Scalar(_) | Token::HighPrecision(..) | Token::String(_) => self.add_elements(1),
            Token::Array(_) | Token::Object(_) => {
                self.add_elements(1);
                self.open.push((self.counts.len(), matches!(token, Token::Array(_))));
                self.counts.push(0);
            }
        }
    }

    /// Follows so many elements that come without tokens of their own, if they are an array's.
    pub(crate) fn add_elements(&mut self, count: usize) {
        if let Some((_, true)) = self.open.last() {
            self.add(count);
        }
    }

    fn add(&mut self, count: usize) {
        if let Some((at, _)) = self.open.last() {
            self.counts[*at] += count;
        }
    }

    pub(crate) fn finish(self) -> Vec<usize> {
        self.counts
    }
}
