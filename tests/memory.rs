//! Memory stays below a stated multiple of the input, whoever made it, and failing costs no more than succeeding.
//!
//! Stated: passing over a document takes at most `SKIP`, a tree at most `TREE`, the types below at most `TYPED`; each is a
//! multiple of the bytes that are there, and a constant. Elements without payload take no bytes, so they are in the
//! constant, by way of their budget. Alone in its test crate: the measure is the process's.
#![cfg(feature = "std")]

mod common;

use std::collections::BTreeMap;
use std::io::Cursor;
use std::{fs, path};

use peak_alloc::PeakAlloc;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use ubjson::pull::Reader;
use ubjson::{Value, de};

use common::random::Random;
use common::vectors::{Expected, decode_vectors, reports};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// So many bytes at most for each byte of the input, and so many besides.
#[derive(Clone, Copy, Debug)]
struct Bound {
    times: usize,
    constant: usize,
}

const KIB: usize = 1024;

/// A reader's buffer of 16 KiB, the 64 KiB that a declared length reserves at most before its bytes have come, and a payload
/// longer than the buffer, in a vector that grows by doubling.
const SKIP: Bound = Bound {
    times: 3,
    constant: 96 * KIB,
};

/// An element of one byte is a `Value` of 32 in a vector that grows by doubling; an entry of three has its key besides.
/// Containers that are open share what is reserved for the elements that they promise: 1 + 1/2 + 1/3 ... of the input.
const TREE: Bound = Bound {
    times: 256,
    constant: 192 * KIB,
};

/// The largest per byte are empty strings and vectors, of 24 bytes each for 2 and 3.
const TYPED: Bound = Bound {
    times: 96,
    constant: 192 * KIB,
};

/// Elements without payload in the tests of bounds; the default budget has a test of its own.
const BUDGET: u64 = 1000;

/// How much more memory was in use at the peak of `work` than before it.
fn peak<T>(work: impl FnOnce() -> T) -> usize {
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    let result = work();
    let peak = ALLOCATOR.peak_usage().saturating_sub(before);
    drop(result);
    peak
}

/// The peak of reading a `T` from a slice, a reader or a seekable reader.
fn peak_from<T: DeserializeOwned>(source: usize, config: de::Config, bytes: &[u8]) -> usize {
    match source % 3 {
        0 => peak(|| config.from_slice::<T>(bytes)),
        1 => peak(|| config.from_reader::<_, T>(bytes)),
        _ => peak(|| config.from_seekable::<_, T>(Cursor::new(bytes))),
    }
}

/// The same from each of them.
fn peaks<T: DeserializeOwned>(config: de::Config, bytes: &[u8]) -> [usize; 3] {
    [0, 1, 2].map(|source| peak_from::<T>(source, config, bytes))
}

fn assert_within(peaks: &[usize], bound: Bound, bytes: &[u8], what: &str) {
    let limit = bound.times * bytes.len() + bound.constant;
    let most = peaks.iter().copied().max().unwrap_or_default();
    assert!(
        most <= limit,
        "{what}: {most} bytes for {}, limit {limit}: {:02x?}",
        bytes.len(),
        &bytes[..bytes.len().min(64)]
    );
}

/// Types of all kinds, none of which holds more per byte of input than the bound says.
#[derive(Deserialize)]
#[expect(dead_code, reason = "only read into")]
struct Record {
    id: Option<i64>,
    name: Option<String>,
    list: Option<Vec<String>>,
    map: Option<BTreeMap<String, Vec<u8>>>,
    rows: Option<Vec<Vec<f64>>>,
}

/// A tree, skipped, pulled, and read into types: each within its bound.
fn assert_bounds(bytes: &[u8], what: &str) {
    let config = de::Config::new().max_empty_elements(BUDGET);
    assert_within(&peaks::<IgnoredAny>(config, bytes), SKIP, bytes, what);
    assert_within(&[pulled(config, bytes)], SKIP, bytes, what);
    assert_within(&peaks::<Value>(config, bytes), TREE, bytes, what);
    assert_within(&peaks::<Vec<Vec<u8>>>(config, bytes), TYPED, bytes, what);
    assert_within(&peaks::<Vec<Option<String>>>(config, bytes), TYPED, bytes, what);
    assert_within(
        &peaks::<BTreeMap<String, Vec<String>>>(config, bytes),
        TYPED,
        bytes,
        what,
    );
    assert_within(&peaks::<Record>(config, bytes), TYPED, bytes, what);
}

fn pulled(config: de::Config, bytes: &[u8]) -> usize {
    peak(|| {
        let mut reader = Reader::from(config.deserializer_from_reader(bytes));
        while matches!(reader.next_event(), Ok(Some(_))) {}
    })
}

/// Changes that keep a file alike to what it was: bytes and markers replaced, lengths made large, parts doubled and lost.
fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    const LETTERS: &[u8] = b"ZNTFiUIlLdDHCS[]{}$#";
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len());
        let end = bytes.len().min(at + random.below(40));
        match random.below(6) {
            0 if at < bytes.len() => bytes[at] = LETTERS[random.below(LETTERS.len())],
            1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            2 => drop(bytes.splice(at..at, *b"[$[#l\x7f\xff\xff\xff")),
            3 => drop(bytes.splice(at..end, *b"SL\0\0\0\x01\0\0\0\0")),
            4 => bytes.extend_from_within(at..end),
            _ => bytes.truncate(at.max(1)),
        }
    }
}

