//! BSON, whose outermost value has to be a document: the payload becomes its one field.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::format::{Format, Result};

#[derive(Serialize)]
pub struct Wrapped<'a, T> {
    pub value: &'a T,
}

#[derive(Deserialize)]
struct Unwrapped<T> {
    value: T,
}

pub struct Bson;

impl Format for Bson {
    const NAME: &'static str = "bson";

    fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>> {
        Ok(bson::serialize_to_vec(&Wrapped { value })?)
    }

    fn encode_into<T: Serialize>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
        Ok(bson::serialize_to_buffer(&Wrapped { value }, buffer)?)
    }

    fn decode<T: DeserializeOwned>(bytes: &[u8], _: &mut Vec<u8>) -> Result<T> {
        Ok(bson::deserialize_from_slice::<Unwrapped<T>>(bytes)?.value)
    }

    fn decode_borrowed<'de, T: Deserialize<'de>>(bytes: &'de [u8], _: &'de mut Vec<u8>) -> Result<T> {
        Ok(bson::deserialize_from_slice::<Unwrapped<T>>(bytes)?.value)
    }
}
