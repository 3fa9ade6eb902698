//! What the integration tests share. Each test crate uses its own part of it.
#![allow(dead_code, reason = "each test crate uses its own part")]

#[cfg(feature = "cli")]
pub(crate) mod command;
pub(crate) mod doc;
pub(crate) mod grammar;
pub(crate) mod marked;
pub(crate) mod model;
pub(crate) mod random;
#[cfg(feature = "std")]
pub(crate) mod readers;
#[cfg(feature = "std")]
pub(crate) mod sources;
pub(crate) mod vectors;
pub(crate) mod wire;

/// How many random cases a test tries: under Miri, which takes a second for a millisecond, a five-hundredth of them.
pub(crate) const fn cases(tests: u64) -> u64 {
    if cfg!(miri) { tests.div_ceil(500) } else { tests }
}

/// The bytes a hexadecimal text stands for.
pub(crate) fn from_hex(text: &str) -> Vec<u8> {
    assert!(text.len() % 2 == 0, "odd number of digits");
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal digits"))
        .collect()
}

/// The hexadecimal text of some bytes, for messages.
pub(crate) fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
