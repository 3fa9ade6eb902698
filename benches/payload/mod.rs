//! The data that every benchmark measures, made from fixed seeds so that each run and each
//! program sees the same values.
//!
//! The Criterion benches and the `peers` package both include this module by path. Text holds
//! nothing that JSON has to escape, so that JSON readers can borrow it, and floats are short
//! decimal fractions, which `serde_json` reads back exactly without its `float_roundtrip` feature.

#![allow(dead_code, reason = "each program measures its own part of the payloads")]
#![allow(unreachable_pub, reason = "some including programs are libraries, some are not")]

pub mod logs;
pub mod numeric;
mod random;
pub mod rows;
pub mod strings;
pub mod tree;
