//! Containers: headers, elements, keys, depth and the budget, and what they promise.

use super::Decoder;
use super::text::is_same;
use crate::error::{Error, ErrorCode, Expected, Result};
use crate::marker::{Marker, byte};
use crate::read::{Read, Reference};

/// How many elements of a counted container may be allocated for before any has arrived.
const MAX_UNSEEN: u64 = 4096;

/// How a container says where it ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Extent {
    /// At its closing marker.
    Plain,
    /// Behind so many elements.
    Counted(u64),
}

/// An open array or object: what its header said and how far it has been read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Container {
    pub(crate) extent: Extent,
    /// The type of all elements, where the header gives one.
    pub(crate) element: Option<Marker>,
    /// The width of the count, where the header gives one.
    pub(crate) count_marker: Option<Marker>,
}

impl Container {
    const PLAIN: Self = Self {
        extent: Extent::Plain,
        element: None,
        count_marker: None,
    };

    /// Whether it has been read to its end, which is consumed.
    pub(crate) const fn has_ended(self) -> bool {
        matches!(self.extent, Extent::Counted(0))
    }

    /// The fewest bytes that one element's value takes.
    const fn min_element_len(self) -> u64 {
        match self.element {
            Some(marker) => marker.min_payload_len(),
            None => 1,
        }
    }
}

/// The fewest bytes of a key: a length marker and a one-byte length.
const MIN_KEY_LEN: u64 = 2;

/// The fewest bytes of an element without a type, or of an entry with one.
const fn min_entry_len(is_object: bool) -> u64 {
    if is_object { MIN_KEY_LEN + 1 } else { 1 }
}

impl<'de, R: Read<'de>> Decoder<R> {
    /// One level deeper, until [`leave`](Self::leave).
    #[inline]
    fn enter(&mut self) -> Result<()> {
        match self.depth_left.checked_sub(1) {
            Some(left) => {
                self.depth_left = left;
                Ok(())
            }
            None => Err(self.depth_limit()),
        }
    }

    #[cold]
    #[inline(never)]
    fn depth_limit(&self) -> Error {
        Error::new(
            ErrorCode::DepthLimit(self.limits.max_depth),
            self.offset().saturating_sub(1),
        )
    }

    /// Back to the level outside of a container, whether it was read to its end or not.
    #[inline]
    pub(crate) fn leave(&mut self) {
        self.depth_left += 1;
    }

    /// Enters an array whose `[` has been consumed (or left out by its typed container).
    #[inline]
    pub(crate) fn open_array(&mut self) -> Result<Container> {
        self.open(0, Expected::Count)
    }

    /// Enters an object whose `{` has been consumed (or left out by its typed container).
    #[inline]
    pub(crate) fn open_object(&mut self) -> Result<Container> {
        self.open(MIN_KEY_LEN, Expected::Count)
    }

    #[inline]
    fn open(&mut self, key_len: u64, expected: Expected) -> Result<Container> {
        self.enter()?;
        let byte = self.peek_byte(0)?;
        if byte != byte::COUNT && byte != byte::TYPE {
            self.promise(1);
            return Ok(Container::PLAIN);
        }
        self.source.consume(1);
        self.open_counted(byte, key_len, expected)
    }

    #[inline(never)]
    fn open_counted(&mut self, header: u8, key_len: u64, expected: Expected) -> Result<Container> {
        // Most counts are those of a few elements without a type.
        if let (byte::COUNT, &[marker @ (byte::INT8 | byte::UINT8), count @ 0..=0x7f, ..]) =
            (header, self.source.at_hand())
        {
            self.source.consume(2);
            self.promise((1 + key_len) * u64::from(count));
            return Ok(Container {
                extent: Extent::Counted(count.into()),
                element: None,
                count_marker: Marker::from_byte(marker),
            });
        }
        let element = match header {
            byte::TYPE => Some(self.element_type()?),
            _ => None,
        };
        let count_offset = self.offset();
        let count_marker = self.length_marker(0)?;
        let count = self.length_behind(count_marker, expected, 0)?;
        let container = Container {
            extent: Extent::Counted(count),
            element,
            count_marker: Marker::from_byte(count_marker),
        };
        let min_len = container.min_element_len() + key_len;
        if min_len == 0 {
            self.spend_empty_elements(count, count_offset)?;
        }
        self.promise(min_len.saturating_mul(count));
        Ok(container)
    }

