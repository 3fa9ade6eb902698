//! Reading many like records into `Value` takes less than half of the memory that `serde_json::Value` takes for the same
//! data, and numeric arrays what their numbers take.
#![cfg(feature = "std")]

use peak_alloc::PeakAlloc;
use serde::Serialize;
use ubjson::Value;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

#[derive(Serialize)]
struct Record {
    id: u32,
    station: String,
    valid: bool,
    temperature: f64,
    humidity: f64,
    place: Place,
}

#[derive(Serialize)]
struct Place {
    latitude: f64,
    longitude: f64,
    country: &'static str,
}

fn records() -> Vec<Record> {
    (0..20_000)
        .map(|id| Record {
            id,
            station: format!("station {}", id % 97),
            valid: id % 3 == 0,
            temperature: f64::from(id % 400) / 10.0,
            humidity: f64::from(id % 1000) / 1000.0,
            place: Place {
                latitude: f64::from(id % 180) - 89.5,
                longitude: f64::from(id % 360) - 179.5,
                country: ["PE", "NO", "EC", "PT"][id as usize % 4],
            },
        })
        .collect()
}

/// How much more memory was in use at the peak of `work` than before it, and how much is after it.
fn measure<T>(work: impl FnOnce() -> T) -> (usize, usize, T) {
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    let result = work();
    let (peak, after) = (ALLOCATOR.peak_usage(), ALLOCATOR.current_usage());
    (peak.saturating_sub(before), after.saturating_sub(before), result)
}

// One test, since the allocator counts for the whole process.
#[test]
fn values_are_smaller_than_those_of_json() {
    let records = records();
    let json = serde_json::to_vec(&records).expect("JSON");
    let bytes = ubjson::to_vec(&records).expect("a document");
    let (json_peak, _, json_value) = measure(|| serde_json::from_slice::<serde_json::Value>(&json).expect("JSON"));
    let (peak, _, value) = measure(|| ubjson::from_slice::<Value>(&bytes).expect("a document"));
    println!("from a slice: {peak} bytes, serde_json {json_peak} bytes");
    assert!(peak * 2 < json_peak, "{peak} bytes, serde_json {json_peak} bytes");
    let (peak, _, from_reader) = measure(|| ubjson::from_reader::<_, Value>(&bytes[..]).expect("a document"));
    assert!(peak * 2 < json_peak, "{peak} bytes, serde_json {json_peak} bytes");
    assert!(value == from_reader);
    assert_eq!(
        json_value[19_999]["place"]["country"],
        value[19_999]["place"]["country"].as_str().expect("a text")
    );

    let floats = ubjson::ser::Config::new()
        .to_vec(&vec![0.5_f32; 1_000_000])
        .expect("a document");
    let (peak, after, value) = measure(|| ubjson::from_slice::<Value>(&floats).expect("a document"));
    assert!(value.as_packed().is_some());
    assert!(after < 4_000_000 + 200, "{after} bytes");
    assert!(peak < 4_000_000 + 200, "{peak} bytes at the peak");
    drop(value);
    // A reader grows with what has arrived.
    let (peak, _, value) = measure(|| ubjson::from_reader::<_, Value>(&floats[..]).expect("a document"));
    assert!(value.as_packed().is_some());
    assert!(peak < 3 * 4_000_000, "{peak} bytes at the peak");
    // What is declared alone takes nothing.
    let (peak, _, result) = measure(|| ubjson::from_reader::<_, Value>(&b"[$D#l\x7f\xff\xff\xff\x01"[..]));
    assert!(result.is_err());
    assert!(peak < 200_000, "{peak} bytes at the peak");
}
