//! The bodies of the fuzz targets. They are files of their own so that tests/fuzz_corpus.rs can replay them too.

#[path = "../../common/grammar.rs"]
#[allow(dead_code, reason = "it has more than the targets use")]
mod grammar;
mod targets;

/// Runs one target on one input; panics if the target finds a fault.
pub fn run(name: &str, data: &[u8]) {
    let target = targets::ALL.iter().find(|(target, _)| *target == name);
    target.expect("a target of this name").1(data);
}

/// What `ubjson check` is to say of some bytes: whether they are one or more valid documents.
pub use targets::cli::{MAX_DEPTH, is_valid, is_valid_or_empty};
