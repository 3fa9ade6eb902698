//! A declared count decides no allocation of a packed array either, whatever it is converted to.
#![cfg(feature = "std")]

use std::any::type_name;

use peak_alloc::PeakAlloc;
use serde::de::DeserializeOwned;
use ubjson::packed::Packed;
use ubjson::{ErrorKind, from_reader, from_seekable, from_slice};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// How much more memory was in use at the peak of `work` than before it.
fn peak<T>(work: impl FnOnce() -> T) -> (usize, T) {
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    let result = work();
    (ALLOCATOR.peak_usage().saturating_sub(before), result)
}

/// Reads from every source; each ends too early and stays below the limit.
fn assert_cheap<T: DeserializeOwned>(bytes: &[u8], limit: usize) {
    let peaks = [
        peak(|| from_slice::<T>(bytes).map(drop)),
        peak(|| from_reader::<_, T>(bytes).map(drop)),
        peak(|| from_seekable::<_, T>(std::io::Cursor::new(bytes)).map(drop)),
    ];
    for (peak, result) in peaks {
        let (name, start) = (type_name::<T>(), &bytes[..bytes.len().min(16)]);
        assert_eq!(result.unwrap_err().kind(), ErrorKind::Eof, "{name} from {start:?}");
        assert!(peak <= limit, "{name} from {start:?} took {peak} bytes");
    }
}

// One test, since the allocator counts for the whole process.
#[test]
fn counts_decide_no_allocation() {
    for count in [
        &b"L\x0f\xff\xff\xff\xff\xff\xff\xff"[..],
        b"L\0\0\0\x01\0\0\0\0",
        b"l\x40\0\0\0",
    ] {
        for payload in [0, 1, 100, 100_000] {
            let document = |element: u8| [b"[$", &[element][..], b"#", count, &vec![1; payload]].concat();
            for element in b"iUIlLdD" {
                // What has arrived, eight times as wide, in a vector that grows by doubling, and buffers.
                let limit = 8 * 2 * payload + payload + 128 * 1024;
                assert_cheap::<Packed<Vec<f32>>>(&document(*element), limit);
                assert_cheap::<Packed<Vec<f64>>>(&document(*element), limit);
            }
            for element in b"iUIlL" {
                let limit = 8 * 2 * payload + payload + 128 * 1024;
                assert_cheap::<Packed<Vec<i64>>>(&document(*element), limit);
            }
            assert_cheap::<Packed<Vec<u8>>>(&document(b'U'), 3 * payload + 128 * 1024);
        }
    }
}
