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

/// Whether the bytes are one or more valid documents and nothing else: what `ubjson check` is to say.
#[must_use]
pub fn is_valid(bytes: &[u8]) -> bool {
    targets::cli::is_valid(bytes)
}

/// The same for what may hold no document at all.
#[must_use]
pub fn is_valid_or_empty(bytes: &[u8]) -> bool {
    targets::cli::is_valid_or_empty(bytes)
}
