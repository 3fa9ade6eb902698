//! What a format has to offer to be measured.

use serde::Serialize;
use serde::de::{Deserialize, DeserializeOwned, IgnoredAny};

pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// One serialization format in one configuration, through the entry points that its own
/// documentation recommends.
///
/// `scratch` is for a decoder that works inside its input and so needs a copy of the document;
/// the others leave it alone.
pub trait Format {
    /// As the tables and charts call it.
    const NAME: &'static str;

    fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>>;

    /// Writes into a buffer that is empty, but has the capacity of the last document.
    fn encode_into<T: Serialize>(value: &T, buffer: &mut Vec<u8>) -> Result<()>;

    fn decode<T: DeserializeOwned>(bytes: &[u8], scratch: &mut Vec<u8>) -> Result<T>;

    fn decode_borrowed<'de, T: Deserialize<'de>>(bytes: &'de [u8], scratch: &'de mut Vec<u8>) -> Result<T>;

    fn skip(bytes: &[u8], scratch: &mut Vec<u8>) -> Result<()> {
        Self::decode::<IgnoredAny>(bytes, scratch).map(|IgnoredAny| ())
    }

    /// Decodes with whichever program can, to check what was encoded.
    fn read_back<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
        Self::decode(bytes, &mut Vec::new())
    }
}

/// Code to run for a type of format.
pub trait FormatVisitor {
    fn visit<F: Format + 'static>(&mut self);
}
