//! The generator of the example and the benches makes the records that another program makes from the same seed.
#![cfg(feature = "std")]

#[path = "../examples/air_quality/records.rs"]
mod records;

use records::{Measurement, Records, SEED};
use ubjson::{Deserializer, Serializer};

/// The checksum of zip and PNG.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ if crc & 1 == 1 { 0xEDB8_8320 } else { 0 };
        }
    }
    !crc
}

#[test]
fn records_are_those_of_the_reference_generator() {
    assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    let records: Vec<_> = Records::new(4_700, SEED).collect();
    let json = serde_json::to_vec(&records).unwrap();
    // Of the text that a Python program with the same arithmetic writes.
    assert_eq!((json.len(), crc32(&json)), (1_086_654, 261_530_112));
}

#[test]
fn records_read_back_as_measurements() {
    let mut serializer = Serializer::new(Vec::new());
    let mut array = serializer.begin_array(Some(1_000)).unwrap();
    for record in Records::new(1_000, SEED) {
        array.push(&record).unwrap();
    }
    array.finish().unwrap();
    let bytes = serializer.into_inner();
    let json = serde_json::to_string(&Records::new(1_000, SEED).collect::<Vec<_>>()).unwrap();
    let expected: Vec<Measurement> = serde_json::from_str(&json).unwrap();
    let mut de = Deserializer::from_slice(&bytes);
    let read: Vec<Measurement> = de.elements().unwrap().collect::<ubjson::Result<_>>().unwrap();
    assert_eq!(read, expected);
}
