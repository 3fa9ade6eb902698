//! What comes through the private doorway: exact numbers, packed arrays and encoded values.

use serde_core::ser::Serializer as _;

use super::element::Element;
use super::{Integers, NonFinite, Serializer};
use crate::doorway::{Emit, numbers};
use crate::encode::smallest_type;
use crate::error::Result;
use crate::marker::Marker;
use crate::write::Write;

impl<W: Write> Emit for &mut Serializer<W> {
    fn emit_high_precision(self, text: &str) -> Result<()> {
        self.encoder.high_precision(text)
    }

    fn emit_raw(self, bytes: &[u8]) -> Result<()> {
        self.encoder.raw(bytes)
    }

    fn emit_packed(self, element: Marker, native: &[u8]) -> Result<()> {
        self.emit_packed_as(element, element, native)
    }

    fn emit_fitted(self, element: Marker, native: &[u8]) -> Result<()> {
        let config = self.config();
        let fits = match element {
            Marker::Float64 => config.compact_floats,
            _ => config.integers == Integers::Smallest,
        };
        match fits {
            true => self.emit_packed_as(element, smallest_type(element, native), native),
            false => self.emit_packed(element, native),
        }
    }
}

impl<W: Write> Serializer<W> {
    /// An array of numbers that are of type `element` in memory, and fit the type `wire`.
    fn emit_packed_as(&mut self, element: Marker, wire: Marker, native: &[u8]) -> Result<()> {
        // A typed array has no place for null: what is not finite makes it an ordinary one.
        if self.config().non_finite != NonFinite::Ieee {
            match element {
                Marker::Float32 if numbers::<f32>(native).any(|number| !number.is_finite()) => {
                    return self.collect_seq(numbers::<f32>(native));
                }
                Marker::Float64 if numbers::<f64>(native).any(|number| !number.is_finite()) => {
                    return self.collect_seq(numbers::<f64>(native));
                }
                _ => {}
            }
        }
        self.encoder.packed(element, wire, native)
    }
}

/// In an array, which is not a typed one then.
impl<W: Write> Emit for Element<'_, '_, W> {
    fn emit_high_precision(self, text: &str) -> Result<()> {
        self.untyped(false)?.emit_high_precision(text)
    }

    fn emit_raw(self, bytes: &[u8]) -> Result<()> {
        self.untyped(true)?.emit_raw(bytes)
    }

    fn emit_packed(self, element: Marker, native: &[u8]) -> Result<()> {
        self.untyped(true)?.emit_packed(element, native)
    }

    fn emit_fitted(self, element: Marker, native: &[u8]) -> Result<()> {
        self.untyped(true)?.emit_fitted(element, native)
    }
}
