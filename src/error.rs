//! The one error of this crate: what failed, where, what was found and what was expected.

use alloc::boxed::Box;
use alloc::string::ToString;
use core::fmt;
#[cfg(feature = "std")]
use std::io;

use serde_core::{de, ser};

use crate::marker::Marker;

/// A `Result` whose error is [`Error`].
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// What went wrong while reading or writing UBJSON, and at which byte.
///
/// The size of a pointer, so that the success path does not carry it.
///
/// ```
/// use ubjson::ErrorKind;
///
/// let error = ubjson::from_slice::<bool>(b"\x5d").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Marker);
/// assert_eq!(error.offset(), Some(0));
/// assert_eq!(error.to_string(), "unexpected marker `]`, expected a value at byte 0");
/// ```
pub struct Error(Box<Body>);

const _: () = assert!(size_of::<Error>() == size_of::<usize>());

struct Body {
    code: ErrorCode,
    offset: Option<u64>,
}

/// The category of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A reader or a writer failed; [`Error::io_error_kind`] says how.
    Io,
    /// The input ended inside a value, or held none.
    Eof,
    /// A byte stands where a value's marker is due, and is none.
    Marker,
    /// A length, a count or the start of a key is not a non-negative integer of the format.
    Length,
    /// A string or a key is not UTF-8.
    Utf8,
    /// A `C` value is above 127.
    Char,
    /// A high-precision text is not a JSON number, or no Rust number can hold it.
    Number,
    /// There are bytes behind the value.
    Trailing,
    /// A `$` is not followed by a type that may be one, or the type not by `#`.
    ContainerHeader,
    /// Containers are nested deeper than the limit.
    Depth,
    /// More elements without payload (`[$Z#`, `[$T#`, `[$F#`) than the document's budget, or a
    /// document longer than a codec's limit.
    Budget,
    /// Well-formed, but not what the Rust type wants; or a Rust value that cannot be written.
    Data,
}

/// What a parser was looking for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Expected {
    Value,
    StringLength,
    KeyLength,
    KeyOrEnd,
    NumberLength,
    Count,
}

impl Expected {
    const fn text(self) -> &'static str {
        match self {
            Self::Value => "a value",
            Self::StringLength => "an integer marker (`i`, `U`, `I`, `l` or `L`) for the length of a string",
            Self::KeyLength => "an integer marker (`i`, `U`, `I`, `l` or `L`) for the length of a key",
            Self::KeyOrEnd => "a key (its length, without `S`) or `}`",
            Self::NumberLength => {
                "an integer marker (`i`, `U`, `I`, `l` or `L`) for the length of a high-precision number"
            }
            Self::Count => "an integer marker (`i`, `U`, `I`, `l` or `L`) for the count of a container",
        }
    }
}

/// Every failure of this crate; private, so that a new one breaks nobody.
pub(crate) enum ErrorCode {
    #[cfg(feature = "std")]
    Io(io::Error),
    #[cfg(feature = "std")]
    SeekElsewhere {
        expected: u64,
        found: u64,
    },
    Eof,
    UnexpectedMarker {
        found: u8,
        expected: Expected,
    },
    UnexpectedLengthMarker {
        found: u8,
        expected: Expected,
    },
    NegativeLength(i64),
    LengthOverflow(u64),
    LengthTooLong(usize),
    InvalidUtf8,
    InvalidChar(u8),
    InvalidNumber,
    NumberOutOfRange,
    TrailingBytes(u8),
    TypeNotAllowed(u8),
    TypeWithoutCount(u8),
    DepthLimit(usize),
    BudgetExceeded {
        count: u64,
        budget: u64,
    },
    CountMismatch {
        declared: usize,
        written: usize,
    },
    UnreadElements,
    VariantWithManyKeys,
    VariantWithoutKey,
    KeyNotString,
    NonFinite,
    ValueWithoutKey,
    KeyWithoutValue,
    UnfinishedContainer,
    #[cfg(feature = "codec")]
    DocumentTooLong {
        limit: usize,
    },
    Message(Box<str>),
    /// An error of the bytes that the type put in words of its own, or passed over.
    Retold {
        kind: ErrorKind,
        text: Box<str>,
    },
}

