//! What `ubjson check` is to say, from the crate's own streams.

use serde::de::IgnoredAny;
use ubjson::de;

/// The command's default.
pub(crate) const MAX_DEPTH: usize = 1000;

/// Whether the bytes are one or more valid documents and nothing else.
pub(crate) fn is_valid(bytes: &[u8]) -> bool {
    let has_document = bytes.iter().any(|byte| *byte != b'N');
    has_document && is_valid_or_empty(bytes)
}

/// The same for what may hold no document at all.
pub(crate) fn is_valid_or_empty(bytes: &[u8]) -> bool {
    let source = de::Config::new().max_depth(MAX_DEPTH).deserializer_from_slice(bytes);
    source.into_iter::<IgnoredAny>().all(|document| document.is_ok())
}