/// The models and replays of tests/data that are small enough to be read often.
fn real_files() -> Vec<Vec<u8>> {
    let data = path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut files = Vec::new();
    for folder in ["xgboost", "slippi"] {
        for entry in fs::read_dir(data.join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let is_binary = path
                .extension()
                .is_some_and(|extension| extension == "ubj" || extension == "slp");
            if is_binary {
                files.push(fs::read(path).expect("a file"));
            }
        }
    }
    files.sort_by_key(Vec::len);
    files
}

/// Documents that promise, repeat or nest as much as a few bytes can.
fn bombs() -> Vec<Vec<u8>> {
    let huge = b"L\x7f\xff\xff\xff\xff\xff\xff\xff";
    let mut bombs = vec![
        b"[".repeat(100_000),
        b"{i\0".repeat(50_000),
        b"[$[#i\x01".repeat(20_000),
        [b"[".as_slice(), &b"[]".repeat(50_000), b"]"].concat(),
        [b"[".as_slice(), &b"{}".repeat(50_000), b"]"].concat(),
        [b"[".as_slice(), &b"Si\0".repeat(50_000), b"]"].concat(),
        [b"[".as_slice(), &b"[$d#i\0".repeat(20_000), b"]"].concat(),
        [b"[$[#l\0\x01\0\0".as_slice(), &b"]".repeat(65_536)].concat(),
        [b"[$Z#U\xff".as_slice(), &b"[$Z#U\xff".repeat(10_000)].concat(),
        [b"{".as_slice(), &b"i\x01aZ".repeat(30_000), b"}"].concat(),
    ];
    let distinct =
        (0..30_000_u32).flat_map(|number| [b"U\x05".as_slice(), format!("{number:05}").as_bytes(), b"Z"].concat());
    bombs.push([b"{".to_vec(), distinct.collect(), b"}".to_vec()].concat());
    for marker in b"ZTFiUIlLdDHCS[{" {
        for start in [b"[$", b"{$"] {
            bombs.push([start.as_slice(), &[*marker], b"#", huge].concat());
            bombs.push([start.as_slice(), &[*marker], b"#", huge, &[1; 10_000]].concat());
        }
    }
    for start in [b"S".as_slice(), b"H", b"{", b"[#", b"{#"] {
        bombs.push([start, huge, &[b'1'; 10_000]].concat());
    }
    bombs
}

/// Containers that each hold the next, and promise two thousand million more.
fn nested_promises() -> Vec<Vec<u8>> {
    vec![
        b"[#l\x7f\xff\xff\xff".repeat(128),
        b"[$[#l\x7f\xff\xff\xff".repeat(128),
        b"{#l\x7f\xff\xff\xffi\0".repeat(128),
        [b"[#l\x7f\xff\xff\xff".repeat(100).as_slice(), b"[$D#l\x7f\xff\xff\xff"].concat(),
        [b"[#l\x7f\xff\xff\xff".repeat(128), b"T".repeat(100_000)].concat(),
    ]
}

/// What a document costs, it costs also where its end is missing.
fn assert_truncations(bytes: &[u8], what: &str) {
    let config = de::Config::new();
    let whole = peaks::<Value>(config, bytes);
    for cut in (0..bytes.len()).step_by(1 + bytes.len() / 100) {
        for (failed, whole) in peaks::<Value>(config, &bytes[..cut]).into_iter().zip(whole) {
            // The error itself.
            assert!(
                failed <= whole + KIB,
                "{what} cut to {cut}: {failed} bytes, {whole} where all is there"
            );
        }
    }
}

fn assert_mutations(files: &[Vec<u8>], count: usize) {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let config = de::Config::new().max_empty_elements(BUDGET);
    for number in 0..count {
        let mut bytes = files[random.below(files.len())].clone();
        mutate(&mut bytes, &mut random);
        let what = format!("mutation {number}");
        // By turns, so that each way to read meets each source.
        let source = number / 4;
        match number % 4 {
            0 => assert_within(&[peak_from::<Value>(source, config, &bytes)], TREE, &bytes, &what),
            1 => assert_within(&[peak_from::<IgnoredAny>(source, config, &bytes)], SKIP, &bytes, &what),
            2 => assert_within(&[peak_from::<Record>(source, config, &bytes)], TYPED, &bytes, &what),
            _ => assert_within(&[pulled(config, &bytes)], SKIP, &bytes, &what),
        }
    }
}

// One test, since the allocator counts for the whole process.
#[test]
fn memory_stays_below_a_multiple_of_the_input() {
    for vector in decode_vectors() {
        assert_bounds(&vector.bytes, &vector.name);
        if matches!(vector.expected, Expected::Value(_)) {
            assert_truncations(&vector.bytes, &vector.name);
        }
    }
    for report in reports() {
        assert_bounds(&report.bytes.unwrap_or_default(), &report.id);
    }
    for (number, bomb) in bombs().iter().enumerate() {
        assert_bounds(bomb, &format!("bomb {number}"));
    }
    for (number, bomb) in nested_promises().iter().enumerate() {
        assert_bounds(bomb, &format!("nested promises {number}"));
    }
    // The whole budget, from 10 bytes: trees of 32 bytes an element, in a vector that grows by doubling.
    let budget = peaks::<Value>(de::Config::new(), b"[$Z#l\0\x10\0\0");
    assert!(budget.iter().all(|peak| *peak < 3 * 32 * (1 << 20)), "{budget:?}");

    let files = real_files();
    assert!(files.len() >= 3, "{} files", files.len());
    for file in &files {
        assert_bounds(file, "a real file");
        assert_truncations(file, "a real file");
    }
    // Many changes of the small ones.
    let small: Vec<_> = files.into_iter().filter(|file| file.len() < 20_000).collect();
    assert!(!small.is_empty());
    assert_mutations(&small, 100_000);
}
