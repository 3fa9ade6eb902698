//! Runs of scalars of one type, which go into a typed array without a decision per element.
//!
//! A sequence hands over its elements one by one, each through `Serialize`. Asked for nothing but
//! what scalar they are, numbers compile to plain values, so a loop over them becomes a gather into
//! a small block that the encoder takes whole.

use core::fmt;

use serde_core::Serialize;
use serde_core::ser::{self, Impossible};

use super::NonFinite;
use super::elements::Elements;
use crate::encode::Scalar;
use crate::error::Result;
use crate::marker::Marker;
use crate::write::Write;

/// How many scalars are gathered before they go to the encoder.
const RUN_LEN: usize = 64;

impl<W: Write> Elements<'_, W> {
    /// Adds all elements, and those that join a typed array in runs.
    #[inline]
    pub(super) fn extend<I: Iterator<Item: Serialize>>(&mut self, mut iter: I) -> Result<()> {
        let mut next = iter.next();
        let mut is_first = true;
        while let Some(item) = next {
            self.add(&item)?;
            next = match item_scalar(&item, is_first && self.is_typed()) {
                Some(scalar) => self.extend_like(scalar, &mut iter),
                None => iter.next(),
            };
            is_first = false;
        }
        Ok(())
    }

    /// Adds elements as long as they are of the same type as the one before them, `scalar`, and
    /// gives the next that is not; gives it at once if the array is not typed.
    fn extend_like<I: Iterator<Item: Serialize>>(&mut self, scalar: Scalar, iter: &mut I) -> Option<I::Item> {
        match scalar {
            Scalar::Float64(_) => self.extend_fixed(Marker::Float64, iter, |scalar| match scalar {
                Scalar::Float64(value) => Some(value.to_be_bytes()),
                _ => None,
            }),
            Scalar::Float32(_) => self.extend_fixed(Marker::Float32, iter, |scalar| match scalar {
                Scalar::Float32(value) => Some(value.to_be_bytes()),
                _ => None,
            }),
            Scalar::Byte(_) => self.extend_fixed(Marker::Uint8, iter, |scalar| match scalar {
                Scalar::Byte(value) => Some([value]),
                _ => None,
            }),
            _ => self.extend_integers(iter),
        }
    }

    /// Adds elements whose payload `payload` gives, as long as it does.
    fn extend_fixed<I: Iterator<Item: Serialize>, const N: usize>(
        &mut self,
        element: Marker,
        iter: &mut I,
        payload: impl Fn(Scalar) -> Option<[u8; N]>,
    ) -> Option<I::Item> {
        let is_ieee = self.ser.config().non_finite == NonFinite::Ieee;
        if !is_ieee || !self.ser.encoder.is_typed_as(element) {
            return iter.next();
        }
        let mut run = [[0; N]; RUN_LEN];
        loop {
            let (len, next) = gather(&mut run, iter, &payload);
            self.ser.encoder.extend_typed(run.get(..len).unwrap_or_default());
            self.count(len);
            if len < RUN_LEN {
                return next;
            }
        }
    }

    /// Adds elements that are integers, as long as they are.
    fn extend_integers<I: Iterator<Item: Serialize>>(&mut self, iter: &mut I) -> Option<I::Item> {
        if !self.ser.encoder.is_typed_as_integers() {
            return iter.next();
        }
        let mut run = [0; RUN_LEN];
        loop {
            let (len, next) = gather(&mut run, iter, |scalar| match scalar {
                Scalar::Integer(value) => Some(value),
                _ => None,
            });
            self.ser
                .encoder
                .extend_typed_integers(run.get(..len).unwrap_or_default());
            self.count(len);
            if len < RUN_LEN {
                return next;
            }
        }
    }
}

/// The scalar that an element is. Asked only of one that has joined a typed array, so that nobody's
/// costly `Serialize` runs twice.
#[inline]
fn item_scalar<T: Serialize>(item: &T, is_typed: bool) -> Option<Scalar> {
    if is_typed {
        item.serialize(ScalarProbe).ok()
    } else {
        None
    }
}

/// Fills `run` with what `value` makes of the next elements; gives how many there are and, if the
/// run is not full, the next element.
#[inline]
fn gather<I: Iterator<Item: Serialize>, T>(
    run: &mut [T],
    iter: &mut I,
    value: impl Fn(Scalar) -> Option<T>,
) -> (usize, Option<I::Item>) {
    for (len, place) in run.iter_mut().enumerate() {
        let Some(item) = iter.next() else {
            return (len, None);
        };
        match item.serialize(ScalarProbe).ok().and_then(&value) {
            Some(value) => *place = value,
            None => return (len, Some(item)),
        }
    }
    (run.len(), None)
}

/// The element is something else, or fails by itself.
#[derive(Debug)]
struct NotScalar;

impl fmt::Display for NotScalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a scalar")
    }
}

impl core::error::Error for NotScalar {}

impl ser::Error for NotScalar {
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Self
    }
}

/// Tells which scalar an element is, and writes nothing.
struct ScalarProbe;

type No = Impossible<Scalar, NotScalar>;

macro_rules! no_scalar {
    ($($method:ident($($argument:ty),*) -> $ok:ty;)*) => {$(
        #[inline]
        fn $method(self, $(_: $argument),*) -> Result<$ok, NotScalar> {
            Err(NotScalar)
        }
    )*};
}

macro_rules! integer_scalar {
    ($($method:ident($integer:ty);)*) => {$(
        #[inline]
        fn $method(self, value: $integer) -> Result<Scalar, NotScalar> {
            i64::try_from(value).map(Scalar::Integer).map_err(|_| NotScalar)
        }
    )*};
}

impl ser::Serializer for ScalarProbe {
    type Ok = Scalar;
    type Error = NotScalar;
    type SerializeSeq = No;
    type SerializeTuple = No;
    type SerializeTupleStruct = No;
    type SerializeTupleVariant = No;
    type SerializeMap = No;
    type SerializeStruct = No;
    type SerializeStructVariant = No;

    integer_scalar! {
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_i128(i128);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_u128(u128);
    }

    no_scalar! {
        serialize_bool(bool) -> Scalar;
        serialize_char(char) -> Scalar;
        serialize_str(&str) -> Scalar;
        serialize_bytes(&[u8]) -> Scalar;
        serialize_none() -> Scalar;
        serialize_unit() -> Scalar;
        serialize_unit_struct(&'static str) -> Scalar;
        serialize_unit_variant(&'static str, u32, &'static str) -> Scalar;
        serialize_seq(Option<usize>) -> No;
        serialize_tuple(usize) -> No;
        serialize_tuple_struct(&'static str, usize) -> No;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> No;
        serialize_map(Option<usize>) -> No;
        serialize_struct(&'static str, usize) -> No;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> No;
    }

    #[inline]
    fn serialize_u8(self, value: u8) -> Result<Scalar, NotScalar> {
        Ok(Scalar::Byte(value))
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result<Scalar, NotScalar> {
        Ok(Scalar::Float32(value))
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result<Scalar, NotScalar> {
        Ok(Scalar::Float64(value))
    }

    // A wrapper or an option may be more than its content to this format: not looked into.
    fn serialize_some<T: ?Sized + Serialize>(self, _value: &T) -> Result<Scalar, NotScalar> {
        Err(NotScalar)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _: &'static str, _: &T) -> Result<Scalar, NotScalar> {
        Err(NotScalar)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Scalar, NotScalar> {
        Err(NotScalar)
    }

    #[inline]
    fn collect_str<T: ?Sized + fmt::Display>(self, _value: &T) -> Result<Scalar, NotScalar> {
        Err(NotScalar)
    }
}
