//! Checks of a value against its bytes, both ways.

use std::fmt::{self, Debug};

use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use ubjson::ser::{Config, Containers};
use ubjson::{ErrorKind, from_slice};

use super::to_hex;

/// The options that leave nothing to judgement.
pub(crate) fn plain() -> Config {
    Config::new().containers(Containers::Plain)
}

#[track_caller]
pub(crate) fn writes<T: Serialize + ?Sized>(value: &T, bytes: impl AsRef<[u8]>) {
    assert_eq!(to_hex(&plain().to_vec(value).unwrap()), to_hex(bytes.as_ref()));
}

#[track_caller]
pub(crate) fn reads<T: DeserializeOwned + PartialEq + Debug>(bytes: impl AsRef<[u8]>, value: T) {
    assert_eq!(from_slice::<T>(bytes.as_ref()).unwrap(), value);
    #[cfg(feature = "std")]
    for source in super::sources::Source::ALL {
        assert_eq!(
            source.read::<T>(bytes.as_ref()).result.as_ref(),
            Ok(&value),
            "{source:?}"
        );
    }
}

/// The value is written to the bytes, and they read as the value.
#[track_caller]
pub(crate) fn both<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, bytes: impl AsRef<[u8]>) {
    writes(&value, bytes.as_ref());
    reads(bytes, value);
}

/// The bytes are well-formed and not what the type wants; the message.
#[track_caller]
pub(crate) fn refuses<'de, T: Deserialize<'de>>(bytes: &'de (impl AsRef<[u8]> + ?Sized)) -> String {
    let error = from_slice::<T>(bytes.as_ref()).map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Data, "{error}");
    assert!(error.offset().is_some(), "no offset: {error}");
    error.to_string()
}

/// The value cannot be written; the message.
#[track_caller]
pub(crate) fn is_refused<T: Serialize + ?Sized>(value: &T) -> String {
    let error = plain().to_vec(value).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Data, None), "{error}");
    error.to_string()
}

/// A struct of two fields.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Point {
    pub(crate) x: i32,
    pub(crate) y: i32,
}

/// A map that keeps its entries as they come, whatever the key.
#[derive(Debug, PartialEq)]
pub(crate) struct Entries<K, V>(pub(crate) Vec<(K, V)>);

impl<K: Serialize, V: Serialize> Serialize for Entries<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Deserialize<'de> for Entries<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntriesVisitor<K, V>(Vec<(K, V)>);

        impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Visitor<'de> for EntriesVisitor<K, V> {
            type Value = Entries<K, V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self::Value, A::Error> {
                while let Some(entry) = map.next_entry()? {
                    self.0.push(entry);
                }
                Ok(Entries(self.0))
            }
        }

        deserializer.deserialize_map(EntriesVisitor(Vec::new()))
    }
}
