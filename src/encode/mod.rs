//! The encoder: markers, lengths, headers and scalars into blocks, without serde.
//!
//! The mirror of `decode`. All bytes go through one block, which is the result itself for a
//! vector and is written out when full, and when the outermost value ends, for a writer.

mod packed;
mod typed;

use alloc::vec::Vec;
use core::fmt;

pub(crate) use self::packed::smallest_type;
use self::typed::TypedArray;
pub(crate) use self::typed::{Scalar, as_float32};
use crate::error::{Error, ErrorCode, Result};
use crate::marker::{Marker, byte};
use crate::ser::{Config, Lengths};
use crate::write::Write;

/// Writes UBJSON tokens to a destination.
pub(crate) struct Encoder<W> {
    block: Vec<u8>,
    write: W,
    /// The block is written out from this length on: at once outside of containers.
    flush_at: usize,
    depth_left: usize,
    /// A container was left open for good: what is written would be taken for a part of it.
    is_abandoned: bool,
    /// The array that may become a typed one; its elements are scalars, so there is at most one.
    typed: TypedArray,
}

/// The block is not written out, from `start` on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    start: usize,
    flush_at: usize,
}

/// How many bytes a length or a count takes with its marker.
fn count_len(count: usize, profile: Lengths) -> usize {
    match profile {
        Lengths::Int32 => 5,
        Lengths::Int64 => 9,
        Lengths::Smallest | Lengths::Uint8First => match count {
            0..=0xff => 2,
            0x100..=0x7fff => 3,
            0x8000..=0x7fff_ffff => 5,
            _ => 9,
        },
    }
}

/// A payload of fixed size.
trait Payload {
    type Token: AsRef<[u8]>;

    /// The payload behind its marker, as one array so that it is one copy.
    fn behind(self, marker: u8) -> Self::Token;
}

macro_rules! payload {
    ($($len:literal: $($byte:ident)*;)*) => {$(
        impl Payload for [u8; $len] {
            type Token = [u8; 1 + $len];

            #[inline]
            fn behind(self, marker: u8) -> Self::Token {
                let [$($byte),*] = self;
                [marker, $($byte),*]
            }
        }
    )*};
}

payload! {
    0:;
    1: a;
    2: a b;
    4: a b c d;
    8: a b c d e f g h;
}

/// Without what has been written.
impl<W: fmt::Debug> fmt::Debug for Encoder<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder")
            .field("block_len", &self.block.len())
            .field("write", &self.write)
            .field("depth_left", &self.depth_left)
            .finish_non_exhaustive()
    }
}

impl<W> Encoder<W> {
    /// An open container will not be closed. The block is as good as full then, so that whatever
    /// is written next is refused.
    pub(crate) fn abandon(&mut self) {
        self.is_abandoned = true;
        self.flush_at = 0;
    }

    pub(crate) fn is_abandoned(&self) -> bool {
        self.is_abandoned
    }

    /// Refuses to go on where a container was abandoned.
    pub(crate) fn check_finished(&self) -> Result<()> {
        match self.is_abandoned {
            true => Err(Error::without_offset(ErrorCode::UnfinishedContainer)),
            false => Ok(()),
        }
    }
}

impl<W: Write> Encoder<W> {
    pub(crate) fn new(block: Vec<u8>, write: W) -> Self {
        let depth_left = write.config().max_depth;
        Self {
            block,
            write,
            flush_at: 0,
            depth_left,
            is_abandoned: false,
            typed: TypedArray::default(),
        }
    }

    #[inline]
    pub(crate) fn config(&self) -> &Config {
        self.write.config()
    }

    #[cfg(feature = "std")]
    pub(crate) fn write_mut(&mut self) -> &mut W {
        &mut self.write
    }

    #[cfg(feature = "std")]
    pub(crate) fn write_ref(&self) -> &W {
        &self.write
    }

    pub(crate) fn into_parts(self) -> (Vec<u8>, W) {
        (self.block, self.write)
    }