impl ErrorCode {
    const fn kind(&self) -> ErrorKind {
        match self {
            #[cfg(feature = "std")]
            Self::Io(_) | Self::SeekElsewhere { .. } => ErrorKind::Io,
            Self::Eof => ErrorKind::Eof,
            Self::UnexpectedMarker { .. } => ErrorKind::Marker,
            Self::UnexpectedLengthMarker { .. } | Self::NegativeLength(_) | Self::LengthOverflow(_) => {
                ErrorKind::Length
            }
            Self::InvalidUtf8 => ErrorKind::Utf8,
            Self::InvalidChar(_) => ErrorKind::Char,
            Self::InvalidNumber | Self::NumberOutOfRange => ErrorKind::Number,
            Self::TrailingBytes(_) => ErrorKind::Trailing,
            Self::TypeNotAllowed(_) | Self::TypeWithoutCount(_) => ErrorKind::ContainerHeader,
            Self::DepthLimit(_) => ErrorKind::Depth,
            Self::BudgetExceeded { .. } => ErrorKind::Budget,
            #[cfg(feature = "codec")]
            Self::DocumentTooLong { .. } => ErrorKind::Budget,
            Self::Retold { kind, .. } => *kind,
            Self::CountMismatch { .. }
            | Self::LengthTooLong(_)
            | Self::UnreadElements
            | Self::VariantWithManyKeys
            | Self::VariantWithoutKey
            | Self::KeyNotString
            | Self::NonFinite
            | Self::ValueWithoutKey
            | Self::KeyWithoutValue
            | Self::UnfinishedContainer
            | Self::Message(_) => ErrorKind::Data,
        }
    }
}

impl Error {
    #[cold]
    #[inline(never)]
    pub(crate) fn new(code: ErrorCode, offset: u64) -> Self {
        Self(Box::new(Body {
            code,
            offset: Some(offset),
        }))
    }

    /// An error without a place: the writer's, or serde's before the reader adds one.
    #[cold]
    #[inline(never)]
    pub(crate) fn without_offset(code: ErrorCode) -> Self {
        Self(Box::new(Body { code, offset: None }))
    }

    /// The one place that gives serde's errors their offset; an offset that is there stays.
    #[cold]
    pub(crate) fn or_offset(mut self, offset: u64) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    #[cfg(feature = "std")]
    #[cold]
    pub(crate) fn io(error: io::Error, offset: Option<u64>) -> Self {
        Self(Box::new(Body {
            code: ErrorCode::Io(error),
            offset,
        }))
    }

    /// Whether the bytes are in order and only the type wants others: the decoder then stands
    /// behind a token, and reading can go on behind the value.
    pub(crate) fn is_recoverable(&self) -> bool {
        match self.0.code {
            ErrorCode::NumberOutOfRange => true,
            ErrorCode::Retold { .. } => false,
            ref code => code.kind() == ErrorKind::Data,
        }
    }

    /// The error at `offset` that this one, in the type's own words, stands for.
    pub(crate) fn retelling(self, kind: ErrorKind, offset: u64) -> Self {
        let text = self.0.code.to_string().into_boxed_str();
        Self::new(ErrorCode::Retold { kind, text }, offset)
    }

