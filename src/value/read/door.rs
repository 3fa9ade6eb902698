//! The private doorway from a value's side.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use serde_core::de::{DeserializeSeed, SeqAccess, Visitor};

use crate::doorway::{Payload, give_block, native_bytes, native_to_wire};
use crate::error::{Error, Result};
use crate::read::Reference;
use crate::value::packed::each;
use crate::value::{Number, Numbers, PackedArray};

/// The text of a high-precision number.
pub(super) struct NumberText<'de>(pub(super) Cow<'de, Number>);

impl<'de> Payload<'de> for NumberText<'de> {
    type Error = Error;

    fn visit_whole<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Cow::Borrowed(number) => visitor.visit_borrowed_str(number.as_text().unwrap_or_default()),
            Cow::Owned(number) => visitor.visit_str(number.as_text().unwrap_or_default()),
        }
    }

    fn visit_parts<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.visit_whole(visitor)
    }
}

/// The bytes of a value.
pub(super) struct Encoded(pub(super) Vec<u8>);

impl<'de> Payload<'de> for Encoded {
    type Error = Error;

    fn visit_whole<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_byte_buf(self.0)
    }

    fn visit_parts<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.visit_whole(visitor)
    }
}

/// The numbers of a packed array in the wire's byte order.
pub(super) struct PackedBlocks<'de> {
    packed: Cow<'de, PackedArray>,
    /// How many bytes have been given out.
    given: usize,
}

impl<'de> PackedBlocks<'de> {
    pub(super) fn new(packed: Cow<'de, PackedArray>) -> Self {
        Self { packed, given: 0 }
    }

    fn bytes(packed: &PackedArray) -> &[u8] {
        each!(packed.numbers(), numbers => native_bytes(numbers))
    }
}

impl<'de> Payload<'de> for PackedBlocks<'de> {
    type Error = Error;

    fn visit_whole<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(self)
    }

    fn visit_parts<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(self)
    }
}

impl<'de> SeqAccess<'de> for PackedBlocks<'de> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        /// A multiple of every element's size.
        const BLOCK_LEN: usize = 4096;
        let rest = Self::bytes(&self.packed).get(self.given..).unwrap_or_default();
        if rest.is_empty() {
            return Ok(None);
        }
        let element_len = self.packed.marker().payload_len().unwrap_or(1);
        // Bytes have no order, so those of a borrowed array are part of the input.
        if let (Cow::Borrowed(packed), 1, 0) = (&self.packed, element_len, self.given) {
            let bytes = Self::bytes(packed);
            self.given = bytes.len();
            return give_block(&Reference::Borrowed(bytes), seed).map(Some);
        }
        let mut block = [0; BLOCK_LEN];
        let byte_len = rest.len().min(BLOCK_LEN);
        let block = block.get_mut(..byte_len).unwrap_or_default();
        block.copy_from_slice(rest.get(..byte_len).unwrap_or_default());
        native_to_wire(element_len, block);
        self.given += byte_len;
        give_block(&Reference::Transient(block), seed).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(Self::bytes(&self.packed).len() - self.given)
    }
}
