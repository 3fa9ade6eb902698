//! Long vectors of numbers, and of bytes.

use super::random::Random;

pub const COUNT: usize = 100_000;
pub const BYTES: usize = 1_000_000;

/// Readings of a sensor with a resolution of a millionth.
pub fn f64s(count: usize) -> Vec<f64> {
    let mut random = Random::new(0x0004);
    (0..count).map(|_| f64::from(random.next() as i32) / 1e6).collect()
}

/// Quarters: exact in binary, so every reader gives them back, through `f64` too.
pub fn f32s(count: usize) -> Vec<f32> {
    let mut random = Random::new(0x0005);
    (0..count)
        .map(|_| random.below(4_000_000) as f32 / 4.0 - 500_000.0)
        .collect()
}

/// The whole range, so that nearly all need four bytes.
pub fn i32s(count: usize) -> Vec<i32> {
    let mut random = Random::new(0x0006);
    (0..count).map(|_| random.next() as i32).collect()
}

pub fn bytes(count: usize) -> Vec<u8> {
    let mut random = Random::new(0x0007);
    (0..count).map(|_| random.next() as u8).collect()
}
