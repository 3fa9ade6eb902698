//! The numbers that packed arrays hold, between memory and the wire, as blocks.

use alloc::vec::Vec;

use bytemuck::Pod;

use super::vector::vectorised;
use crate::marker::Marker;

/// A number type that both Rust and the wire have.
pub(crate) trait Numeric: Pod {
    /// The element type on the wire.
    const MARKER: Marker;

    /// The number that a payload of the wire is, which has its length.
    fn from_wire(payload: &[u8]) -> Self;

    /// Appends the numbers of a block of the wire.
    fn extend_from_wire(numbers: &mut Vec<Self>, block: &[u8]);
}

macro_rules! numeric {
    ($($number:ty, $marker:ident;)*) => {$(
        impl Numeric for $number {
            const MARKER: Marker = Marker::$marker;

            #[inline]
            fn from_wire(payload: &[u8]) -> Self {
                // In a loop over chunks the compiler sees that the lengths are equal.
                <[u8; size_of::<$number>()]>::try_from(payload).map_or_else(|_| Self::default(), Self::from_be_bytes)
            }

            #[inline]
            fn extend_from_wire(numbers: &mut Vec<Self>, block: &[u8]) {
                vectorised(block.len(), || {
                    numbers.extend(block.chunks_exact(size_of::<Self>()).map(Self::from_wire));
                });
            }
        }
    )*};
}

numeric! {
    i8, Int8; u8, Uint8; i16, Int16; i32, Int32; i64, Int64; f32, Float32; f64, Float64;
}

/// The bytes that the numbers are in memory.
#[inline]
pub(crate) fn native_bytes<T: Numeric>(numbers: &[T]) -> &[u8] {
    bytemuck::cast_slice(numbers)
}

/// The numbers whose bytes in memory are given.
pub(crate) fn numbers<T: Numeric>(native: &[u8]) -> impl ExactSizeIterator<Item = T> + '_ {
    native.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned)
}

/// Turns elements of `element_len` bytes from the order of memory into that of the wire, or back.
#[inline]
pub(crate) fn native_to_wire(element_len: usize, bytes: &mut [u8]) {
    vectorised(bytes.len(), || match element_len {
        2 => swap::<2>(bytes, |element| u16::from_ne_bytes(element).to_be_bytes()),
        4 => swap::<4>(bytes, |element| u32::from_ne_bytes(element).to_be_bytes()),
        8 => swap::<8>(bytes, |element| u64::from_ne_bytes(element).to_be_bytes()),
        _ => {}
    });
}

#[inline]
fn swap<const N: usize>(bytes: &mut [u8], to_wire: impl Fn([u8; N]) -> [u8; N]) {
    for element in bytes.chunks_exact_mut(N) {
        if let Ok(element) = <&mut [u8; N]>::try_from(element) {
            *element = to_wire(*element);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_the_wire_are_read_in_its_byte_order() {
        let mut numbers = Vec::new();
        i32::extend_from_wire(&mut numbers, b"\0\0\x01\x02\xff\xff\xff\xff");
        assert_eq!(numbers, [258, -1]);
        let mut numbers = Vec::new();
        f64::extend_from_wire(&mut numbers, b"\x3f\xe0\0\0\0\0\0\0");
        assert_eq!(numbers, [0.5]);
    }

    #[test]
    fn memory_becomes_the_wire() {
        let mut bytes = native_bytes(&[258_i16, -2]).to_vec();
        native_to_wire(2, &mut bytes);
        assert_eq!(bytes, b"\x01\x02\xff\xfe");
        let mut bytes = native_bytes(&[1_i64]).to_vec();
        native_to_wire(8, &mut bytes);
        assert_eq!(bytes, b"\0\0\0\0\0\0\0\x01");
        let mut bytes = native_bytes(&[-1_i8, 5]).to_vec();
        native_to_wire(1, &mut bytes);
        assert_eq!(bytes, b"\xff\x05");
    }
}