    /// A token ends: writes the block out if it is full or the outermost value has ended.
    #[inline]
    fn settle(&mut self) -> Result<()> {
        if W::IN_BLOCKS && self.block.len() >= self.flush_at {
            return self.write_out();
        }
        Ok(())
    }

    /// Writes the block out as it stands.
    #[cold]
    #[inline(never)]
    pub(crate) fn write_out(&mut self) -> Result<()> {
        self.check_finished()?;
        let written = self.write.write_block(&mut self.block);
        self.written(written)
    }

    /// Behind a writer that failed the block is as good as full: the next token is refused by it.
    fn written(&mut self, written: Result<()>) -> Result<()> {
        if written.is_err() {
            self.flush_at = 0;
        }
        written
    }

    #[inline]
    fn push<P: Payload>(&mut self, marker: u8, payload: P) {
        self.block.extend_from_slice(payload.behind(marker).as_ref());
    }

    #[inline]
    fn put<P: Payload>(&mut self, marker: u8, payload: P) -> Result<()> {
        self.push(marker, payload);
        self.settle()
    }

    pub(crate) fn null(&mut self) -> Result<()> {
        self.put(byte::NULL, [])
    }

    #[inline]
    pub(crate) fn bool(&mut self, value: bool) -> Result<()> {
        self.put(if value { byte::TRUE } else { byte::FALSE }, [])
    }

    #[inline]
    pub(crate) fn int8(&mut self, value: i8) -> Result<()> {
        self.put(byte::INT8, value.to_be_bytes())
    }

    #[inline]
    pub(crate) fn uint8(&mut self, value: u8) -> Result<()> {
        self.put(byte::UINT8, value.to_be_bytes())
    }

    #[inline]
    pub(crate) fn int16(&mut self, value: i16) -> Result<()> {
        self.put(byte::INT16, value.to_be_bytes())
    }

    #[inline]
    pub(crate) fn int32(&mut self, value: i32) -> Result<()> {
        self.put(byte::INT32, value.to_be_bytes())
    }

    #[inline]
    pub(crate) fn int64(&mut self, value: i64) -> Result<()> {
        self.put(byte::INT64, value.to_be_bytes())
    }

    #[inline]
    pub(crate) fn float32(&mut self, value: f32) -> Result<()> {
        self.put(byte::FLOAT32, value.to_be_bytes())
    }

    #[inline]
    pub(crate) fn float64(&mut self, value: f64) -> Result<()> {
        self.put(byte::FLOAT64, value.to_be_bytes())
    }

    /// An integer in the smallest form that holds it, `i` before `U`.
    ///
    /// Without branches: the widths of real integers are hard to predict (a log's addresses, `i` or
    /// `U` by a coin toss), and a wrong guess costs more than a few bytes that are taken back.
    #[inline]
    pub(crate) fn integer(&mut self, value: i64) -> Result<()> {
        const FORMS: [(u8, u8); 5] = [
            (byte::INT8, 1),
            (byte::UINT8, 1),
            (byte::INT16, 2),
            (byte::INT32, 4),
            (byte::INT64, 8),
        ];
        let is_wide = i8::try_from(value).is_err();
        let form = usize::from(is_wide)
            + usize::from(is_wide & u8::try_from(value).is_err())
            + usize::from(i16::try_from(value).is_err())
            + usize::from(i32::try_from(value).is_err());
        let (marker, len) = FORMS.get(form).copied().unwrap_or((byte::INT64, 8));
        let payload = value << (64 - 8 * u32::from(len));
        let end = self.block.len() + 1 + usize::from(len);
        self.push(marker, payload.to_be_bytes());
        self.block.truncate(end);
        self.settle()
    }

