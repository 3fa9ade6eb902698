//! Where the tokens come from.

use ubjson::de::Read;
use ubjson::pull::{Header, Reader, Scalar, Token};

use crate::path::Path;

/// The reader, and what is known about what it read.
pub(super) struct Source<R> {
    pub(super) reader: Reader<R>,
    pub(super) path: Path,
    pub(super) fault: Option<ubjson::Error>,
    /// The number of elements of each container to come, in the order of their starts.
    pub(super) counts: Option<std::vec::IntoIter<usize>>,
    /// Numbers that are not finite, which JSON cannot write.
    pub(super) non_finite: u64,
    /// The last key and the last text.
    pub(super) key: String,
    pub(super) text: String,
}

/// The start of a value, or what else comes in its place.
pub(super) enum Start {
    Scalar(Scalar),
    Number(String),
    Text,
    Array { header: Header, len: Option<usize> },
    Object { len: Option<usize> },
    Key,
    End,
}

impl<'de, R: Read<'de>> Source<R> {
    pub(super) fn next_document(&mut self) -> ubjson::Result<bool> {
        self.path = Path::default();
        self.reader.next_document()
    }

    /// The next token; `None` behind the document.
    pub(super) fn next(&mut self, is_lenient: bool) -> ubjson::Result<Option<Start>> {
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

impl<R> Source<R> {
    pub(super) fn new(reader: Reader<R>) -> Self {
        Self {
            reader,
            path: Path::default(),
            fault: None,
            counts: None,
            non_finite: 0,
            key: String::new(),
            text: String::new(),
        }
    }

    pub(super) fn count_non_finite(&mut self, scalar: Scalar) {
        self.non_finite += u64::from(is_non_finite(scalar));
    }
}

pub(super) fn is_non_finite(scalar: Scalar) -> bool {
    scalar.as_f64().is_some_and(|value| !value.is_finite())
}