    /// The type behind `$`, and the `#` that must follow.
    fn element_type(&mut self) -> Result<Marker> {
        // `#`, a length marker and a byte are owed behind the type.
        let [found] = self.chunk(3)?;
        let Some(element) = Marker::from_byte(found) else {
            return Err(Error::new(
                ErrorCode::TypeNotAllowed(found),
                self.offset().saturating_sub(1),
            ));
        };
        let [found] = self.chunk(2)?;
        if found != byte::COUNT {
            return Err(Error::new(
                ErrorCode::TypeWithoutCount(found),
                self.offset().saturating_sub(1),
            ));
        }
        Ok(element)
    }

    fn spend_empty_elements(&mut self, count: u64, offset: u64) -> Result<()> {
        let budget = self.empty_elements_left;
        let Some(left) = budget.checked_sub(count) else {
            return Err(Error::new(ErrorCode::BudgetExceeded { count, budget }, offset));
        };
        self.empty_elements_left = left;
        Ok(())
    }

    /// Moves to the next element of an array; false at its end, which is consumed.
    #[inline]
    pub(crate) fn next_element(&mut self, array: &mut Container) -> Result<bool> {
        match &mut array.extent {
            Extent::Plain => {
                if self.peek_behind_no_ops(1)? != byte::ARRAY_END {
                    return Ok(true);
                }
                self.close_plain(array);
                Ok(false)
            }
            Extent::Counted(0) => Ok(false),
            Extent::Counted(left) => {
                *left -= 1;
                self.keep_promise(array.min_element_len());
                self.elided = array.element;
                Ok(true)
            }
        }
    }

    /// Skips the no-ops before the next key of an object or before its end.
    pub(crate) fn skip_to_key(&mut self, object: &Container) -> Result<()> {
        if !matches!(object.extent, Extent::Counted(0)) {
            self.peek_behind_no_ops(1)?;
        }
        Ok(())
    }

    /// Moves to the next entry of an object and gives the byte length of its key, which is then
    /// to be taken with [`key`](Self::key); `None` at the object's end, which is consumed.
    #[inline]
    pub(crate) fn next_key_len(&mut self, object: &mut Container) -> Result<Option<usize>> {
        match (self.source.at_hand(), object.extent) {
            (&[byte::INT8 | byte::UINT8, byte_len @ 0..=0x7f, ..], Extent::Plain) => {
                self.source.consume(2);
                Ok(Some(usize::from(byte_len)))
            }
            _ => self.next_other_key_len(object),
        }
    }

    #[inline(never)]
    fn next_other_key_len(&mut self, object: &mut Container) -> Result<Option<usize>> {
        match &mut object.extent {
            Extent::Plain => {
                if self.peek_behind_no_ops(1)? == byte::OBJECT_END {
                    self.close_plain(object);
                    return Ok(None);
                }
                self.byte_length(Expected::KeyOrEnd, 1).map(Some)
            }
            Extent::Counted(0) => Ok(None),
            Extent::Counted(left) => {
                *left -= 1;
                let value_len = object.min_element_len();
                self.peek_behind_no_ops(1)?;
                self.keep_promise(MIN_KEY_LEN + value_len);
                self.byte_length(Expected::KeyLength, value_len).map(Some)
            }
        }
    }

    /// How many levels may still be entered.
    pub(crate) fn depth_left(&self) -> usize {
        self.depth_left
    }

    /// Enters a container without a type whose elements have been consumed up to what `extent` says,
    /// and which is within the limit.
    pub(crate) fn reopen(&mut self, extent: Extent, is_object: bool) -> Container {
        self.depth_left = self.depth_left.saturating_sub(1);
        self.promise(match extent {
            Extent::Plain => 1,
            Extent::Counted(left) => left.saturating_mul(min_entry_len(is_object)),
        });
        Container {
            extent,
            ..Container::PLAIN
        }
    }

