//! One pass over the bytes at hand that knows containers without a type, fixed-size scalars and
//! short text.

use crate::decode::{Extent, is_utf8, starts_with_ascii};
use crate::marker::{FIXED_TOKEN_LEN, byte};

/// So long is a run of strings that is checked as one, at about the most: it is still in the cache
/// then.
const MAX_RUN_LEN: usize = 8 * 1024;

/// How far the pass has come.
pub(super) struct ShortTokens<'a> {
    rest: &'a [u8],
    /// What may still start in the innermost container.
    left: Left,
    levels: Levels,
    /// Whether text must be UTF-8.
    checks_text: bool,
}

/// How many elements are left in a container, or that its closing marker ends it.
#[derive(Clone, Copy, Debug, Default)]
struct Left(u64);

impl Left {
    /// From here on: more than any count, whatever is taken off.
    const PLAIN: u64 = 1 << 63;

    fn of(extent: Extent) -> Self {
        match extent {
            Extent::Plain => Self(u64::MAX),
            Extent::Counted(left) => Self(left),
        }
    }

    fn extent(self) -> Extent {
        match self.is_plain() {
            true => Extent::Plain,
            false => Extent::Counted(self.0),
        }
    }

    #[inline]
    fn is_plain(self) -> bool {
        self.0 >= Self::PLAIN
    }
}

impl<'a> ShortTokens<'a> {
    /// A pass that starts in a container without a type.
    #[inline]
    pub(super) fn new(at_hand: &'a [u8], extent: Extent, is_object: bool, max_depth: usize, checks_text: bool) -> Self {
        Self {
            rest: at_hand,
            left: Left::of(extent),
            levels: Levels::new(is_object, max_depth),
            checks_text,
        }
    }

    /// Goes as far as there are tokens of these kinds, wholly at hand.
    #[inline]
    pub(super) fn skip(&mut self) {
        loop {
            let value = match self.levels.is_object() {
                true => self.skip_entries(),
                false => self.skip_elements(),
            };
            if !self.enter_or_leave(value) {
                return;
            }
        }
    }

    /// What is behind the last token.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Whether each container is an object, and what is left in it, the one around the pass first.
    pub(super) fn outermost_first(&self) -> impl Iterator<Item = (bool, Extent)> + use<> {
        self.levels.outermost_first(self.left)
    }

    /// Skips entries whose values are scalars; gives the value that is none, behind its key.
    #[inline]
    fn skip_entries(&mut self) -> Option<&'a [u8]> {
        let (mut rest, mut left) = (self.rest, self.left.0);
        let value = loop {
            if left == 0 {
                break None;
            }
            let value = behind_text(rest, self.checks_text);
            let Some(behind) = value.and_then(|value| behind_scalar(value, self.checks_text)) else {
                break value;
            };
            rest = behind;
            left -= 1;
        };
        self.rest = rest;
        self.left = Left(left);
        value
    }

    /// Skips elements that are scalars; gives the one that is none.
    #[inline]
    fn skip_elements(&mut self) -> Option<&'a [u8]> {
        let mut run = Run {
            rest: self.rest,
            left: self.left.0,
        };
        let value = loop {
            if run.left == 0 {
                break None;
            }
            if let Some(behind) = behind_fixed(run.rest) {
                run = run.behind(behind);
                continue;
            }
            let behind = match run.rest {
                [byte::STRING | byte::CHAR, ..] => run.behind_strings(self.checks_text),
                _ => break Some(run.rest),
            };
            if behind.left == run.left {
                break Some(run.rest);
            }
            run = behind;
        };
        self.rest = run.rest;
        self.left = Left(run.left);
        value
    }

    /// Skips the start of the container that is the next value, or the end of the innermost one; if
    /// what is next is neither, nothing has happened.
    #[inline]
    fn enter_or_leave(&mut self, value: Option<&'a [u8]>) -> bool {
        match value {
            _ if self.left.0 == 0 => self.leave(),
            Some([start @ (byte::ARRAY_START | byte::OBJECT_START), inner @ ..]) => {
                self.enter(*start == byte::OBJECT_START, inner)
            }
            _ => self.close_plain(),
        }
    }

    /// Enters the container whose header starts `inner`, if it has no type and a short count or none.
    #[inline]
    fn enter(&mut self, is_object: bool, inner: &'a [u8]) -> bool {
        let (left, inner) = match inner {
            [byte::COUNT, byte::INT8 | byte::UINT8, count @ 0..=0x7f, inner @ ..] => (Left(u64::from(*count)), inner),
            [] | [byte::COUNT | byte::TYPE, ..] => return false,
            _ => (Left::of(Extent::Plain), inner),
        };
        if !self.levels.enter(is_object, Left(self.left.0 - 1)) {
            return false;
        }
        self.rest = inner;
        self.left = left;
        true
    }

    /// Skips the closing marker of the innermost container, if it is plain and that is next.
    #[inline]
    fn close_plain(&mut self) -> bool {
        let end = match self.levels.is_object() {
            true => byte::OBJECT_END,
            false => byte::ARRAY_END,
        };
        match self.rest {
            [found, rest @ ..] if *found == end && self.left.is_plain() => {
                let is_inside = self.leave();
                if is_inside {
                    self.rest = rest;
                }
                is_inside
            }
            _ => false,
        }
    }

    /// Goes on in the container around the innermost one, if the pass has entered that.
    #[inline]
    fn leave(&mut self) -> bool {
        match self.levels.leave() {
            Some(around) => {
                self.left = around;
                true
            }
            None => false,
        }
    }
}

