//! A declared length decides no allocation: what is reserved grows with what has arrived.
#![cfg(feature = "std")]

mod common;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use peak_alloc::PeakAlloc;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_bytes::ByteBuf;
use ubjson::{ErrorKind, from_reader, from_seekable, from_slice};

use common::doc::Doc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const LIMIT: usize = 1024 * 1024;

/// How much more memory was in use at the peak of `work` than before it.
fn peak<T>(work: impl FnOnce() -> T) -> (usize, T) {
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    let result = work();
    (ALLOCATOR.peak_usage().saturating_sub(before), result)
}

/// Reads a `T` from every source; each ends too early and stays below the limit.
fn cheap<T: DeserializeOwned>(bytes: &[u8]) {
    let peaks = [
        peak(|| from_slice::<T>(bytes).map(drop)),
        peak(|| from_reader::<_, T>(bytes).map(drop)),
        peak(|| from_seekable::<_, T>(std::io::Cursor::new(bytes)).map(drop)),
    ];
    for (peak, result) in peaks {
        let (name, start) = (std::any::type_name::<T>(), &bytes[..bytes.len().min(16)]);
        let error = result.expect_err(name);
        assert_eq!(error.kind(), ErrorKind::Eof, "{name} from {start:?}");
        assert!(peak < LIMIT, "{name} from {start:?} took {peak} bytes");
    }
}

#[derive(Deserialize)]
struct Text {
    #[serde(rename = "text")]
    _text: Cow<'static, str>,
}

/// Lengths that no machine has memory for, one that many have, and one that is only too large.
const LENGTHS: [&[u8]; 3] = [
    b"L\x7f\xff\xff\xff\xff\xff\xff\xff",
    b"L\0\0\0\x01\0\0\0\0",
    b"l\x40\0\0\0",
];

// One test, since the allocator counts for the whole process.
#[test]
fn declared_lengths_decide_no_allocation() {
    for length in LENGTHS {
        for payload in [0, 100, 100_000] {
            let payload = vec![b'1'; payload];
            let bytes = |start: &[u8]| [start, length, &payload].concat();
            cheap::<String>(&bytes(b"S"));
            cheap::<ByteBuf>(&bytes(b"S"));
            cheap::<Doc>(&bytes(b"S"));
            cheap::<IgnoredAny>(&bytes(b"S"));
            cheap::<f64>(&bytes(b"H"));
            cheap::<u128>(&bytes(b"H"));
            cheap::<Doc>(&bytes(b"H"));
            cheap::<IgnoredAny>(&bytes(b"H"));
            cheap::<BTreeMap<String, u8>>(&bytes(b"{"));
            cheap::<BTreeMap<u64, u8>>(&bytes(b"{"));
            cheap::<IgnoredAny>(&bytes(b"{"));
            cheap::<Vec<u8>>(&bytes(b"[$U#"));
            cheap::<ByteBuf>(&bytes(b"[$U#"));
            cheap::<ByteBuf>(&bytes(b"[$C#"));
            cheap::<IgnoredAny>(&bytes(b"[$U#"));
            cheap::<Vec<f64>>(&bytes(b"[$D#"));
            cheap::<Vec<f64>>(&bytes(b"[$d#"));
            cheap::<IgnoredAny>(&bytes(b"[$D#"));
            cheap::<Text>(&[b"{i\x04textS", length, &payload].concat());
        }
        cheap::<Vec<String>>(&[b"[$S#", length].concat());
        cheap::<Vec<Vec<u8>>>(&[b"[$[#", length].concat());
        cheap::<Vec<HashMap<String, u8>>>(&[b"[${#", length].concat());
        cheap::<Vec<u64>>(&[b"[#", length].concat());
        cheap::<Vec<[u64; 8]>>(&[b"[#", length].concat());
        cheap::<HashMap<String, u64>>(&[b"{#", length].concat());
        cheap::<HashMap<String, u64>>(&[b"{$Z#", length].concat());
        cheap::<HashMap<String, u64>>(&[b"{$L#", length].concat());
    }
}
