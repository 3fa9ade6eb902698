//! JSON text: the baseline, and the two SIMD parsers.

use serde::Serialize;
use serde::de::{Deserialize, DeserializeOwned};

use crate::format::{Format, Result};

pub struct SerdeJson;

impl Format for SerdeJson {
    const NAME: &'static str = "serde_json";

    fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>> {
        Ok(serde_json::to_vec(value)?)
    }

    fn encode_into<T: Serialize>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
        Ok(serde_json::to_writer(buffer, value)?)
    }

    fn decode<T: DeserializeOwned>(bytes: &[u8], _: &mut Vec<u8>) -> Result<T> {
        Ok(serde_json::from_slice(bytes)?)
    }

    fn decode_borrowed<'de, T: Deserialize<'de>>(bytes: &'de [u8], _: &'de mut Vec<u8>) -> Result<T> {
        Ok(serde_json::from_slice(bytes)?)
    }
}

pub struct SonicRs;

impl Format for SonicRs {
    const NAME: &'static str = "sonic-rs";

    fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>> {
        Ok(sonic_rs::to_vec(value)?)
    }

    fn encode_into<T: Serialize>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
        Ok(sonic_rs::to_writer(buffer, value)?)
    }

    fn decode<T: DeserializeOwned>(bytes: &[u8], _: &mut Vec<u8>) -> Result<T> {
        Ok(sonic_rs::from_slice(bytes)?)
    }

    fn decode_borrowed<'de, T: Deserialize<'de>>(bytes: &'de [u8], _: &'de mut Vec<u8>) -> Result<T> {
        Ok(sonic_rs::from_slice(bytes)?)
    }
}

/// Parses inside its input, so each decoding starts with a copy of the document.
pub struct SimdJson;

impl SimdJson {
    pub fn copied<'a>(bytes: &[u8], scratch: &'a mut Vec<u8>) -> &'a mut [u8] {
        scratch.clear();
        scratch.extend_from_slice(bytes);
        scratch
    }
}

impl Format for SimdJson {
    const NAME: &'static str = "simd-json";

    fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>> {
        Ok(simd_json::to_vec(value)?)
    }

    fn encode_into<T: Serialize>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
        Ok(simd_json::to_writer(buffer, value)?)
    }

    fn decode<T: DeserializeOwned>(bytes: &[u8], scratch: &mut Vec<u8>) -> Result<T> {
        Ok(simd_json::from_slice(Self::copied(bytes, scratch))?)
    }

    fn decode_borrowed<'de, T: Deserialize<'de>>(bytes: &'de [u8], scratch: &'de mut Vec<u8>) -> Result<T> {
        Ok(simd_json::from_slice(Self::copied(bytes, scratch))?)
    }
}
