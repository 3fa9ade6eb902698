//! One module for each fuzz target: what must hold for any bytes.

#[cfg(feature = "cli")]
pub(crate) mod cli;
mod round_trip;
mod sources;
#[cfg(feature = "codec")]
mod splits;
mod typed;
mod views;

use std::fmt::Debug;

use ubjson::{Error, ErrorKind, de};

/// Panics if the bytes show a fault.
pub(crate) type Target = fn(&[u8]);

pub(crate) const ALL: &[(&str, Target)] = &[
    ("sources_agree", sources::agree),
    ("views_agree", views::agree),
    #[cfg(feature = "codec")]
    ("splits_agree", splits::agree),
    ("round_trip", round_trip::round_trip),
    ("typed_round_trip", typed::round_trip),
    ("typed_decode", typed::decode),
];

/// What an error says of the bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Failure {
    kind: ErrorKind,
    offset: Option<u64>,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        assert!(!error.to_string().is_empty());
        Failure {
            kind: error.kind(),
            offset: error.offset(),
        }
    }
}

/// Few enough elements without payload that a million of them does not slow the fuzzer.
const FEW: u64 = 256;

/// The default limits but for the budget, and tight ones.
fn configs() -> [de::Config; 2] {
    let config = de::Config::new().max_empty_elements(FEW);
    [config, config.max_depth(3).max_empty_elements(5)]
}

/// The value as text, in which a NaN is equal to itself.
fn shown<T: Debug>(value: T) -> String {
    format!("{value:?}")
}
