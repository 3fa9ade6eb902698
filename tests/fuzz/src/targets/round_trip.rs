//! What has been read and is written reads as the same, and is written as the same again, whatever the options.

use ubjson::ser::{Config, Containers, Integers, Lengths};
use ubjson::{Deserializer, Serializer, Value, de, from_value, to_value, transcode};

use super::FEW;

/// Longer ones are written slowly in so many ways.
const MAX_LEN: usize = 4096;

fn configs() -> impl Iterator<Item = Config> {
    let containers = [
        Containers::Auto,
        Containers::Counted,
        Containers::CountedArrays,
        Containers::Plain,
    ];
    let lengths = [Lengths::Smallest, Lengths::Uint8First, Lengths::Int32, Lengths::Int64];
    let rotated = lengths.into_iter().cycle().skip(1);
    let widths: Vec<_> = lengths.into_iter().zip(rotated).collect();
    containers.into_iter().flat_map(move |containers| {
        widths.clone().into_iter().flat_map(move |(lengths, counts)| {
            let config = Config::new().containers(containers).lengths(lengths).counts(counts);
            [config, config.integers(Integers::Declared), config.compact_floats(true)]
        })
    })
}

/// One form for all that is equal.
fn canonical(value: &Value) -> Vec<u8> {
    let config = Config::new().containers(Containers::Plain).compact_floats(true);
    config
        .to_vec(&unpacked(value))
        .expect("what has been read can be written")
}

/// The same without packed arrays, which are written as such whatever the options.
fn unpacked(value: &Value) -> Value {
    match value {
        Value::Packed(numbers) => numbers.iter().map(Value::from).collect(),
        Value::Array(array) => array.iter().map(unpacked).collect(),
        Value::Object(entries) => {
            let entries = entries.iter().map(|(key, value)| (key.to_owned(), unpacked(value)));
            Value::Object(entries.collect())
        }
        scalar => scalar.clone(),
    }
}

pub(super) fn round_trip(bytes: &[u8]) {
    if bytes.len() > MAX_LEN {
        return;
    }
    let reading = de::Config::new().max_empty_elements(FEW);
    let Ok((value, _)) = reading.from_slice_prefix::<Value>(bytes) else {
        return;
    };
    let expected = canonical(&value);
    for config in configs() {
        check(config, &value, &expected);
    }
    let moved: Value = from_value(to_value(&value).expect("a value")).expect("a value");
    assert_eq!(canonical(&moved), expected, "through serde, without bytes");
    let mut target = Serializer::with_vec(Vec::new(), &Config::new());
    transcode(&mut Deserializer::from_slice(bytes), &mut target).expect("a valid document");
    let transcoded: Value = ubjson::from_slice(&target.into_vec()).expect("a valid document");
    assert_eq!(canonical(&transcoded), expected, "transcoded");
}

fn check(config: Config, value: &Value, expected: &[u8]) {
    let written = config.to_vec(value).expect("what has been read can be written");
    let again: Value = ubjson::from_slice(&written).unwrap_or_else(|error| panic!("{error} in {written:02x?}"));
    // Two or three `u8` are typed, as bytes are, and may have been other integers before: so from the second writing on.
    let rewritten = config.to_vec(&again).expect("what has been read can be written");
    let twice: Value = ubjson::from_slice(&rewritten).unwrap_or_else(|error| panic!("{error} in {rewritten:02x?}"));
    assert_eq!(
        config.to_vec(&twice).as_ref().ok(),
        Some(&rewritten),
        "a fixed point of {config:?}"
    );
    assert_eq!(canonical(&twice), expected, "twice, {config:?}");
    assert_eq!(canonical(&again), expected, "{config:?}");
    // A NaN is not equal to itself.
    #[allow(clippy::eq_op, reason = "that is how it is found out")]
    let has_nan = value != value;
    assert!(has_nan || again == *value, "{config:?}");
    let mut sink = Vec::new();
    config.to_writer(&mut sink, value).expect("a vector takes everything");
    assert_eq!(sink, written, "to a writer, {config:?}");
}