    /// The category of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.code.kind()
    }

    /// The place in bytes from the first byte of the input that this deserializer read.
    ///
    /// Which byte that is depends on the kind: the byte that is wrong; the length marker of a bad
    /// length; the first byte of a bad text; the end of the input for [`ErrorKind::Eof`]; the
    /// start of the value for [`ErrorKind::Data`]. `None` while writing.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// Whether the input ended too early: a longer one could be valid.
    #[must_use]
    pub fn is_eof(&self) -> bool {
        self.kind() == ErrorKind::Eof
    }

    /// Whether the reader or writer below failed.
    #[must_use]
    pub fn is_io(&self) -> bool {
        self.kind() == ErrorKind::Io
    }

    /// The kind of the I/O error, if a reader or a writer failed.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn io_error_kind(&self) -> Option<io::ErrorKind> {
        match &self.0.code {
            ErrorCode::Io(error) => Some(error.kind()),
            ErrorCode::SeekElsewhere { .. } => Some(io::ErrorKind::Other),
            _ => None,
        }
    }
}

/// A byte as the error texts show it: `` `a` `` or `0x1f`.
struct ShownByte(u8);

impl fmt::Display for ShownByte {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_ascii_graphic() && self.0 != b'`' {
            write!(f, "`{}`", self.0 as char)
        } else {
            write!(f, "0x{:02x}", self.0)
        }
    }
}

/// The wrong file type that a byte in a wrong place most likely means.
fn file_type_hint(found: u8, expected: Expected, offset: Option<u64>) -> Option<&'static str> {
    match (expected, found, offset) {
        (Expected::Value, 0x1f, Some(0)) => Some("gzip data; decompress it first"),
        (Expected::Value, 0xef | 0xfe | 0xff, Some(0)) => Some("text with a byte order mark"),
        (Expected::Value, b'o' | b'a' | b's' | b'h' | b'A' | b'O', Some(0)) => {
            Some("UBJSON draft 8 or older, which is another format")
        }
        (Expected::Value | Expected::KeyOrEnd, b'"', _)
        | (Expected::Value, b'0'..=b'9' | b'-' | b' ' | b'\t' | b'\r' | b'\n', Some(0 | 1))
        | (Expected::Value, b'n' | b't' | b'f', Some(0))
        | (Expected::KeyOrEnd, b' ' | b'\t' | b'\r' | b'\n', Some(1)) => Some("JSON text"),
        (Expected::Value, b'u' | b'm' | b'M' | b'h' | b'B' | b'E', _) => {
            Some("a marker of BJData, which is another format")
        }
        (Expected::KeyOrEnd, b'S' | b's' | b'C', _) => Some("a key written as UBJSON draft 9 or older does"),
        (Expected::Count, b'[', _) => Some("an array header of BJData or JSONLab, which are other formats"),
        _ => None,
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            #[cfg(feature = "std")]
            Self::Io(error) => error.fmt(f),
            #[cfg(feature = "std")]
            Self::SeekElsewhere { expected, found } => write!(
                f,
                "seeking back over unread bytes went to position {found}, expected {expected}"
            ),
            Self::Eof => f.write_str("unexpected end of input"),
            Self::UnexpectedMarker { found, expected } => {
                write!(
                    f,
                    "unexpected marker {}, expected {}",
                    ShownByte(*found),
                    expected.text()
                )
            }
            Self::UnexpectedLengthMarker { found, expected } => {
                write!(f, "unexpected byte {}, expected {}", ShownByte(*found), expected.text())
            }
            Self::NegativeLength(length) => {
                write!(f, "negative length {length}, expected a length or count of 0 or more")
            }
            Self::LengthOverflow(length) => {
                write!(f, "length {length} is more than this machine can address")
            }
            Self::LengthTooLong(length) => {
                write!(f, "length {length} is more than the length profile can express")
            }
            Self::InvalidUtf8 => f.write_str("invalid UTF-8 in a string or key"),
            Self::InvalidChar(byte) => {
                write!(f, "invalid char {}, expected 0 to 127", ShownByte(*byte))
            }
            Self::InvalidNumber => f.write_str("invalid high-precision number, expected the text of a JSON number"),
            Self::NumberOutOfRange => f.write_str("number out of range for every Rust number type asked for"),
            Self::TrailingBytes(byte) => {
                write!(f, "trailing byte {}, expected the end of the input", ShownByte(*byte))
            }
            Self::TypeNotAllowed(byte) => write!(
                f,
                "unexpected container type {}, expected the marker of a value",
                ShownByte(*byte)
            ),
            Self::TypeWithoutCount(byte) => write!(
                f,
                "unexpected byte {}, expected `#` and a count behind the container type",
                ShownByte(*byte)
            ),
            Self::DepthLimit(limit) => {
                write!(f, "containers nested deeper than the limit of {limit} levels")
            }
            Self::BudgetExceeded { count, budget } => write!(
                f,
                "{count} elements without payload, expected at most {budget} more in this document"
            ),
            Self::CountMismatch { declared, written } => {
                write!(f, "a container announced {declared} elements and got {written}")
            }
            Self::UnreadElements => f.write_str("more elements in the container than the type takes"),
            Self::VariantWithManyKeys => f.write_str("more than one key, expected an enum's variant alone"),
            Self::VariantWithoutKey => f.write_str("an empty object, expected an enum's variant as its key"),
            Self::KeyNotString => f.write_str("key must be a string"),
            Self::NonFinite => f.write_str("non-finite float, expected a finite number"),
            Self::ValueWithoutKey => f.write_str("a map value came without a key"),
            Self::KeyWithoutValue => f.write_str("a map key came without a value"),
            Self::UnfinishedContainer => f.write_str("a container was not finished, so the document is broken"),
            #[cfg(feature = "codec")]
            Self::DocumentTooLong { limit } => write!(f, "the document is longer than the limit of {limit} bytes"),
            Self::Message(text) | Self::Retold { text, .. } => f.write_str(text),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.code.fmt(f)?;
        if let Some(offset) = self.0.offset {
            write!(f, " at byte {offset}")?;
        }
        if let ErrorCode::UnexpectedMarker { found, expected } | ErrorCode::UnexpectedLengthMarker { found, expected } =
            self.0.code
        {
            if let Some(hint) = file_type_hint(found, expected, self.0.offset) {
                write!(f, " (looks like {hint})")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.kind())
            .field("offset", &self.0.offset)
            .field("message", &self.0.code.to_string())
            .finish()
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.0.code {
            // The text of the I/O error is printed, so its own source is the next link.
            #[cfg(feature = "std")]
            ErrorCode::Io(error) => error.source(),
            _ => None,
        }
    }
}

