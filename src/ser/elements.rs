//! Arrays: sequences and tuples, in the form that the container policy and the elements give.

use core::fmt;

use serde_core::Serialize;
use serde_core::ser;

use super::element::Element;
use super::{Containers, Serializer};
use crate::encode::Scalar;
use crate::error::{Error, ErrorCode, Result};
use crate::write::Write;

/// Arrays of at least so many elements are counted by [`Containers::Auto`].
const MIN_COUNTED: usize = 4;

/// The elements of an open array.
pub struct Elements<'a, W> {
    pub(super) ser: &'a mut Serializer<W>,
    declared: Option<usize>,
    written: usize,
    form: Form,
    /// The array is the content of a variant, whose object is to be closed with it.
    in_variant: bool,
    ended: bool,
}

/// A container that is dropped before its end has broken the document.
impl<W> Drop for Elements<'_, W> {
    #[inline]
    fn drop(&mut self) {
        if !self.ended {
            self.ser.encoder.abandon();
        }
    }
}

/// What has been decided about an array's form.
#[derive(Clone, Copy)]
enum Form {
    /// Nothing; no element has come, and nothing has been written.
    Undecided,
    /// All elements so far have one scalar type; the encoder holds them.
    Typed,
    /// Elements with a marker each.
    Open { counted: bool },
}

impl<'a, W: Write> Elements<'a, W> {
    #[inline]
    pub(super) fn new(ser: &'a mut Serializer<W>, declared: Option<usize>) -> Result<Self> {
        ser.encoder.enter()?;
        let mut elements = Self {
            ser,
            declared,
            written: 0,
            form: Form::Undecided,
            in_variant: false,
            ended: false,
        };
        match elements.ser.config().containers {
            Containers::Auto => {}
            Containers::Counted | Containers::CountedArrays => elements.open(declared)?,
            Containers::Plain => elements.open(None)?,
        }
        Ok(elements)
    }

    pub(super) fn in_variant(mut self) -> Self {
        self.in_variant = true;
        self
    }

    fn open(&mut self, count: Option<usize>) -> Result<()> {
        self.form = Form::Open {
            counted: count.is_some(),
        };
        self.ser.encoder.array_header(count)
    }

    /// The count that [`Containers::Auto`] gives an array that is not typed: where it costs at
    /// most two bytes, or the elements are containers, against which it is small.
    fn auto_count(&self, of_containers: bool) -> Option<usize> {
        let encoder = &self.ser.encoder;
        // If even a count of 0 is long, the profile says that all are.
        self.declared.filter(|&count| {
            count >= MIN_COUNTED && (encoder.is_count_short(count) || of_containers && encoder.is_count_short(0))
        })
    }

    /// Makes sure that the next element can be written with its marker.
    #[inline]
    pub(super) fn begin_element(&mut self, is_container: bool) -> Result<()> {
        match self.form {
            Form::Open { .. } => Ok(()),
            Form::Undecided | Form::Typed => self.decide(is_container),
        }
    }

    /// The array is open for any element from here on.
    #[inline(never)]
    fn decide(&mut self, is_container: bool) -> Result<()> {
        match self.form {
            Form::Typed => self.untype(),
            _ => self.open(self.auto_count(is_container)),
        }
    }

    #[cold]
    fn untype(&mut self) -> Result<()> {
        let count = self.auto_count(false);
        self.form = Form::Open {
            counted: count.is_some(),
        };
        self.ser.encoder.untype(count)
    }

    /// Adds a scalar to an array that is or may become typed; false if it is not added, and the
    /// array is open for elements with a marker.
    #[inline]
    pub(super) fn push_scalar(&mut self, scalar: Scalar) -> Result<bool> {
        match self.form {
            Form::Open { .. } => Ok(false),
            Form::Typed => {
                if self.ser.encoder.push_typed(scalar) {
                    return Ok(true);
                }
                self.untype()?;
                Ok(false)
            }
            Form::Undecided => self.push_first_scalar(scalar),
        }
    }

    #[inline(never)]
    fn push_first_scalar(&mut self, scalar: Scalar) -> Result<bool> {
        if !self.ser.encoder.may_be_typed(self.declared, scalar) {
            self.begin_element(false)?;
            return Ok(false);
        }
        self.form = Form::Typed;
        self.ser.encoder.begin_typed(self.declared, scalar)?;
        Ok(true)
    }

    #[inline]
    pub(super) fn is_typed(&self) -> bool {
        matches!(self.form, Form::Typed)
    }

    /// So many elements have been written.
    #[inline]
    pub(super) fn count(&mut self, elements: usize) {
        self.written += elements;
    }

    #[inline]
    pub(super) fn add<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        value.serialize(Element::new(self))?;
        self.count(1);
        Ok(())
    }

    #[inline]
    pub(super) fn end(self) -> Result<()> {
        check_count(self.declared, self.written)?;
        match self.form {
            Form::Open { counted } => {
                self.ser.encoder.close_array(counted)?;
                self.end_variant()
            }
            Form::Undecided | Form::Typed => self.end_undecided(),
        }
    }

    #[inline(never)]
    fn end_undecided(mut self) -> Result<()> {
        if let Form::Typed = self.form {
            if self.ser.encoder.end_typed()? {
                return self.end_variant();
            }
            self.untype()?;
        }
        if let Form::Undecided = self.form {
            self.open(None)?;
        }
        let counted = matches!(self.form, Form::Open { counted: true });
        self.ser.encoder.close_array(counted)?;
        self.end_variant()
    }

    #[inline]
    fn end_variant(mut self) -> Result<()> {
        self.ended = true;
        if self.in_variant {
            return self.ser.close_variant();
        }
        Ok(())
    }
}

/// A container must deliver what it announced: the count may have been written.
#[inline]
pub(super) fn check_count(declared: Option<usize>, written: usize) -> Result<()> {
    match declared {
        Some(declared) if declared != written => {
            Err(Error::without_offset(ErrorCode::CountMismatch { declared, written }))
        }
        _ => Ok(()),
    }
}

impl<W: Write> ser::SerializeSeq for Elements<'_, W> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        self.add(value)
    }

    #[inline]
    fn end(self) -> Result<()> {
        Elements::end(self)
    }
}

impl<W: Write> ser::SerializeTuple for Elements<'_, W> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        self.add(value)
    }

    #[inline]
    fn end(self) -> Result<()> {
        Elements::end(self)
    }
}

impl<W: Write> ser::SerializeTupleStruct for Elements<'_, W> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        self.add(value)
    }

    #[inline]
    fn end(self) -> Result<()> {
        Elements::end(self)
    }
}

impl<W: Write> ser::SerializeTupleVariant for Elements<'_, W> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        self.add(value)
    }

    #[inline]
    fn end(self) -> Result<()> {
        Elements::end(self)
    }
}

impl<W> fmt::Debug for Elements<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elements")
            .field("declared", &self.declared)
            .field("written", &self.written)
            .finish_non_exhaustive()
    }
}
