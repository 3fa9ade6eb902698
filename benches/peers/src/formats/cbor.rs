//! CBOR, by two crates.

use std::mem;

use serde::Serialize;
use serde::de::{Deserialize, DeserializeOwned};

use crate::format::{Format, Result};

pub struct Ciborium;

impl Format for Ciborium {
    const NAME: &'static str = "ciborium";

    fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>> {
        let mut buffer = Vec::new();
        ciborium::into_writer(value, &mut buffer)?;
        Ok(buffer)
    }

    fn encode_into<T: Serialize>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
        Ok(ciborium::into_writer(value, buffer)?)
    }

    fn decode<T: DeserializeOwned>(bytes: &[u8], _: &mut Vec<u8>) -> Result<T> {
        Ok(ciborium::from_reader(bytes)?)
    }

    fn decode_borrowed<'de, T: Deserialize<'de>>(_: &'de [u8], _: &'de mut Vec<u8>) -> Result<T> {
        Err("reads from readers only, so nothing can be borrowed".into())
    }
}

pub struct Cbor4ii;

impl Format for Cbor4ii {
    const NAME: &'static str = "cbor4ii";

    fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>> {
        Ok(cbor4ii::serde::to_vec(Vec::new(), value)?)
    }

    fn encode_into<T: Serialize>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
        *buffer = cbor4ii::serde::to_vec(mem::take(buffer), value)?;
        Ok(())
    }

    fn decode<T: DeserializeOwned>(bytes: &[u8], _: &mut Vec<u8>) -> Result<T> {
        Ok(cbor4ii::serde::from_slice(bytes)?)
    }

    fn decode_borrowed<'de, T: Deserialize<'de>>(bytes: &'de [u8], _: &'de mut Vec<u8>) -> Result<T> {
        Ok(cbor4ii::serde::from_slice(bytes)?)
    }
}
