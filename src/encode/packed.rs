//! Payloads that are written as blocks: packed arrays, and values that are encoded already.

use core::ops::{BitOr, BitXor, Shr};

use super::Encoder;
use super::typed::{as_float32, smallest};
use crate::doorway::{Numeric, numbers, vectorised};
use crate::error::Result;
use crate::marker::{Marker, byte};
use crate::write::Write;

/// Numbers are turned into the wire's in pieces of at most this size, a multiple of every element's.
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
        } else {
            if !W::IN_BLOCKS {
                self.block.reserve(count * wire_len);
            }
            // Through a buffer that stays in the cache: into the block a copy is faster than the swap.
            let mut buffer = [0; PIECE_LEN];
            for piece in native.chunks(PIECE_LEN) {
                let payload = buffer
                    .get_mut(..piece.len() / element_len * wire_len)
                    .unwrap_or_default();
                to_wire(element, wire, piece, payload);
                self.block.extend_from_slice(payload);
                self.settle()?;
            }
        }
        self.leave();
        self.settle()
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

/// Turns numbers of type `element`, which takes more than a byte, into those of the wire's type
/// `wire`, which holds them.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the type of the wire holds every number"
)]
fn to_wire(element: Marker, wire: Marker, native: &[u8], payload: &mut [u8]) {
    match (element, wire) {
        (Marker::Int16, Marker::Int8 | Marker::Uint8) => each(native, payload, |number: i16| [number as u8]),
        (Marker::Int16, _) => each(native, payload, i16::to_be_bytes),
        (Marker::Int32, Marker::Int8 | Marker::Uint8) => each(native, payload, |number: i32| [number as u8]),
        (Marker::Int32, Marker::Int16) => each(native, payload, |number: i32| (number as i16).to_be_bytes()),
        (Marker::Int32, _) => each(native, payload, i32::to_be_bytes),
        (Marker::Int64, Marker::Int8 | Marker::Uint8) => each(native, payload, |number: i64| [number as u8]),
        (Marker::Int64, Marker::Int16) => each(native, payload, |number: i64| (number as i16).to_be_bytes()),
        (Marker::Int64, Marker::Int32) => each(native, payload, |number: i64| (number as i32).to_be_bytes()),
        (Marker::Int64, _) => each(native, payload, i64::to_be_bytes),
        (Marker::Float32, _) => each(native, payload, f32::to_be_bytes),
        (Marker::Float64, Marker::Float32) => each(native, payload, |number: f64| (number as f32).to_be_bytes()),
        _ => each(native, payload, f64::to_be_bytes),
    }
}

#[inline]
fn each<T: Numeric, const N: usize>(native: &[u8], payload: &mut [u8], to_wire: impl Fn(T) -> [u8; N]) {
    vectorised(native.len(), || {
        for (number, payload) in numbers::<T>(native).zip(payload.chunks_exact_mut(N)) {
            payload.copy_from_slice(&to_wire(number));
        }
    });
}

/// The smallest type of the wire that holds all of the numbers, given as their bytes in memory; of
/// none their own.
pub(crate) fn smallest_type(element: Marker, native: &[u8]) -> Marker {
    let extreme = match element {
        _ if native.is_empty() => return element,
        Marker::Int16 => extreme::<i16>,
        Marker::Int32 => extreme::<i32>,
        Marker::Int64 => extreme::<i64>,
        Marker::Float64 if numbers::<f64>(native).all(|number| as_float32(number).is_some()) => return Marker::Float32,
        _ => return element,
    };
    let mut so_far = Extreme::default();
    for piece in native.chunks(PIECE_LEN) {
        so_far = extreme(so_far, piece);
        // None is larger.
        if so_far.marker() == element {
            break;
        }
    }
    so_far.marker()
}

/// What the integers of an array need, found without a comparison, many elements at a time.
#[derive(Clone, Copy, Default)]
struct Extreme {
    /// The bits that any of them has set, or a negative one unset.
    bits: i64,
    /// -1 if any of them is negative.
    sign: i64,
}

impl Extreme {
    fn marker(self) -> Marker {
        smallest(self.bits ^ self.sign)
    }
}

fn extreme<T>(so_far: Extreme, native: &[u8]) -> Extreme
where
    T: Numeric + Into<i64> + BitOr<Output = T> + BitXor<Output = T> + Shr<usize, Output = T>,
{
    let (bits, sign) = vectorised(native.len(), || {
        numbers::<T>(native).fold((T::zeroed(), T::zeroed()), |(bits, signs), number| {
            let sign = number >> (8 * size_of::<T>() - 1);
            (bits | (number ^ sign), signs | sign)
        })
    });
    Extreme {
        bits: so_far.bits | bits.into(),
        sign: so_far.sign | sign.into(),
    }
}
