//! Maps, and the numbers that come in their disguise.
//!
//! Maintainers: with its feature `arbitrary_precision`, `serde_json` shows numbers as maps of one
//! key, [`JSON_NUMBER`], and the number's text. An object of a JSON text with that key is told
//! apart: its value is lent, as every string is, while the number's text is given away.

use alloc::string::String;

use serde_core::Serializer;
use serde_core::de::MapAccess;
use serde_core::ser::{self, Serialize, SerializeMap};

use super::TranscodeError;
use super::any::{Any, Container, Key, Sink, Value, settle};
use super::number::JsonNumber;

const JSON_NUMBER: &str = "$serde_json::private::Number";

/// A map of the source.
pub(super) struct Map<A> {
    pub(super) access: A,
    pub(super) len: Option<usize>,
}

impl<'de, A: MapAccess<'de>> Container<'de> for Map<A> {
    type ReadError = A::Error;

    fn write<S: Serializer>(mut self, serializer: S) -> Result<S::Ok, TranscodeError<A::Error, S::Error>> {
        let mut start = Start {
            step: Some(Step::Nothing(serializer)),
            len: self.len,
        };
        let mut write_error = None;
        let key = self
            .access
            .next_key_seed(Any::new(FirstKey(&mut start), &mut write_error));
        if settle(key, write_error)?.is_some() {
            let mut write_error = None;
            let value = self
                .access
                .next_value_seed(Any::new(FirstValue(&mut start), &mut write_error));
            settle(value, write_error)?;
        }
        let mut map = match start.step {
            Some(Step::Number(written)) => return Ok(written),
            step => begin(step, self.len).map_err(TranscodeError::Write)?,
        };
        loop {
            let mut write_error = None;
            let key = self.access.next_key_seed(Any::new(Key(&mut map), &mut write_error));
            if settle(key, write_error)?.is_none() {
                return map.end().map_err(TranscodeError::Write);
            }
            let mut write_error = None;
            let value = self.access.next_value_seed(Any::new(Value(&mut map), &mut write_error));
            settle(value, write_error)?;
        }
    }
}

/// The start of a map that may turn out to be a number.
struct Start<S: Serializer> {
    /// Taken during a step, and gone after one that failed.
    step: Option<Step<S>>,
    len: Option<usize>,
}

/// What has been written.
enum Step<S: Serializer> {
    Nothing(S),
    /// Nothing, but the number's key has been read.
    NumberKey(S),
    Number(S::Ok),
    Map(S::SerializeMap),
}

/// The map, with all that has been read in it.
fn begin<S: Serializer>(step: Option<Step<S>>, len: Option<usize>) -> Result<S::SerializeMap, S::Error> {
    match step {
        Some(Step::Nothing(serializer)) => serializer.serialize_map(len),
        Some(Step::NumberKey(serializer)) => {
            let mut map = serializer.serialize_map(len)?;
            map.serialize_key(JSON_NUMBER)?;
            Ok(map)
        }
        Some(Step::Map(map)) => Ok(map),
        Some(Step::Number(_)) | None => Err(ser::Error::custom("a map without a start")),
    }
}

/// The place of the first key.
struct FirstKey<'s, S: Serializer>(&'s mut Start<S>);

impl<S: Serializer> Sink for FirstKey<'_, S> {
    type Ok = ();
    type Error = S::Error;

    fn put<T: ?Sized + Serialize>(self, value: &T) -> Result<(), S::Error> {
        let mut map = begin(self.0.step.take(), self.0.len)?;
        map.serialize_key(value)?;
        self.0.step = Some(Step::Map(map));
        Ok(())
    }

    fn put_str(self, text: &str) -> Result<(), S::Error> {
        if text != JSON_NUMBER {
            return self.put(text);
        }
        self.0.step = match self.0.step.take() {
            Some(Step::Nothing(serializer)) => Some(Step::NumberKey(serializer)),
            step => step,
        };
        Ok(())
    }
}

/// The place of the first value.
struct FirstValue<'s, S: Serializer>(&'s mut Start<S>);

impl<S: Serializer> Sink for FirstValue<'_, S> {
    type Ok = ();
    type Error = S::Error;

    fn put<T: ?Sized + Serialize>(self, value: &T) -> Result<(), S::Error> {
        let mut map = begin(self.0.step.take(), self.0.len)?;
        map.serialize_value(value)?;
        self.0.step = Some(Step::Map(map));
        Ok(())
    }

    fn put_string(self, text: String) -> Result<(), S::Error> {
        let (step, number) = match (self.0.step.take(), JsonNumber::new(&text)) {
            (Some(Step::NumberKey(serializer)), Some(number)) => (serializer, number),
            (step, _) => {
                self.0.step = step;
                return self.put(&text);
            }
        };
        self.0.step = Some(Step::Number(number.serialize(step)?));
        Ok(())
    }
}
