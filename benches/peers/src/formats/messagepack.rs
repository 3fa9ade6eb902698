//! MessagePack, with field names and without.

use serde::Serialize;
use serde::de::{Deserialize, DeserializeOwned};

use crate::format::{Format, Result};

pub struct RmpNamed;

impl Format for RmpNamed {
    const NAME: &'static str = "rmp-serde named";

    fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>> {
        Ok(rmp_serde::to_vec_named(value)?)
    }

    fn encode_into<T: Serialize>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
        Ok(rmp_serde::encode::write_named(buffer, value)?)
    }

    fn decode<T: DeserializeOwned>(bytes: &[u8], _: &mut Vec<u8>) -> Result<T> {
        Ok(rmp_serde::from_slice(bytes)?)
    }

    fn decode_borrowed<'de, T: Deserialize<'de>>(bytes: &'de [u8], _: &'de mut Vec<u8>) -> Result<T> {
        Ok(rmp_serde::from_slice(bytes)?)
    }
}

pub struct RmpCompact;

impl Format for RmpCompact {
    const NAME: &'static str = "rmp-serde compact";

    fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>> {
        Ok(rmp_serde::to_vec(value)?)
    }

    fn encode_into<T: Serialize>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
        Ok(rmp_serde::encode::write(buffer, value)?)
    }

    fn decode<T: DeserializeOwned>(bytes: &[u8], scratch: &mut Vec<u8>) -> Result<T> {
        RmpNamed::decode(bytes, scratch)
    }

    fn decode_borrowed<'de, T: Deserialize<'de>>(bytes: &'de [u8], scratch: &'de mut Vec<u8>) -> Result<T> {
        RmpNamed::decode_borrowed(bytes, scratch)
    }
}
