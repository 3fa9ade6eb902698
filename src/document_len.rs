//! How long the first document of some bytes is, without decoding it.
//!
//! Maintainers: the scanner takes the same steps as skipping a value does, one at a time, over a
//! source that runs short instead of waiting. A step that runs short is taken back and tried again
//! when what it lacked has arrived; all before it stays done.

use alloc::vec::Vec;

use crate::de::Config;
use crate::decode::{Decoder, Extent};
use crate::error::Result;
use crate::read::PartialRead;
use crate::skip::Open;

/// What is known of the length of a document of which a part has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentLen {
    /// All of it has arrived: so many bytes, no-ops in front of it included.
    Complete(usize),
    /// The document goes on behind the bytes at hand.
    Incomplete {
        /// So many bytes are missing, or more: at least 1.
        missing: u64,
    },
}

/// Finds the end of the first document, or how many bytes of it are missing at least.
///
/// The document is checked as if it were read and ignored, so one that is complete is also
/// valid. Its length includes the no-ops in front of it; what follows it does not matter. For bytes
/// that arrive in pieces, [`DocumentScanner`] does not start over with each of them.
///
/// # Examples
///
/// ```
/// use ubjson::{DocumentLen, document_len};
///
/// assert_eq!(document_len(b"Si\x02hi, and more")?, DocumentLen::Complete(5));
/// // The text's second byte is missing.
/// assert_eq!(document_len(b"Si\x02h")?, DocumentLen::Incomplete { missing: 1 });
/// // Of three elements, one of which has begun, and two bytes of an int16.
/// assert_eq!(document_len(b"[#i\x03I")?, DocumentLen::Incomplete { missing: 4 });
/// # Ok::<(), ubjson::Error>(())
/// ```
///
/// # Errors
///
/// As [`from_slice`](crate::from_slice), but never
/// [`ErrorKind::Eof`](crate::ErrorKind::Eof), [`ErrorKind::Trailing`](crate::ErrorKind::Trailing) or
/// [`ErrorKind::Data`](crate::ErrorKind::Data).
pub fn document_len(bytes: &[u8]) -> Result<DocumentLen> {
    DocumentScanner::new().scan(bytes)
}

/// Finds the end of a document whose bytes arrive in pieces, at a cost in proportion to its length.
///
/// # Examples
///
/// ```
/// use ubjson::{DocumentLen, DocumentScanner};
///
/// let mut scanner = DocumentScanner::new();
/// let mut received = Vec::new();
/// let mut pieces = [&b"{i\x04name"[..], b"Si\x03ann", b"i\x03ageU\x63", b"}Si"].into_iter();
/// let byte_len = loop {
///     match scanner.scan(&received)? {
///         DocumentLen::Complete(byte_len) => break byte_len,
///         DocumentLen::Incomplete { .. } => received.extend_from_slice(pieces.next().unwrap()),
///     }
/// };
/// assert_eq!(received[byte_len..], *b"Si");
/// # Ok::<(), ubjson::Error>(())
/// ```
#[derive(Debug)]
pub struct DocumentScanner {
    /// The decoder between two steps, without a source.
    decoder: Decoder<()>,
    /// The innermost open container.
    open: Option<Open>,
    /// The containers around it.
    outer: Vec<Open>,
    /// The next step is a value, not the way to one.
    value_due: bool,
    /// All in front has been scanned.
    position: usize,
    /// How many bytes there must be for the next step, and in all at least.
    needed_len: u64,
    min_len: u64,
    complete: bool,
    examined: u64,
}

impl Default for DocumentScanner {
    fn default() -> Self {
        Self::new()
    }
}

impl DocumentScanner {
    /// With the limits that [`from_slice`](crate::from_slice) has.
    #[must_use]
    pub fn new() -> Self {
        Self::with_config(&Config::new())
    }

    /// With the limits of `config`.
    #[must_use]
    pub fn with_config(config: &Config) -> Self {
        Self {
            decoder: Decoder::new((), config.limits),
            open: None,
            outer: Vec::new(),
            value_due: true,
            position: 0,
            needed_len: 0,
            min_len: 0,
            complete: false,
            examined: 0,
        }
    }

