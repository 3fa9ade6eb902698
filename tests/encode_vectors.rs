//! Every vector of `encode.json`: written plainly to its bytes, and read back from them.

mod common;

use ubjson::ser::{Config, Containers};

use common::doc::Doc;
use common::to_hex;
use common::vectors::{EncodeVector, encode_vectors};

/// The vectors with a number that no integer and no float writes as its text.
const ONLY_AS_TEXT: [&str; 5] = [
    "high-1e400",
    "high-3d14159265358979323846",
    "high-200-digits",
    "high-300-digits",
    "object-every-type",
];

fn vectors() -> impl Iterator<Item = (EncodeVector, Doc)> {
    encode_vectors()
        .into_iter()
        .filter_map(|mut vector| vector.value.take().map(|value| (vector, value)))
}

#[test]
fn only_numbers_kept_as_text_are_left_out() {
    let vectors = encode_vectors();
    let left_out = vectors
        .iter()
        .filter(|vector| vector.value.is_none())
        .map(|vector| &vector.name);
    assert_eq!(left_out.collect::<Vec<_>>(), ONLY_AS_TEXT);
    assert!(cfg!(miri) || vectors.len() == 107, "{} vectors", vectors.len());
}

#[test]
fn every_vector_is_written_to_its_bytes() {
    let config = Config::new().containers(Containers::Plain);
    for (vector, value) in vectors() {
        let written = config.to_vec(&value).unwrap();
        assert_eq!(to_hex(&written), to_hex(&vector.bytes), "{}", vector.name);
    }
}

#[cfg(feature = "std")]
#[test]
fn every_vector_is_written_to_its_bytes_through_a_writer() {
    let config = Config::new().containers(Containers::Plain);
    for (vector, value) in vectors() {
        let mut written = Vec::new();
        config.to_writer(&mut written, &value).unwrap();
        assert_eq!(to_hex(&written), to_hex(&vector.bytes), "{}", vector.name);
    }
}

#[test]
fn every_vector_is_appended_behind_what_is_there() {
    let config = Config::new().containers(Containers::Plain);
    for (vector, value) in vectors() {
        let mut written = b"before".to_vec();
        config.append_to(&mut written, &value).unwrap();
        assert_eq!(
            written.strip_prefix(b"before"),
            Some(&vector.bytes[..]),
            "{}",
            vector.name
        );
    }
}

#[test]
fn every_vector_reads_back() {
    for (vector, value) in vectors() {
        assert_eq!(
            ubjson::from_slice::<Doc>(&vector.bytes).unwrap(),
            value,
            "{}",
            vector.name
        );
    }
}
