//! The length profiles: how the length of strings and keys, and the count of containers, are written.

mod common;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_bytes::ByteBuf;
use ubjson::from_slice;
use ubjson::ser::{Config, Containers, Lengths};

use common::doc::Doc;
use common::to_hex;

/// A length, and how each profile writes it.
type Row = (usize, [&'static str; 4]);

const PROFILES: [Lengths; 4] = [Lengths::Smallest, Lengths::Uint8First, Lengths::Int32, Lengths::Int64];

const TABLE: [Row; 8] = [
    (0, ["6900", "5500", "6c00000000", "4c0000000000000000"]),
    (1, ["6901", "5501", "6c00000001", "4c0000000000000001"]),
    (127, ["697f", "557f", "6c0000007f", "4c000000000000007f"]),
    (128, ["5580", "5580", "6c00000080", "4c0000000000000080"]),
    (255, ["55ff", "55ff", "6c000000ff", "4c00000000000000ff"]),
    (256, ["490100", "490100", "6c00000100", "4c0000000000000100"]),
    (32_767, ["497fff", "497fff", "6c00007fff", "4c0000000000007fff"]),
    (32_768, ["6c00008000", "6c00008000", "6c00008000", "4c0000000000008000"]),
];

/// Checks that the document of each length starts with `start` and the length as its profile has it.
fn assert_lengths<T: Serialize>(start: &str, configs: fn(Lengths) -> Config, value: fn(usize) -> T) {
    for (length, forms) in TABLE {
        for (profile, form) in PROFILES.into_iter().zip(forms) {
            let bytes = configs(profile).to_vec(&value(length)).unwrap();
            let header = to_hex(&bytes[..bytes.len().min(start.len() + 9)]);
            assert!(
                header.starts_with(&format!("{start}{form}")),
                "{length} as {profile:?}: {header}"
            );
            from_slice::<Doc>(&bytes).unwrap();
        }
    }
}

fn lengths(profile: Lengths) -> Config {
    // The other profile differs, so that the two cannot be confused.
    let other = if profile == Lengths::Int64 {
        Lengths::Int32
    } else {
        Lengths::Int64
    };
    Config::new()
        .containers(Containers::Plain)
        .lengths(profile)
        .counts(other)
}

fn counts(profile: Lengths) -> Config {
    let other = if profile == Lengths::Int64 {
        Lengths::Int32
    } else {
        Lengths::Int64
    };
    Config::new()
        .containers(Containers::Counted)
        .counts(profile)
        .lengths(other)
}

#[test]
fn lengths_of_strings() {
    assert_lengths("53", lengths, |length| "x".repeat(length));
}

#[test]
fn lengths_of_keys_of_maps() {
    assert_lengths("7b", lengths, |length| BTreeMap::from([("k".repeat(length), 1)]));
}

#[test]
fn lengths_of_keys_of_structs_and_variants() {
    #[derive(Serialize)]
    struct Named {
        name: (),
    }
    #[derive(Serialize)]
    enum Variant {
        Some(()),
    }
    for (profile, form) in PROFILES
        .into_iter()
        .zip(["6904", "5504", "6c00000004", "4c0000000000000004"])
    {
        let field = lengths(profile).to_vec(&Named { name: () }).unwrap();
        assert_eq!(to_hex(&field), format!("7b{form}6e616d655a7d"));
        let variant = lengths(profile).to_vec(&Variant::Some(())).unwrap();
        assert_eq!(to_hex(&variant), format!("7b{form}536f6d655a7d"));
    }
}

#[test]
fn lengths_of_long_names_of_structs() {
    #[derive(Serialize)]
    struct Long {
        #[serde(rename = "a name that is longer than the sixty-two bytes that are copied at once, by some way")]
        field: (),
    }
    for (profile, form) in PROFILES
        .into_iter()
        .zip(["6953", "5553", "6c00000053", "4c0000000000000053"])
    {
        let bytes = lengths(profile).to_vec(&Long { field: () }).unwrap();
        assert_eq!(to_hex(&bytes[..=form.len() / 2]), format!("7b{form}"));
        assert_eq!(bytes.len(), 1 + form.len() / 2 + 0x53 + 2);
    }
}

#[test]
fn lengths_of_high_precision_numbers() {
    for (profile, form) in PROFILES
        .into_iter()
        .zip(["6914", "5514", "6c00000014", "4c0000000000000014"])
    {
        let bytes = lengths(profile).to_vec(&u64::MAX).unwrap();
        assert_eq!(
            to_hex(&bytes),
            format!("48{form}3138343436373434303733373039353531363135")
        );
    }
}

#[test]
fn counts_of_sequences() {
    assert_lengths("5b23", counts, |length| vec![(); length]);
}

#[test]
fn counts_of_maps() {
    assert_lengths("7b23", counts, |length| {
        (0..length).map(|key| (key, ())).collect::<BTreeMap<_, _>>()
    });
}

#[test]
fn counts_of_bytes_whatever_the_containers() {
    fn value(length: usize) -> ByteBuf {
        ByteBuf::from(vec![7; length])
    }
    assert_lengths("5b245523", counts, value);
    assert_lengths(
        "5b245523",
        |profile| counts(profile).containers(Containers::Plain),
        value,
    );
}

#[test]
fn counts_of_structs_tuples_and_variants() {
    #[derive(Serialize)]
    struct Pair {
        x: (),
        y: (),
    }
    #[derive(Serialize)]
    enum Variant {
        Of((), ()),
    }
    for (profile, form) in PROFILES
        .into_iter()
        .zip(["6902", "5502", "6c00000002", "4c0000000000000002"])
    {
        let config = counts(profile).lengths(Lengths::Smallest);
        let one = form.replace('2', "1");
        assert_eq!(
            to_hex(&config.to_vec(&Pair { x: (), y: () }).unwrap()),
            format!("7b23{form}6901785a6901795a")
        );
        assert_eq!(to_hex(&config.to_vec(&((), ())).unwrap()), format!("5b23{form}5a5a"));
        let variant = to_hex(&config.to_vec(&Variant::Of((), ())).unwrap());
        assert_eq!(variant, format!("7b23{one}69024f665b23{form}5a5a"));
    }
}
