//! The numbers that packed arrays hold, and how the wire's types become them.

use alloc::vec::Vec;
use core::fmt;

use serde_core::de::{self, Deserialize, Unexpected};
use serde_core::ser::Serialize;

use crate::doorway::{Numeric, vectorised};
use crate::marker::Marker;

pub(super) mod sealed {
    use super::Numeric;
    use crate::marker::Marker;

    /// What the crate itself needs to know of a number type.
    #[expect(private_bounds, reason = "sealed: nobody else needs to see how numbers are laid out")]
    pub trait Sealed: Numeric + Default {
        /// As the errors name it.
        const NAME: &'static str;

        /// The integer, if the type holds it; a float is the nearest.
        fn from_integer(value: i64) -> Option<Self>;

        /// The float, if the type is one; the nearest that it holds.
        fn from_float(value: f64) -> Option<Self>;

        /// Whether every number of the wire's type is a number of this one.
        fn holds(element: Marker) -> bool;
    }
}

/// A number that both Rust and the wire have: `i8`, `u8`, `i16`, `i32`, `i64`, `f32` or `f64`.
///
/// Sealed: the wire has no others (Draft 12, Value Types › Numeric Types).
pub trait Element:
    sealed::Sealed + fmt::Debug + PartialEq + PartialOrd + Serialize + for<'de> Deserialize<'de>
{
}

macro_rules! integers {
    ($($number:ident: $($narrower:ident)|*;)*) => {$(
        impl sealed::Sealed for $number {
            const NAME: &'static str = stringify!($number);

            #[inline]
            fn from_integer(value: i64) -> Option<Self> {
                Self::try_from(value).ok()
            }

            #[inline]
            fn from_float(_: f64) -> Option<Self> {
                None
            }

            fn holds(element: Marker) -> bool {
                matches!(element, $(Marker::$narrower)|*)
            }
        }

        impl Element for $number {}
    )*};
}

integers! {
    i8: Int8;
    u8: Uint8;
    i16: Int8 | Uint8 | Int16;
    i32: Int8 | Uint8 | Int16 | Int32;
    i64: Int8 | Uint8 | Int16 | Int32 | Int64;
}

macro_rules! floats {
    ($($number:ident: $($narrower:ident)|*;)*) => {$(
        impl sealed::Sealed for $number {
            const NAME: &'static str = stringify!($number);

            #[inline]
            #[expect(clippy::cast_precision_loss, reason = "the nearest, as serde gives it")]
            fn from_integer(value: i64) -> Option<Self> {
                Some(value as Self)
            }

            #[inline]
            #[allow(clippy::cast_possible_truncation, reason = "the nearest, as serde gives it")]
            fn from_float(value: f64) -> Option<Self> {
                Some(value as Self)
            }

            fn holds(element: Marker) -> bool {
                matches!(element, $(Marker::$narrower)|*)
            }
        }

        impl Element for $number {}
    )*};
}

floats! {
    f32: Int8 | Uint8 | Int16 | Float32;
    f64: Int8 | Uint8 | Int16 | Int32 | Float32 | Float64;
}

/// A number that does not fit the type that is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Misfit {
    Integer(i64),
    Float(f64),
}

impl Misfit {
    #[cold]
    pub(super) fn into_error<T: Element, E: de::Error>(self) -> E {
        match self {
            Self::Integer(value) => E::invalid_value(Unexpected::Signed(value), &Name(T::NAME)),
            Self::Float(value) => E::invalid_type(Unexpected::Float(value), &Name(T::NAME)),
        }
    }
}

struct Name(&'static str);

impl de::Expected for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The number of type `T` that a payload of the wire's type `element` is.
#[inline]
pub(super) fn number<T: Element>(element: Marker, payload: &[u8]) -> Option<T> {
    match element {
        Marker::Int8 => T::from_integer(i8::from_wire(payload).into()),
        Marker::Uint8 => T::from_integer(u8::from_wire(payload).into()),
        Marker::Int16 => T::from_integer(i16::from_wire(payload).into()),
        Marker::Int32 => T::from_integer(i32::from_wire(payload).into()),
        Marker::Int64 => T::from_integer(i64::from_wire(payload)),
        Marker::Float32 => T::from_float(f32::from_wire(payload).into()),
        _ => T::from_float(f64::from_wire(payload)),
    }
}

/// Appends the numbers of a block of the wire's type `element`.
pub(super) fn extend<T: Element>(numbers: &mut Vec<T>, element: Marker, block: &[u8]) -> Result<(), Misfit> {
    if element == T::MARKER {
        T::extend_from_wire(numbers, block);
        return Ok(());
    }
    match element {
        Marker::Int8 => integers::<T, i8>(numbers, block),
        Marker::Uint8 => integers::<T, u8>(numbers, block),
        Marker::Int16 => integers::<T, i16>(numbers, block),
        Marker::Int32 => integers::<T, i32>(numbers, block),
        Marker::Int64 => integers::<T, i64>(numbers, block),
        Marker::Float32 => floats::<T, f32>(numbers, block),
        _ => floats::<T, f64>(numbers, block),
    }
}

fn integers<T: Element, W: Numeric + Into<i64>>(numbers: &mut Vec<T>, block: &[u8]) -> Result<(), Misfit> {
    convert::<T, W, _>(
        numbers,
        block,
        |wire| T::from_integer(wire.into()),
        |wire| Misfit::Integer(wire.into()),
    )
}

fn floats<T: Element, W: Numeric + Into<f64>>(numbers: &mut Vec<T>, block: &[u8]) -> Result<(), Misfit> {
    convert::<T, W, _>(
        numbers,
        block,
        |wire| T::from_float(wire.into()),
        |wire| Misfit::Float(wire.into()),
    )
}

/// One loop that never stops, so that it can be vectorised; only a misfit is looked for again.
fn convert<T: Element, W: Numeric, F: Fn(W) -> Option<T>>(
    numbers: &mut Vec<T>,
    block: &[u8],
    fit: F,
    misfit: impl Fn(W) -> Misfit,
) -> Result<(), Misfit> {
    let payloads = block.chunks_exact(size_of::<W>());
    let mut all_fit = true;
    vectorised(block.len(), || {
        numbers.extend(payloads.clone().map(|payload| {
            let number = fit(W::from_wire(payload));
            all_fit &= number.is_some();
            number.unwrap_or_default()
        }));
    });
    if all_fit {
        return Ok(());
    }
    let mut wire = payloads.map(W::from_wire);
    wire.find(|number| fit(*number).is_none())
        .map_or(Ok(()), |number| Err(misfit(number)))
}