    /// Goes on with the next document, whose bytes start at 0 again.
    pub fn reset(&mut self) {
        self.decoder.begin_document();
        self.open = None;
        self.outer.clear();
        self.value_due = true;
        self.position = 0;
        self.needed_len = 0;
        self.min_len = 0;
        self.complete = false;
    }

    /// Whether nothing of the document has been scanned.
    #[cfg(feature = "codec")]
    pub(crate) fn is_at_start(&self) -> bool {
        self.position == 0
    }

    /// Takes all bytes of the document that have arrived so far, the ones of the last call in front,
    /// and says whether its end is among them.
    ///
    /// Where the document goes on, what has been scanned is not looked at again by the next call.
    /// One token at the end is, which has not arrived whole; but not before the part of it
    /// that was wanting has. A document that has been complete once stays so until
    /// [`reset`](Self::reset).
    ///
    /// # Errors
    ///
    /// As [`document_len`]; offsets are counted from the start of `bytes`. The next call fails in the
    /// same way.
    pub fn scan(&mut self, bytes: &[u8]) -> Result<DocumentLen> {
        if self.complete {
            return Ok(DocumentLen::Complete(self.position));
        }
        if bytes.len() as u64 >= self.needed_len {
            self.advance(bytes)?;
        }
        Ok(match self.complete {
            true => DocumentLen::Complete(self.position),
            false => DocumentLen::Incomplete {
                missing: self.min_len.saturating_sub(bytes.len() as u64),
            },
        })
    }

    /// How many bytes have been looked at by all calls together, those looked at twice counted
    /// twice. For measurements: divided by the length of the documents it is close to 1.
    #[must_use]
    pub fn examined(&self) -> u64 {
        self.examined
    }

    /// Takes steps until the end of the document or of the bytes at hand.
    fn advance(&mut self, bytes: &[u8]) -> Result<()> {
        let start = self.position;
        let mut decoder = self.decoder.with_source(PartialRead::new(bytes, start));
        let result = loop {
            self.skip_no_ops(&mut decoder);
            self.decoder = decoder.with_source(());
            self.position = decoder.source().position();
            let open = self.open;
            match self.step(&mut decoder) {
                Ok(()) if self.complete => {
                    self.position = decoder.source().position();
                    break Ok(());
                }
                Ok(()) => {}
                Err(error) => {
                    self.open = open;
                    break match decoder.source().shortage() {
                        Some(shortage) => {
                            self.needed_len = shortage.needed_len;
                            self.min_len = shortage.min_len;
                            Ok(())
                        }
                        None => Err(error),
                    };
                }
            }
        };
        self.examined += (decoder.source().position() - start) as u64;
        result
    }

    /// One step; after an error all but `open` is as it was before.
    fn step(&mut self, decoder: &mut Decoder<PartialRead<'_>>) -> Result<()> {
        match &mut self.open {
            Some(open) if !self.value_due => {
                if decoder.next_value(open)? {
                    self.value_due = true;
                    return Ok(());
                }
                decoder.leave();
                self.open = self.outer.pop();
            }
            _ => {
                let marker = decoder.marker()?;
                if let Some(inner) = decoder.skip_or_open(marker)? {
                    self.outer.extend(self.open.replace(inner));
                }
                self.value_due = false;
            }
        }
        self.complete = self.open.is_none();
        Ok(())
    }

    /// Skips the no-ops at hand where they may stand, so that none is looked at twice.
    fn skip_no_ops(&self, decoder: &mut Decoder<PartialRead<'_>>) {
        let may_stand = match self.open {
            _ if self.value_due => !decoder.is_elided(),
            Some(Open::Array(array)) => matches!(array.extent, Extent::Plain),
            Some(Open::Object(object)) => !matches!(object.extent, Extent::Counted(0)),
            None => false,
        };
        if may_stand {
            decoder.skip_no_ops_at_hand();
        }
    }
}
