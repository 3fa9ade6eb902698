//! Objects: maps and structs.

use core::fmt;

use serde_core::Serialize;
use serde_core::ser;

use super::elements::check_count;
use super::key::KeySerializer;
use super::{Containers, Serializer, Structs};
use crate::encode::Held;
use crate::error::{Error, ErrorCode, Result};
use crate::write::Write;

/// Objects of at least so many entries are counted by [`Containers::Auto`].
const MIN_COUNTED: usize = 16;

impl<W: Write> Serializer<W> {
    /// The count that an object's header gets, under the container policy.
    #[inline]
    fn object_count(&self, declared: Option<usize>) -> Option<usize> {
        match self.config().containers {
            Containers::Auto => declared.filter(|&count| count >= MIN_COUNTED && self.encoder.is_count_short(count)),
            Containers::Counted => declared,
            Containers::Plain | Containers::CountedArrays => None,
        }
    }
}

/// The entries of an open object.
pub struct Entries<'a, W> {
    ser: &'a mut Serializer<W>,
    declared: Option<usize>,
    written: usize,
    counted: bool,
    value_due: bool,
    ended: bool,
}

/// A container that is dropped before its end has broken the document.
impl<W> Drop for Entries<'_, W> {
    #[inline]
    fn drop(&mut self) {
        if !self.ended {
            self.ser.encoder.abandon();
        }
    }
}

impl<'a, W: Write> Entries<'a, W> {
    pub(super) fn new(ser: &'a mut Serializer<W>, declared: Option<usize>) -> Result<Self> {
        let count = ser.object_count(declared);
        ser.encoder.enter()?;
        ser.encoder.object_header(count)?;
        Ok(Self {
            ser,
            declared,
            written: 0,
            counted: count.is_some(),
            value_due: false,
            ended: false,
        })
    }
}

impl<W: Write> ser::SerializeMap for Entries<'_, W> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        if self.value_due {
            return Err(Error::without_offset(ErrorCode::KeyWithoutValue));
        }
        self.value_due = true;
        key.serialize(KeySerializer::new(&mut self.ser.encoder))
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        if !self.value_due {
            return Err(Error::without_offset(ErrorCode::ValueWithoutKey));
        }
        self.value_due = false;
        self.written += 1;
        value.serialize(&mut *self.ser)
    }

    fn end(mut self) -> Result<()> {
        if self.value_due {
            return Err(Error::without_offset(ErrorCode::KeyWithoutValue));
        }
        check_count(self.declared, self.written)?;
        self.ended = true;
        self.ser.encoder.close_object(self.counted)
    }
}

/// The fields of an open struct, which is an object, or an array with [`Structs::Array`].
pub struct Fields<'a, W> {
    ser: &'a mut Serializer<W>,
    declared: usize,
    written: usize,
    /// Fields left out of an array, in whose places null stands.
    skipped: usize,
    counted: bool,
    /// The header of a counted array, whose count skipped fields correct.
    held: Option<Held>,
    /// The struct is the content of a variant, whose object is to be closed with it.
    in_variant: bool,
    ended: bool,
}

/// A container that is dropped before its end has broken the document.
impl<W> Drop for Fields<'_, W> {
    #[inline]
    fn drop(&mut self) {
        if !self.ended {
            self.ser.encoder.abandon();
        }
    }
}

impl<'a, W: Write> Fields<'a, W> {
    #[inline]
    pub(super) fn new(ser: &'a mut Serializer<W>, declared: usize) -> Result<Self> {
        let count = match (ser.config().structs, ser.config().containers) {
            // Fields that are skipped later are not among the declared ones.
            (Structs::Array, Containers::Auto) => None,
            _ => ser.object_count(Some(declared)),
        };
        let held = match (ser.config().structs, count) {
            (Structs::Array, Some(_)) => Some(ser.encoder.hold()),
            _ => None,
        };
        ser.encoder.enter()?;
        match ser.config().structs {
            Structs::Map => ser.encoder.object_header(count)?,
            Structs::Array => ser.encoder.array_header(count)?,
        }
        Ok(Self {
            ser,
            declared,
            written: 0,
            skipped: 0,
            counted: count.is_some(),
            held,
            in_variant: false,
            ended: false,
        })
    }

    pub(super) fn in_variant(mut self) -> Self {
        self.in_variant = true;
        self
    }

    #[expect(
        clippy::inline_always,
        reason = "so that the name's length is a constant; see `field_name`"
    )]
    #[inline(always)]
    fn field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<()> {
        if self.ser.config().structs == Structs::Map {
            self.ser.encoder.field_name(name)?;
        }
        self.written += 1;
        value.serialize(&mut *self.ser)
    }

    /// A field that is left out keeps its place in an array, where only places count.
    fn skip(&mut self) -> Result<()> {
        if self.ser.config().structs == Structs::Map {
            return Ok(());
        }
        self.ser.encoder.null()?;
        let old = self.declared + self.skipped;
        self.skipped += 1;
        match self.held {
            Some(held) => self.ser.encoder.correct_count(held, old, old + 1),
            None => Ok(()),
        }
    }

    #[inline]
    fn end(mut self) -> Result<()> {
        check_count(Some(self.declared), self.written)?;
        self.ended = true;
        if let Some(held) = self.held {
            self.ser.encoder.release(held);
        }
        match self.ser.config().structs {
            Structs::Map => self.ser.encoder.close_object(self.counted)?,
            Structs::Array => self.ser.encoder.close_array(self.counted)?,
        }
        if self.in_variant {
            return self.ser.close_variant();
        }
        Ok(())
    }
}

impl<W: Write> ser::SerializeStruct for Fields<'_, W> {
    type Ok = ();
    type Error = Error;

    #[expect(
        clippy::inline_always,
        reason = "so that the name's length is a constant; see `field_name`"
    )]
    #[inline(always)]
    fn serialize_field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.field(name, value)
    }

    fn skip_field(&mut self, _name: &'static str) -> Result<()> {
        self.skip()
    }

    #[inline]
    fn end(self) -> Result<()> {
        Fields::end(self)
    }
}

impl<W: Write> ser::SerializeStructVariant for Fields<'_, W> {
    type Ok = ();
    type Error = Error;

    #[expect(
        clippy::inline_always,
        reason = "so that the name's length is a constant; see `field_name`"
    )]
    #[inline(always)]
    fn serialize_field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.field(name, value)
    }

    fn skip_field(&mut self, _name: &'static str) -> Result<()> {
        self.skip()
    }

    #[inline]
    fn end(self) -> Result<()> {
        Fields::end(self)
    }
}

impl<W> fmt::Debug for Entries<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entries")
            .field("declared", &self.declared)
            .field("written", &self.written)
            .finish_non_exhaustive()
    }
}

impl<W> fmt::Debug for Fields<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fields")
            .field("declared", &self.declared)
            .field("written", &self.written)
            .finish_non_exhaustive()
    }
}
