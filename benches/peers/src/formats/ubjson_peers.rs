//! The other UBJSON crates of the registry that have a serde interface.

use serde::Serialize;
use serde::de::{Deserialize, DeserializeOwned};

use crate::format::{Format, Result};

pub struct SerdeUbJson;

impl Format for SerdeUbJson {
    const NAME: &'static str = "serde_ub_json";

    fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>> {
        Ok(serde_ub_json::to_bytes(value)?)
    }

    fn encode_into<T: Serialize>(_: &T, _: &mut Vec<u8>) -> Result<()> {
        Err("writes into vectors of its own only".into())
    }

    fn decode<T: DeserializeOwned>(bytes: &[u8], _: &mut Vec<u8>) -> Result<T> {
        Ok(serde_ub_json::from_bytes(bytes)?)
    }

    fn read_back<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
        Ok(ubjson::from_slice(bytes)?)
    }

    fn decode_borrowed<'de, T: Deserialize<'de>>(bytes: &'de [u8], _: &'de mut Vec<u8>) -> Result<T> {
        Ok(serde_ub_json::from_bytes(bytes)?)
    }
}

pub struct SerdeUbj;

impl Format for SerdeUbj {
    const NAME: &'static str = "serde_ubj";

    fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>> {
        serde_ubj::to_vec(value).map_err(|error| error.to_string().into())
    }

    fn encode_into<T: Serialize>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
        serde_ubj::to_writer(buffer, value).map_err(|error| error.to_string().into())
    }

    fn decode<T: DeserializeOwned>(mut bytes: &[u8], _: &mut Vec<u8>) -> Result<T> {
        serde_ubj::from_buf_reader(&mut bytes).map_err(|error| error.to_string().into())
    }

    fn read_back<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
        Ok(ubjson::from_slice(bytes)?)
    }

    fn decode_borrowed<'de, T: Deserialize<'de>>(_: &'de [u8], _: &'de mut Vec<u8>) -> Result<T> {
        Err("reads from readers only, so nothing can be borrowed".into())
    }
}

pub struct SerdeUbjson;

impl Format for SerdeUbjson {
    const NAME: &'static str = "serde_ubjson";

    fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>> {
        serde_ubjson::to_vec(value).map_err(|error| error.to_string().into())
    }

    fn encode_into<T: Serialize>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
        serde_ubjson::to_writer(buffer, value).map_err(|error| error.to_string().into())
    }

    fn decode<T: DeserializeOwned>(_: &[u8], _: &mut Vec<u8>) -> Result<T> {
        Err("has no deserializer".into())
    }

    fn decode_borrowed<'de, T: Deserialize<'de>>(_: &'de [u8], _: &'de mut Vec<u8>) -> Result<T> {
        Err("has no deserializer".into())
    }

    fn read_back<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
        Ok(ubjson::from_slice(bytes)?)
    }
}
