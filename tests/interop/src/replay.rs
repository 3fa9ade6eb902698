//! A game replay (`.slp`): nearly all of it one byte array, then metadata.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ubjson::ser::{Config, Containers, Integers, Lengths};

/// Parsers of replays compare the first eleven bytes and read a length of four: `{U\x03raw[$U#l`.
pub(crate) fn config() -> Config {
    Config::new()
        .containers(Containers::Plain)
        .lengths(Lengths::Uint8First)
        .counts(Lengths::Int32)
        .integers(Integers::Declared)
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Replay {
    #[serde(with = "serde_bytes")]
    pub(crate) raw: Vec<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) metadata: Option<Metadata>,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Metadata {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) start_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) last_frame: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) console_nick: Option<String>,
    /// By port; the keys are text in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) players: Option<BTreeMap<u8, Player>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) played_on: Option<String>,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Player {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) names: Option<Names>,
    /// Frames played, by character.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) characters: Option<BTreeMap<u16, i32>>,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Names {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) netplay: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<String>,
}
