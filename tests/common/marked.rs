//! A format that marks every value as there or not there, as some binary formats do.

use serde::de::{Deserializer, Visitor};
use serde::forward_to_deserialize_any;

pub(crate) enum Marked<D> {
    There(D),
    NotThere,
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Marked<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        match self {
            Marked::There(value) => visitor.visit_some(value),
            Marked::NotThere => visitor.visit_none(),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
