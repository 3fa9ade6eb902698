//! Payloads that are written as blocks: packed arrays, and values that are encoded already.

use alloc::vec::Vec;
use core::ops::{BitOr, BitXor, Shr};

use super::Encoder;
use super::typed::{as_float32, smallest};
use crate::doorway::{Numeric, native_to_wire, numbers};
use crate::error::Result;
use crate::marker::{Marker, byte};
use crate::write::Write;

/// Elements are copied and swapped in pieces of this size, which stay in the cache meanwhile.
const PIECE_LEN: usize = 8 * 1024;

impl<W: Write> Encoder<W> {
    /// A typed array of `wire`, which holds the numbers; these are of type `element` and given as
    /// their bytes in memory.
    pub(crate) fn packed(&mut self, element: Marker, wire: Marker, native: &[u8]) -> Result<()> {
        self.enter()?;
        let (element_len, wire_len) = (width(element), width(wire));
        let count = native.len() / element_len;
        self.block
            .extend_from_slice(&[byte::ARRAY_START, byte::TYPE, wire.to_byte(), byte::COUNT]);
        self.length(count, self.config().counts)?;
        if element == wire && element_len == 1 {
            self.payload(native)?;
            self.leave();
            return self.settle();
        }
        if !W::IN_BLOCKS {
            self.block.reserve(count * wire_len);
        }
        for piece in native.chunks(PIECE_LEN) {
            self.piece(element, wire, piece);
            self.settle()?;
        }
        self.leave();
        self.settle()
    }

    #[expect(clippy::cast_possible_truncation, reason = "the type of the wire holds every number")]
    fn piece(&mut self, element: Marker, wire: Marker, native: &[u8]) {
        let block = &mut self.block;
        match (element, wire) {
            (Marker::Int16, Marker::Int8 | Marker::Uint8) => narrow(block, native, |number: i16| [number as u8]),
            (Marker::Int32, Marker::Int8 | Marker::Uint8) => narrow(block, native, |number: i32| [number as u8]),
            (Marker::Int32, Marker::Int16) => narrow(block, native, |number: i32| (number as i16).to_be_bytes()),
            (Marker::Int64, Marker::Int8 | Marker::Uint8) => narrow(block, native, |number: i64| [number as u8]),
            (Marker::Int64, Marker::Int16) => narrow(block, native, |number: i64| (number as i16).to_be_bytes()),
            (Marker::Int64, Marker::Int32) => narrow(block, native, |number: i64| (number as i32).to_be_bytes()),
            (Marker::Float64, Marker::Float32) => narrow(block, native, |number: f64| (number as f32).to_be_bytes()),
            _ => {
                let start = block.len();
                block.extend_from_slice(native);
                native_to_wire(width(element), block.get_mut(start..).unwrap_or_default());
            }
        }
    }

    /// The bytes of one value.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> Result<()> {
        self.payload(bytes)
    }
}

/// How many bytes an element of a number's type takes.
fn width(element: Marker) -> usize {
    element.payload_len().unwrap_or_default().max(1)
}

/// Appends numbers in a smaller type.
fn narrow<T: Numeric, const N: usize>(block: &mut Vec<u8>, native: &[u8], to_wire: impl Fn(T) -> [u8; N]) {
    let start = block.len();
    block.resize(start + native.len() / size_of::<T>() * N, 0);
    let payloads = block.get_mut(start..).unwrap_or_default().chunks_exact_mut(N);
    for (number, payload) in numbers::<T>(native).zip(payloads) {
        payload.copy_from_slice(&to_wire(number));
    }
}

/// The smallest type of the wire that holds all of the numbers, given as their bytes in memory; of
/// none their own.
pub(crate) fn smallest_type(element: Marker, native: &[u8]) -> Marker {
    match element {
        _ if native.is_empty() => element,
        Marker::Int16 => smallest(extreme::<i16>(native)),
        Marker::Int32 => smallest(extreme::<i32>(native)),
        Marker::Int64 => smallest(extreme::<i64>(native)),
        Marker::Float64 if numbers::<f64>(native).all(|number| as_float32(number).is_some()) => Marker::Float32,
        _ => element,
    }
}

/// An integer that takes as many bits as any of the integers and is negative if one of them is:
/// found without a comparison, many elements at a time.
fn extreme<T>(native: &[u8]) -> i64
where
    T: Numeric + Into<i64> + BitOr<Output = T> + BitXor<Output = T> + Shr<usize, Output = T>,
{
    let (bits, signs) = numbers::<T>(native).fold((T::zeroed(), T::zeroed()), |(bits, signs), number| {
        let sign = number >> (8 * size_of::<T>() - 1);
        (bits | (number ^ sign), signs | sign)
    });
    let bits: i64 = bits.into();
    bits ^ signs.into()
}
