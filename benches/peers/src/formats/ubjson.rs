//! This crate, in the configurations that differ in speed.

use std::marker::PhantomData;

use serde::Serialize;
use serde::de::{Deserialize, DeserializeOwned};
use ubjson::ser::{Config, Containers, Structs};

use crate::format::{Format, Result};

/// Another configuration of the writer; the reader has no need of one.
pub trait Writer: 'static {
    const NAME: &'static str;

    fn config() -> Config;
}

/// What `ubjson::to_vec` does, called by that name: its options are constants that the compiler
/// sees, as in any program that calls it.
pub struct Default;

impl Format for Default {
    const NAME: &'static str = "ubjson";

    fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>> {
        Ok(ubjson::to_vec(value)?)
    }

    fn encode_into<T: Serialize>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
        Ok(Config::new().append_to(buffer, value)?)
    }

    fn decode<T: DeserializeOwned>(bytes: &[u8], _: &mut Vec<u8>) -> Result<T> {
        Ok(ubjson::from_slice(bytes)?)
    }

    fn decode_borrowed<'de, T: Deserialize<'de>>(bytes: &'de [u8], _: &'de mut Vec<u8>) -> Result<T> {
        Ok(ubjson::from_slice(bytes)?)
    }
}

pub struct Plain;

impl Writer for Plain {
    const NAME: &'static str = "ubjson Plain";

    fn config() -> Config {
        Config::new().containers(Containers::Plain)
    }
}

pub struct Counted;

impl Writer for Counted {
    const NAME: &'static str = "ubjson Counted";

    fn config() -> Config {
        Config::new().containers(Containers::Counted)
    }
}

/// Structs by position, without their fields' names.
pub struct StructArrays;

impl Writer for StructArrays {
    const NAME: &'static str = "ubjson Structs::Array";

    fn config() -> Config {
        Config::new().structs(Structs::Array)
    }
}

pub struct Ubjson<W>(PhantomData<W>);

impl<W: Writer> Format for Ubjson<W> {
    const NAME: &'static str = W::NAME;

    fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>> {
        Ok(W::config().to_vec(value)?)
    }

    fn encode_into<T: Serialize>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
        Ok(W::config().append_to(buffer, value)?)
    }

    fn decode<T: DeserializeOwned>(bytes: &[u8], scratch: &mut Vec<u8>) -> Result<T> {
        Default::decode(bytes, scratch)
    }

    fn decode_borrowed<'de, T: Deserialize<'de>>(bytes: &'de [u8], scratch: &'de mut Vec<u8>) -> Result<T> {
        Default::decode_borrowed(bytes, scratch)
    }
}

/// The default again, under another name: for values of `ubjson::packed::Packed`.
pub struct Packed;

impl Format for Packed {
    const NAME: &'static str = "ubjson packed";

    fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>> {
        Default::encode(value)
    }

    fn encode_into<T: Serialize>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
        Default::encode_into(value, buffer)
    }

    fn decode<T: DeserializeOwned>(bytes: &[u8], scratch: &mut Vec<u8>) -> Result<T> {
        Default::decode(bytes, scratch)
    }

    fn decode_borrowed<'de, T: Deserialize<'de>>(bytes: &'de [u8], scratch: &'de mut Vec<u8>) -> Result<T> {
        Default::decode_borrowed(bytes, scratch)
    }
}
