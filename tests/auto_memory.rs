//! While an array may still become a typed one, a writer holds that array and no more.
#![cfg(feature = "std")]

use std::io::sink;

use peak_alloc::PeakAlloc;
use serde::{Serialize, Serializer};
use ubjson::to_writer;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const KIB: usize = 1024;

/// A sequence made while it is written, which does or does not know its length.
struct Made<F> {
    known: bool,
    count: u32,
    make: F,
}

impl<T: Serialize, F: Fn(u32) -> T> Serialize for Made<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let elements = (0..self.count).map(&self.make);
        match self.known {
            true => serializer.collect_seq(elements),
            false => serializer.collect_seq(elements.filter(|_| true)),
        }
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum Either {
    Number(i64),
    Text(&'static str),
}

/// How much more memory is in use at the peak of writing than before it.
fn peak<T: Serialize>(value: &T) -> usize {
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    to_writer(sink(), value).unwrap();
    ALLOCATOR.peak_usage().saturating_sub(before)
}

fn assert_peak<T: Serialize>(value: &T, limit: usize, what: &str) {
    let peak = peak(value);
    assert!(peak <= limit, "{what} took {peak} bytes, limit {limit}");
}

// One test, since the allocator counts for the whole process.
#[test]
fn a_writer_holds_one_array_at_a_time() {
    const ROWS: u32 = 10_000;
    const NUMBERS: u32 = 100_000;

    for known in [true, false] {
        // 8 MB in all, 800 bytes each: a block of 64 KiB and the row that fills it, in a vector that grows by doubling.
        let row = |_| Made {
            known,
            count: 100,
            make: f64::from,
        };
        let rows = Made {
            known,
            count: ROWS,
            make: row,
        };
        assert_peak(&rows, 160 * KIB, "rows");

        // 800 kB, in a vector that grows by doubling.
        let numbers = Made {
            known,
            count: NUMBERS,
            make: |at| i64::from(at) << 32,
        };
        assert_peak(&numbers, 800 * KIB * 3, "one array");
    }

    // Not typed: each element goes out as it comes, though the whole is 3 MB.
    let texts = Made {
        known: true,
        count: NUMBERS,
        make: |at| format!("a text of some thirty bytes {at}"),
    };
    assert_peak(&texts, 128 * KIB, "texts");

    // Widened to int64, then written again with a marker each, since the last element is a text.
    let mixed = Made {
        known: false,
        count: NUMBERS,
        make: |at| match at {
            0..1000 => Either::Number(1),
            1000..99_999 => Either::Number(1 << (at % 62)),
            _ => Either::Text("x"),
        },
    };
    assert_peak(&mixed, 900 * KIB * 4, "a mixed array");
}
