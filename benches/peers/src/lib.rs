//! `ubjson` measured beside the formats that a Rust program could use instead.
//!
//! A *cell* is one payload and one operation; its *contenders* are the formats that can do the
//! work. Before anything is measured, every contender's document is decoded and compared with the
//! value it was made from; one that fails, or that gives back something else, is listed with its
//! reason and left out. Decoding includes dropping what was decoded, as a program pays for both.

pub mod cells;
pub mod charts;
pub mod files;
pub mod format;
pub mod formats;
pub mod measure;
#[path = "../../payload/mod.rs"]
pub mod payload;
pub mod payloads;
pub mod report;
pub mod values;