    /// An integer in the width of `marker`, which must hold it.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the Rust type of the value is no wider"
    )]
    pub(crate) fn declared_integer(&mut self, marker: Marker, value: i64) -> Result<()> {
        match marker {
            Marker::Int8 => self.int8(value as i8),
            Marker::Uint8 => self.uint8(value as u8),
            Marker::Int16 => self.int16(value as i16),
            Marker::Int32 => self.int32(value as i32),
            _ => self.int64(value),
        }
    }

    /// A number as text, which must be that of a JSON number.
    pub(crate) fn high_precision(&mut self, text: &str) -> Result<()> {
        self.block.push(byte::HIGH_PRECISION);
        self.text(text)
    }

    /// An ASCII char.
    pub(crate) fn char(&mut self, byte: u8) -> Result<()> {
        self.put(byte::CHAR, [byte])
    }

    #[inline]
    pub(crate) fn string(&mut self, text: &str) -> Result<()> {
        if let (Ok(byte_len), Lengths::Smallest) = (i8::try_from(text.len()), self.config().lengths) {
            let [byte_len] = byte_len.to_be_bytes();
            self.push(byte::STRING, [byte::INT8, byte_len]);
        } else {
            self.block.push(byte::STRING);
            self.long_length(text.len(), self.config().lengths)?;
        }
        self.payload(text.as_bytes())
    }

    /// A length and text: a key, or what follows `S` and `H`.
    #[inline]
    pub(crate) fn text(&mut self, text: &str) -> Result<()> {
        self.length(text.len(), self.config().lengths)?;
        self.payload(text.as_bytes())
    }

    /// A key that is known when the code is compiled: marker, length and text as one copy of
    /// constant size, if the compiler sees the name. Only where this is inlined it does.
    #[inline(always)]
    pub(crate) fn field_name(&mut self, name: &'static str) -> Result<()> {
        const MAX_LEN: usize = 62;
        let marker = match self.config().lengths {
            Lengths::Smallest => byte::INT8,
            Lengths::Uint8First => byte::UINT8,
            Lengths::Int32 | Lengths::Int64 => return self.text(name),
        };
        let mut token = [0; 2 + MAX_LEN];
        let (Some(key), Ok(len)) = (token.get_mut(..2 + name.len()), u8::try_from(name.len())) else {
            return self.text(name);
        };
        if let [first, second, text @ ..] = key {
            *first = marker;
            *second = len;
            text.copy_from_slice(name.as_bytes());
        }
        self.block.extend_from_slice(key);
        Ok(())
    }

    #[inline]
    fn payload(&mut self, bytes: &[u8]) -> Result<()> {
        if !W::IN_BLOCKS || self.block.len().saturating_add(bytes.len()) < self.flush_at {
            self.block.extend_from_slice(bytes);
            return Ok(());
        }
        self.last_payload(bytes)
    }

    /// A payload that fills the block, or is longer than one, or is the end of the outermost value.
    #[inline(never)]
    fn last_payload(&mut self, bytes: &[u8]) -> Result<()> {
        if bytes.len() >= W::BLOCK_LEN.max(self.flush_at) {
            self.check_finished()?;
            let written = self.write.write_payload(&mut self.block, bytes);
            return self.written(written);
        }
        self.block.extend_from_slice(bytes);
        self.settle()
    }

    /// A length or a count in the width that the profile says.
    #[inline]
    fn length(&mut self, length: usize, profile: Lengths) -> Result<()> {
        if let (Ok(short), Lengths::Smallest) = (i8::try_from(length), profile) {
            self.push(byte::INT8, short.to_be_bytes());
            return Ok(());
        }
        self.long_length(length, profile)
    }

    fn long_length(&mut self, length: usize, profile: Lengths) -> Result<()> {
        let too_long = || Error::without_offset(ErrorCode::LengthTooLong(length));
        let length = i64::try_from(length).map_err(|_| too_long())?;
        match (
            profile,
            u8::try_from(length),
            i16::try_from(length),
            i32::try_from(length),
        ) {
            (Lengths::Smallest | Lengths::Uint8First, Ok(length), ..) => {
                self.push(byte::UINT8, length.to_be_bytes());
            }
            (Lengths::Smallest | Lengths::Uint8First, _, Ok(length), _) => {
                self.push(byte::INT16, length.to_be_bytes());
            }
            (Lengths::Int32 | Lengths::Smallest | Lengths::Uint8First, _, _, Ok(length)) => {
                self.push(byte::INT32, length.to_be_bytes());
            }
            (Lengths::Int32, ..) => return Err(too_long()),
            (Lengths::Int64 | Lengths::Smallest | Lengths::Uint8First, ..) => {
                self.push(byte::INT64, length.to_be_bytes());
            }
        }
        Ok(())
    }

    /// Bytes as a typed array of uint8.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.block
            .extend_from_slice(&[byte::ARRAY_START, byte::TYPE, byte::UINT8, byte::COUNT]);
        self.length(bytes.len(), self.config().counts)?;
        self.payload(bytes)
    }

    /// One level deeper, until the container is closed; its header is still to come.
    #[inline]
    pub(crate) fn enter(&mut self) -> Result<()> {
        match self.depth_left.checked_sub(1) {
            Some(left) => {
                self.depth_left = left;
                if W::IN_BLOCKS && self.flush_at == 0 {
                    self.write_out()?;
                    self.flush_at = W::BLOCK_LEN;
                }
                Ok(())
            }
            None => Err(Error::without_offset(ErrorCode::DepthLimit(self.config().max_depth))),
        }
    }

    /// Keeps the block from being written out until [`release`](Self::release), so that the header
    /// that comes next can be corrected.
    pub(crate) fn hold(&mut self) -> Held {
        Held {
            start: self.block.len(),
            flush_at: core::mem::replace(&mut self.flush_at, usize::MAX),
        }
    }

    pub(crate) fn release(&mut self, held: Held) {
        self.flush_at = held.flush_at;
    }

    /// Replaces the count in the header of the container that starts where the block is held.
    pub(crate) fn correct_count(&mut self, held: Held, old: usize, new: usize) -> Result<()> {
        let end = self.block.len();
        self.length(new, self.config().counts)?;
        let count: Vec<u8> = self.block.drain(end..).collect();
        // Behind `[` and `#`.
        let old_count = held.start + 2..held.start + 2 + count_len(old, self.config().counts);
        self.block.splice(old_count, count);
        Ok(())
    }

    /// Whether a count in place of the closing marker costs no more than two bytes.
    pub(crate) fn is_count_short(&self, count: usize) -> bool {
        count_len(count, self.config().counts) <= 2
    }

    /// Starts an array, counted if a count is given.
    #[inline]
    pub(crate) fn array_header(&mut self, count: Option<usize>) -> Result<()> {
        self.header(byte::ARRAY_START, count)
    }

    /// Starts an object, counted if a count is given.
    #[inline]
    pub(crate) fn object_header(&mut self, count: Option<usize>) -> Result<()> {
        self.header(byte::OBJECT_START, count)
    }

    #[inline]
    fn header(&mut self, marker: u8, count: Option<usize>) -> Result<()> {
        self.block.push(marker);
        if let Some(count) = count {
            self.block.push(byte::COUNT);
            self.length(count, self.config().counts)?;
        }
        Ok(())
    }

    /// Ends an array; `counted` as it was opened.
    #[inline]
    pub(crate) fn close_array(&mut self, counted: bool) -> Result<()> {
        self.close(byte::ARRAY_END, counted)
    }

    /// Ends an object; `counted` as it was opened.
    #[inline]
    pub(crate) fn close_object(&mut self, counted: bool) -> Result<()> {
        self.close(byte::OBJECT_END, counted)
    }

    #[inline]
    fn close(&mut self, marker: u8, counted: bool) -> Result<()> {
        if !counted {
            self.block.push(marker);
        }
        self.leave();
        self.settle()
    }

    #[inline]
    fn leave(&mut self) {
        self.depth_left += 1;
        if W::IN_BLOCKS && self.depth_left == self.config().max_depth {
            self.flush_at = 0;
        }
    }
}