impl de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::without_offset(ErrorCode::Message(message.to_string().into_boxed_str()))
    }
}

impl ser::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        de::Error::custom(message)
    }
}

/// This crate's error again where the I/O error was made from one, else one of kind
/// [`ErrorKind::Io`] without an offset.
#[cfg(feature = "std")]
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        match error.downcast() {
            Ok(error) => error,
            Err(error) => Self::io(error, None),
        }
    }
}

/// The I/O error itself where it was one, else `UnexpectedEof` or `InvalidData` around this error.
#[cfg(feature = "std")]
impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        match error.0.code {
            ErrorCode::Io(error) => error,
            ErrorCode::SeekElsewhere { .. } => Self::other(error),
            ErrorCode::Eof => Self::new(io::ErrorKind::UnexpectedEof, error),
            _ => Self::new(io::ErrorKind::InvalidData, error),
        }
    }
}

/// What serde's messages call a value of this type ("invalid type: string, expected ...").
impl Marker {
    pub(crate) fn unexpected(self) -> de::Unexpected<'static> {
        match self {
            Self::Null => de::Unexpected::Unit,
            Self::True => de::Unexpected::Bool(true),
            Self::False => de::Unexpected::Bool(false),
            Self::Array => de::Unexpected::Seq,
            Self::Object => de::Unexpected::Map,
            other => de::Unexpected::Other(other.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_beyond_a_machine_of_32_bits_is_named() {
        let error = Error::new(ErrorCode::LengthOverflow(1 << 32), 1);
        assert_eq!(error.kind(), ErrorKind::Length);
        assert_eq!(
            error.to_string(),
            "length 4294967296 is more than this machine can address at byte 1"
        );
    }
}
