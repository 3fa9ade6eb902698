//! Formats without names or types on the wire: the reader has to know both.

use bincode::config::{Configuration, Fixint, LittleEndian, standard};
use serde::Serialize;
use serde::de::{Deserialize, DeserializeOwned};

use crate::format::{Format, Result};

pub struct Postcard;

impl Format for Postcard {
    const NAME: &'static str = "postcard";

    fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>> {
        Ok(postcard::to_stdvec(value)?)
    }

    fn encode_into<T: Serialize>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
        postcard::to_io(value, buffer)?;
        Ok(())
    }

    fn decode<T: DeserializeOwned>(bytes: &[u8], _: &mut Vec<u8>) -> Result<T> {
        Ok(postcard::from_bytes(bytes)?)
    }

    fn decode_borrowed<'de, T: Deserialize<'de>>(bytes: &'de [u8], _: &'de mut Vec<u8>) -> Result<T> {
        Ok(postcard::from_bytes(bytes)?)
    }
}

pub struct BincodeVarint;

impl Format for BincodeVarint {
    const NAME: &'static str = "bincode varint";

    fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>> {
        Ok(bincode::serde::encode_to_vec(value, standard())?)
    }

    fn encode_into<T: Serialize>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
        bincode::serde::encode_into_std_write(value, buffer, standard())?;
        Ok(())
    }

    fn decode<T: DeserializeOwned>(bytes: &[u8], _: &mut Vec<u8>) -> Result<T> {
        Ok(bincode::serde::decode_from_slice(bytes, standard())?.0)
    }

    fn decode_borrowed<'de, T: Deserialize<'de>>(bytes: &'de [u8], _: &'de mut Vec<u8>) -> Result<T> {
        Ok(bincode::serde::borrow_decode_from_slice(bytes, standard())?.0)
    }
}

pub struct BincodeFixed;

impl BincodeFixed {
    const CONFIG: Configuration<LittleEndian, Fixint> = standard().with_fixed_int_encoding();
}

impl Format for BincodeFixed {
    const NAME: &'static str = "bincode fixed";

    fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>> {
        Ok(bincode::serde::encode_to_vec(value, Self::CONFIG)?)
    }

    fn encode_into<T: Serialize>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
        bincode::serde::encode_into_std_write(value, buffer, Self::CONFIG)?;
        Ok(())
    }

    fn decode<T: DeserializeOwned>(bytes: &[u8], _: &mut Vec<u8>) -> Result<T> {
        Ok(bincode::serde::decode_from_slice(bytes, Self::CONFIG)?.0)
    }

    fn decode_borrowed<'de, T: Deserialize<'de>>(bytes: &'de [u8], _: &'de mut Vec<u8>) -> Result<T> {
        Ok(bincode::serde::borrow_decode_from_slice(bytes, Self::CONFIG)?.0)
    }
}
