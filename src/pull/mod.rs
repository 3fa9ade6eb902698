//! The pull reader: a document token by token, for those who want no tree and no type.
//!
//! [`Reader`] gives out markers, lengths, keys, payloads and the headers and ends of containers,
//! each with its offset, over every source, without recursion, within the limits of
//! [`de::Config`](crate::de::Config). It is what the deserializer is made of, so both accept and
//! refuse the same bytes with the same errors (but of a text that is not UTF-8 and severed as
//! well, the reader reports what comes first). Three uses:
//!
//! - **Looking into a file** of unknown or unusual form, headers and wire types included.
//! - **Rescuing a damaged one**: every token before the fault comes out, a long text up to the
//!   very byte where a file was severed.
//! - **Picking from a large one**: [`skip_value`](Reader::skip_value) passes over what is not
//!   wanted, and [`next_value`](Reader::next_value) reads what is wanted through serde.
//!
//! ```
//! use ubjson::pull::{Reader, Scalar, Token};
//!
//! // A recorder was switched off in the middle of the second sample.
//! let severed = b"{i\x07samples[$d#i\x02\x42\x76\x00\x00\x42\x68";
//! let mut reader = Reader::from_slice(severed);
//! let mut samples = Vec::new();
//! let error = loop {
//!     match reader.next_event() {
//!         Ok(Some(event)) => {
//!             if let Token::Scalar(Scalar::Float32(sample)) = event.token {
//!                 samples.push(sample);
//!             }
//!         }
//!         Ok(None) => unreachable!("the document is severed"),
//!         Err(error) => break error,
//!     }
//! };
//! assert_eq!(samples, [61.5]);
//! assert!(error.is_eof());
//! assert_eq!(error.offset(), Some(22));
//! ```

mod payload;
mod reader;
mod token;
mod value;

pub use self::reader::Reader;
pub use self::token::{Event, Header, Length, Scalar, Token};
pub use crate::read::Reference;
pub use crate::text::Text;
