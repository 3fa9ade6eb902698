//! The formats, in the order in which the tables list them.

mod bson;
mod cbor;
mod json;
mod messagepack;
mod positional;
mod ubjson;
mod ubjson_peers;

use crate::format::{Format, FormatVisitor};

pub use bson::Bson;
pub use cbor::{Cbor4ii, Ciborium};
pub use json::{SerdeJson, SimdJson, SonicRs};
pub use messagepack::{RmpCompact, RmpNamed};
pub use positional::{BincodeFixed, BincodeVarint, Postcard};
pub use ubjson::{Counted, Default, Packed, Plain, StructArrays, Ubjson};
pub use ubjson_peers::{SerdeUbJson, SerdeUbj, SerdeUbjson};

/// The format that every figure is a fraction of.
pub const BASELINE: &str = SerdeJson::NAME;

/// Names of this crate's contenders begin so.
pub const OURS: &str = "ubjson";

/// The contender that only clones the decoded value.
pub const COPYING: &str = "clone";

pub fn each_format(visitor: &mut impl FormatVisitor) {
    visitor.visit::<SerdeJson>();
    visitor.visit::<Default>();
    visitor.visit::<Ubjson<Plain>>();
    visitor.visit::<Ubjson<Counted>>();
    visitor.visit::<Ubjson<StructArrays>>();
    visitor.visit::<SonicRs>();
    visitor.visit::<SimdJson>();
    visitor.visit::<RmpNamed>();
    visitor.visit::<Ciborium>();
    visitor.visit::<Cbor4ii>();
    visitor.visit::<Bson>();
    visitor.visit::<SerdeUbJson>();
    visitor.visit::<SerdeUbj>();
    visitor.visit::<SerdeUbjson>();
    visitor.visit::<RmpCompact>();
    visitor.visit::<Postcard>();
    visitor.visit::<BincodeVarint>();
    visitor.visit::<BincodeFixed>();
}

/// What a contender's documents say about themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Ours,
    /// Another format with the fields' names in the document.
    Named,
    /// A format that leaves the names out.
    Unnamed,
    /// The value is copied, and no format is involved.
    NoFormat,
}

pub fn kind(name: &str) -> Kind {
    const UNNAMED: [&str; 5] = [
        SerdeUbjson::NAME,
        RmpCompact::NAME,
        Postcard::NAME,
        BincodeVarint::NAME,
        BincodeFixed::NAME,
    ];
    if name.starts_with(OURS) {
        Kind::Ours
    } else if name == COPYING {
        Kind::NoFormat
    } else if UNNAMED.contains(&name) {
        Kind::Unnamed
    } else {
        Kind::Named
    }
}
