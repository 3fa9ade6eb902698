//! Decoding into each crate's own dynamic value.

use std::hint::black_box;

use serde::{Serialize, Serializer};
use ubjson_nom::Container;

use crate::cells::{Contender, Wanted, Work};
use crate::format::{Format, Result};
use crate::formats::{Bson, Cbor4ii, Ciborium, Default, Plain, RmpNamed, SerdeJson, SimdJson, SonicRs, Ubjson};

pub fn contenders<T: Serialize>(value: &T, wanted: Wanted<'_>) -> Vec<Contender> {
    let all = [
        contender::<SerdeJson, _, _>(value, wanted, |bytes, _| {
            Ok(serde_json::from_slice::<serde_json::Value>(bytes)?)
        }),
        contender::<Default, _, _>(value, wanted, |bytes, _| {
            Ok(ubjson::from_slice::<ubjson::Value>(bytes)?)
        }),
        contender::<SonicRs, _, _>(value, wanted, |bytes, _| {
            Ok(sonic_rs::from_slice::<sonic_rs::Value>(bytes)?)
        }),
        contender::<SimdJson, _, _>(value, wanted, |bytes, scratch| {
            Ok(simd_json::to_owned_value(SimdJson::copied(bytes, scratch))?)
        }),
        contender::<RmpNamed, _, _>(value, wanted, |mut bytes, _| Ok(rmpv::decode::read_value(&mut bytes)?)),
        contender::<Ciborium, _, _>(value, wanted, |bytes, _| {
            Ok(ciborium::from_reader::<ciborium::Value, _>(bytes)?)
        }),
        contender::<Cbor4ii, _, _>(value, wanted, |bytes, _| {
            Ok(cbor4ii::serde::from_slice::<cbor4ii::core::Value>(bytes)?)
        }),
        contender::<Bson, _, _>(value, wanted, |bytes, _| {
            Ok(BsonDocument(bson::deserialize_from_slice(bytes)?))
        }),
        registry_ubjson(value, wanted),
    ];
    all.into_iter().flatten().collect()
}

/// The registry's `ubjson`, an unrelated parser of an older draft: it expects a marker before each
/// element of a typed array, so it gets the plain form, which has none. Its value borrows.
fn registry_ubjson<T: Serialize>(value: &T, wanted: Wanted<'_>) -> Option<Contender> {
    const NAME: &str = "registry's ubjson 0.1";
    fn decode(bytes: &[u8]) -> Result<Container<'_>> {
        let decoded = ubjson_nom::parse_one(bytes).map_err(|error| error.to_string())?;
        Ok(decoded.1)
    }
    wanted(NAME).then(|| {
        Contender::new(NAME, || {
            let bytes = Ubjson::<Plain>::encode(value)?;
            let len = bytes.len();
            same(&RegistryValue(&decode(&bytes)?), value)?;
            let work: Work = Box::new(move || {
                let decoded = decode(black_box(&bytes));
                drop(black_box(decoded.expect("decoded well when the contender was set up")));
            });
            Ok((work, len))
        })
    })
}

/// The parser's value as serde sees it.
struct RegistryValue<'a>(&'a Container<'a>);

impl Serialize for RegistryValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self.0 {
            Container::Null | Container::Noop => serializer.serialize_unit(),
            Container::Boolean(value) => serializer.serialize_bool(*value),
            Container::Int8(value) => serializer.serialize_i8(*value),
            Container::Uint8(value) => serializer.serialize_u8(*value),
            Container::Int16(value) => serializer.serialize_i16(*value),
            Container::Int32(value) => serializer.serialize_i32(*value),
            Container::Int64(value) => serializer.serialize_i64(*value),
            Container::Float32(value) => serializer.serialize_f32(*value),
            Container::Float64(value) => serializer.serialize_f64(*value),
            Container::Char(value) => serializer.serialize_char(*value),
            Container::String(text) | Container::HighPrecisionNumber(text) => serializer.serialize_str(text),
            Container::Array(elements) => serializer.collect_seq(elements.iter().map(RegistryValue)),
            Container::Object(entries) => {
                serializer.collect_map(entries.iter().map(|(key, value)| (key, RegistryValue(value))))
            }
        }
    }
}

/// The document around the value, which only BSON needs.
struct BsonDocument(bson::Document);

impl Serialize for BsonDocument {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        self.0.get("value").serialize(serializer)
    }
}

/// Checks a decoder by what its value looks like as JSON, then makes it a contender.
fn contender<F: Format, T: Serialize, V: Serialize + 'static>(
    value: &T,
    wanted: Wanted<'_>,
    decode: fn(&[u8], &mut Vec<u8>) -> Result<V>,
) -> Option<Contender> {
    wanted(F::NAME).then(|| {
        Contender::new(F::NAME, || {
            let bytes = F::encode(value)?;
            let len = bytes.len();
            let mut scratch = Vec::new();
            let decoded = decode(&bytes, &mut scratch)?;
            same(&decoded, value)?;
            let work: Work = Box::new(move || {
                let decoded = decode(black_box(&bytes), &mut scratch);
                drop(black_box(decoded.expect("decoded well when the contender was set up")));
            });
            Ok((work, len))
        })
    })
}

fn same(decoded: &impl Serialize, value: &impl Serialize) -> Result<()> {
    match serde_json::to_value(decoded)? == serde_json::to_value(value)? {
        true => Ok(()),
        false => Err("gives back something else".into()),
    }
}