    /// Consumes `byte_len` bytes at hand, behind which `container`, which has no type, is left with
    /// what `extent` says.
    #[inline]
    pub(crate) fn consume_elements(
        &mut self,
        container: &mut Container,
        extent: Extent,
        is_object: bool,
        byte_len: usize,
    ) {
        if let (Extent::Counted(before), Extent::Counted(left)) = (container.extent, extent) {
            self.keep_promise((before - left).saturating_mul(min_entry_len(is_object)));
        }
        container.extent = extent;
        self.source.consume(byte_len);
    }

    /// Whether an object ends here, as far as the bytes at hand tell: the closing marker of a plain
    /// one is consumed then.
    #[inline]
    pub(crate) fn ends_here(&mut self, object: &mut Container) -> bool {
        if matches!(object.extent, Extent::Plain) && self.source.at_hand().first() == Some(&byte::OBJECT_END) {
            self.close_plain(object);
        }
        object.has_ended()
    }

    /// The bytes of the key whose length [`next_key_len`](Self::next_key_len) gave.
    #[inline]
    pub(crate) fn key(&mut self, byte_len: usize, object: &Container) -> Result<Reference<'de, '_>> {
        self.take(byte_len, object.min_element_len())
    }

    /// The value of the key that was taken is next.
    #[inline]
    pub(crate) fn begin_value(&mut self, object: &Container) {
        self.elided = object.element;
    }

    /// Consumes the closing marker of a plain container, which then has no more elements.
    #[inline]
    fn close_plain(&mut self, container: &mut Container) {
        container.extent = Extent::Counted(0);
        self.source.consume(1);
        self.keep_promise(1);
    }

    /// Moves to the next entry of an object if its key is `name`, in one step. If not, or if that
    /// cannot be told from the bytes at hand, nothing has happened.
    #[inline]
    pub(crate) fn next_key_is(&mut self, object: &mut Container, name: &str) -> bool {
        let &[byte::INT8 | byte::UINT8, byte_len @ 0..=0x7f, ref text @ ..] = self.source.at_hand() else {
            return false;
        };
        if usize::from(byte_len) != name.len() {
            return false;
        }
        if !text.get(..name.len()).is_some_and(|key| is_same(key, name.as_bytes())) {
            return false;
        }
        match &mut object.extent {
            Extent::Plain => {}
            Extent::Counted(0) => return false,
            Extent::Counted(left) => {
                *left -= 1;
                self.keep_promise(MIN_KEY_LEN + object.min_element_len());
            }
        }
        self.source.consume(2 + name.len());
        true
    }

    /// How many elements of an array are left, as far as it is safe to allocate for them.
    #[inline]
    pub(crate) fn size_hint(&self, array: &Container) -> Option<usize> {
        self.bounded_count(array, array.min_element_len())
    }

    /// The same for the entries of an object.
    #[inline]
    pub(crate) fn entries_hint(&self, object: &Container) -> Option<usize> {
        self.bounded_count(object, MIN_KEY_LEN + object.min_element_len())
    }

    /// The count, as far as it is safe to allocate for it; else `None`, so that what is given is
    /// right in a valid document. What may be allocated for is the document's and not each
    /// container's, since containers that are nested are open at the same time.
    #[inline]
    fn bounded_count(&self, container: &Container, min_len: u64) -> Option<usize> {
        match container.extent {
            Extent::Plain => None,
            Extent::Counted(left) => self.bounded(left, min_len),
        }
    }

    #[inline(never)]
    fn bounded(&self, left: u64, min_len: u64) -> Option<usize> {
        /// So few are always safe.
        const ALWAYS: u64 = 16;
        let (possible, bound) = match (self.source.remaining(), min_len) {
            // The budget bounds elements without payload.
            (_, 0) => (u64::MAX, u64::MAX),
            (Some(remaining), _) => {
                let possible = remaining as u64 / min_len;
                (possible, possible / self.levels())
            }
            (None, _) => (u64::MAX, MAX_UNSEEN / self.levels()),
        };
        if left <= bound.max(ALWAYS) {
            return usize::try_from(left).ok();
        }
        // More than there can be: the document ends too early.
        usize::try_from(bound).ok().filter(|_| left > possible)
    }

    /// How many containers are open.
    fn levels(&self) -> u64 {
        let levels = self.limits.max_depth.saturating_sub(self.depth_left);
        (levels as u64).max(1)
    }
}