/// Elements of an array: their bytes, and how many there may be.
#[derive(Clone, Copy)]
struct Run<'a> {
    rest: &'a [u8],
    left: u64,
}

impl<'a> Run<'a> {
    #[inline]
    fn behind(self, rest: &'a [u8]) -> Self {
        Self {
            rest,
            left: self.left - 1,
        }
    }

    /// What is behind the strings that are next. Between their texts is nothing but ASCII, so all of
    /// them are UTF-8 if their bytes as a whole are.
    #[inline]
    fn behind_strings(self, checks_text: bool) -> Self {
        let mut behind = self;
        let mut byte_len = 0;
        while let [byte::STRING, byte::INT8 | byte::UINT8, text_len @ 0..=0x7f, text @ ..] = behind.rest {
            let Some(rest) = text.get(usize::from(*text_len)..) else {
                break;
            };
            if behind.left == 0 || byte_len >= MAX_RUN_LEN {
                break;
            }
            behind = behind.behind(rest);
            byte_len = self.rest.len() - rest.len();
        }
        if byte_len > 0 && (starts_with_ascii(self.rest, byte_len) || is_text(self.rest, byte_len, checks_text)) {
            return behind;
        }
        self.behind_strings_singly(checks_text)
    }

    /// What is behind the strings and chars before one that is invalid, or long.
    #[inline(never)]
    fn behind_strings_singly(mut self, checks_text: bool) -> Self {
        while self.left > 0 {
            match behind_scalar(self.rest, checks_text) {
                Some(rest) => self = self.behind(rest),
                None => break,
            }
        }
        self
    }
}

/// The containers entered by a pass.
struct Levels {
    /// A bit each, set for objects; the lowest is that of the innermost.
    are_objects: u64,
    /// What is left in those around the innermost.
    around: [Left; MAX_LEVELS],
    depth: usize,
    max_depth: usize,
}

/// So deep goes a pass at most.
const MAX_LEVELS: usize = 32;

impl Levels {
    #[inline]
    fn new(is_object: bool, max_depth: usize) -> Self {
        Self {
            are_objects: u64::from(is_object),
            around: [Left::default(); MAX_LEVELS],
            depth: 0,
            max_depth: max_depth.min(MAX_LEVELS),
        }
    }

    #[inline]
    fn is_object(&self) -> bool {
        self.are_objects & 1 == 1
    }

    #[inline]
    fn enter(&mut self, is_object: bool, around: Left) -> bool {
        match self.around.get_mut(self.depth) {
            Some(place) if self.depth < self.max_depth => *place = around,
            _ => return false,
        }
        self.are_objects = self.are_objects << 1 | u64::from(is_object);
        self.depth += 1;
        true
    }

    /// What is left in the container around the one that is left.
    #[inline]
    fn leave(&mut self) -> Option<Left> {
        self.depth = self.depth.checked_sub(1)?;
        self.are_objects >>= 1;
        self.around.get(self.depth).copied()
    }

    fn outermost_first(&self, innermost: Left) -> impl Iterator<Item = (bool, Extent)> + use<> {
        let are_objects = self.are_objects;
        let lefts = self.around.into_iter().take(self.depth).chain([innermost]);
        let objects = (0..=self.depth).rev().map(move |level| are_objects >> level & 1 == 1);
        objects.zip(lefts.map(Left::extent))
    }
}

/// What is behind a short text and its length, if it is wholly in `bytes`: behind a key, or behind
/// the rest of a string.
#[inline]
fn behind_text(bytes: &[u8], checks_text: bool) -> Option<&[u8]> {
    let &[byte::INT8 | byte::UINT8, byte_len @ 0..=0x7f, ref text @ ..] = bytes else {
        return None;
    };
    let byte_len = usize::from(byte_len);
    let behind = text.get(byte_len..)?;
    (starts_with_ascii(text, byte_len) || is_text(text, byte_len, checks_text)).then_some(behind)
}

/// Whether the first `byte_len` bytes may stand for text.
#[inline(never)]
fn is_text(text: &[u8], byte_len: usize, checks_text: bool) -> bool {
    !checks_text || text.get(..byte_len).is_some_and(is_utf8)
}

/// What is behind a scalar of fixed size or a short string that is wholly in `bytes`.
#[inline]
fn behind_scalar(bytes: &[u8], checks_text: bool) -> Option<&[u8]> {
    behind_fixed(bytes).or_else(|| match bytes {
        [byte::STRING, text @ ..] => behind_text(text, checks_text),
        [byte::CHAR, 0..=0x7f, rest @ ..] => Some(rest),
        _ => None,
    })
}

/// What is behind a scalar of fixed size, of which any payload is valid.
#[inline]
fn behind_fixed(bytes: &[u8]) -> Option<&[u8]> {
    let marker = *bytes.first()?;
    match FIXED_TOKEN_LEN[usize::from(marker)] {
        0 => None,
        byte_len => bytes.get(usize::from(byte_len)..),
    }
}
