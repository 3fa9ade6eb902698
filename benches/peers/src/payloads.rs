//! The payloads with the types they are decoded into.

use serde::Serialize;
use serde::de::{Deserialize, DeserializeOwned};
use serde_bytes::{ByteBuf, Bytes};
use ubjson::packed::{self, Packed};

use crate::cells::{self, Contender, Operation, Wanted};
use crate::format::Format;
use crate::formats;
use crate::payload::{logs, numeric, rows, strings, tree};

pub trait Payload: 'static {
    type Owned: Serialize + DeserializeOwned + PartialEq + Clone;

    /// The same data borrowed from its document; the owned type again where nothing can be.
    type Borrowed<'a>: Deserialize<'a> + PartialEq;

    /// Whether cloning the value copies one block of memory, as the fastest encoding could.
    const IS_BLOCK: bool = false;

    fn generate() -> Self::Owned;

    /// Contenders that only this payload has.
    fn variants(_: Operation, _: Wanted<'_>) -> Vec<Contender> {
        Vec::new()
    }

    fn borrow(owned: &Self::Owned) -> Self::Borrowed<'_>;
}

pub struct Rows<const COUNT: usize>;

impl<const COUNT: usize> Payload for Rows<COUNT> {
    type Owned = Vec<rows::Row>;
    type Borrowed<'a> = Vec<rows::RowRef<'a>>;

    fn generate() -> Self::Owned {
        rows::generate(COUNT)
    }

    fn borrow(owned: &Self::Owned) -> Self::Borrowed<'_> {
        rows::borrow(owned)
    }
}

pub struct Logs;

impl Payload for Logs {
    type Owned = Vec<logs::Log>;
    type Borrowed<'a> = Vec<logs::LogRef<'a>>;

    fn generate() -> Self::Owned {
        logs::generate(logs::COUNT)
    }

    fn borrow(owned: &Self::Owned) -> Self::Borrowed<'_> {
        logs::borrow(owned)
    }
}

pub struct Strings;

impl Payload for Strings {
    type Owned = Vec<String>;
    type Borrowed<'a> = Vec<&'a str>;

    fn generate() -> Self::Owned {
        strings::generate(strings::COUNT)
    }

    fn borrow(owned: &Self::Owned) -> Self::Borrowed<'_> {
        strings::borrow(owned)
    }
}

pub struct Tree;

impl Payload for Tree {
    type Owned = tree::Tree;
    type Borrowed<'a> = tree::Tree;

    fn generate() -> Self::Owned {
        tree::generate(tree::BRANCHES)
    }

    fn borrow(owned: &Self::Owned) -> Self::Borrowed<'_> {
        owned.clone()
    }
}

pub struct Numbers<T>(std::marker::PhantomData<T>);

/// A number that there is a vector of among the payloads.
pub trait Number: packed::Element + DeserializeOwned + Copy + 'static {
    fn vector() -> Vec<Self>;
}

impl Number for f64 {
    fn vector() -> Vec<Self> {
        numeric::f64s(numeric::COUNT)
    }
}

impl Number for f32 {
    fn vector() -> Vec<Self> {
        numeric::f32s(numeric::COUNT)
    }
}

impl Number for i32 {
    fn vector() -> Vec<Self> {
        numeric::i32s(numeric::COUNT)
    }
}

impl<T: Number> Payload for Numbers<T> {
    type Owned = Vec<T>;
    type Borrowed<'a> = Vec<T>;

    const IS_BLOCK: bool = true;

    fn variants(operation: Operation, wanted: Wanted<'_>) -> Vec<Contender> {
        let packed = cells::contender::<formats::Packed, PackedNumbers<T>>;
        wanted(formats::Packed::NAME)
            .then(|| packed(operation))
            .into_iter()
            .collect()
    }

    fn generate() -> Self::Owned {
        T::vector()
    }

    fn borrow(owned: &Self::Owned) -> Self::Borrowed<'_> {
        owned.clone()
    }
}

/// The same numbers in the type that moves them as one block.
pub struct PackedNumbers<T>(std::marker::PhantomData<T>);

impl<T: Number> Payload for PackedNumbers<T> {
    type Owned = Packed<Vec<T>>;
    type Borrowed<'a> = Packed<Vec<T>>;

    fn generate() -> Self::Owned {
        Packed(T::vector())
    }

    fn borrow(owned: &Self::Owned) -> Self::Borrowed<'_> {
        owned.clone()
    }
}

pub struct ByteString;

impl Payload for ByteString {
    type Owned = ByteBuf;
    type Borrowed<'a> = &'a Bytes;

    const IS_BLOCK: bool = true;

    fn generate() -> Self::Owned {
        ByteBuf::from(numeric::bytes(numeric::BYTES))
    }

    fn borrow(owned: &Self::Owned) -> Self::Borrowed<'_> {
        Bytes::new(owned)
    }
}
