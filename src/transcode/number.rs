//! Numbers of JSON text: as the Rust number that says the same, or as their text.

use alloc::format;
use alloc::vec::Vec;

use serde_core::Serializer;
use serde_core::ser::Serialize;

use super::any::HighPrecision;
use crate::number::{self, ParsedNumber};

/// So many decimal digits survive the way through a float64 and back (`DBL_DIG` of C).
const SAFE_DIGITS: usize = 15;

/// No float64 has more significant decimal digits.
const MAX_DIGITS: usize = 767;

/// A number with the text that it came in.
pub(super) struct JsonNumber<'a> {
    text: &'a str,
    parsed: ParsedNumber,
}

impl<'a> JsonNumber<'a> {
    /// `None` unless `text` is a JSON number.
    pub(super) fn new(text: &'a str) -> Option<Self> {
        let parsed = number::parse(text.as_bytes())?;
        Some(Self { text, parsed })
    }
}

impl Serialize for JsonNumber<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.parsed {
            ParsedNumber::Unsigned(value) => serializer.serialize_u64(value),
            ParsedNumber::Signed(value) => serializer.serialize_i64(value),
            ParsedNumber::Float(value) if is_float(self.text) && is_spelling(self.text, value) => {
                serializer.serialize_f64(value)
            }
            _ => HighPrecision(self.text).serialize(serializer),
        }
    }
}

/// Whether `text` is that of a float: not of an integer, which stays one whatever its length.
/// JSON's `-0` is none of the format's integers.
fn is_float(text: &str) -> bool {
    text == "-0" || text.contains(['.', 'e', 'E'])
}

/// Whether `text` spells `value`: written with as many digits as the text has, it is the text.
///
/// So `0.1` and `0.10000000000000001` both spell the float64 nearest to a tenth, while
/// `0.1000000000000000000001` says more than a float64 can.
fn is_spelling(text: &str, value: f64) -> bool {
    let Some(number) = Decimal::new(text) else {
        return false;
    };
    match number.digits.len() {
        0 => true,
        1..=SAFE_DIGITS if value.is_normal() => true,
        1..=MAX_DIGITS => {
            let spelling = format!("{:.*e}", number.digits.len() - 1, value);
            Decimal::new(&spelling) == Some(number)
        }
        _ => false,
    }
}

/// The magnitude `0.d1 d2 d3... * 10^exponent` of a number, without zeros at either end of its
/// digits.
#[derive(Debug, PartialEq)]
struct Decimal {
    digits: Vec<u8>,
    exponent: i64,
}

impl Decimal {
    /// `None` if the exponent is beyond all measure.
    fn new(text: &str) -> Option<Self> {
        let text = text.trim_start_matches('-');
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = whole.bytes().chain(fraction.bytes());
        let leading_zeros = digits.clone().take_while(|digit| *digit == b'0').count();
        let mut digits: Vec<u8> = digits.skip(leading_zeros).collect();
        while digits.last() == Some(&b'0') {
            digits.pop();
        }
        let exponent: i64 = exponent.parse().ok()?;
        let point = i64::try_from(whole.len()).ok()? - i64::try_from(leading_zeros).ok()?;
        let exponent = if digits.is_empty() {
            0
        } else {
            exponent.checked_add(point)?
        };
        Some(Self { digits, exponent })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: bool) {
        assert_eq!(is_spelling(text, text.parse().unwrap()), expected, "{text}");
    }

    #[test]
    fn texts_that_a_double_gives_back_are_spellings_of_it() {
        for text in [
            "0.0",
            "-0.0",
            "0e99",
            "0.1",
            "1e2",
            "1E+2",
            "-12.50",
            "0.1000000000000000000000000",
            // A tenth with 17 digits, and as the float64 that it is.
            "0.10000000000000001",
            "0.1000000000000000055511151231257827021181583404541015625",
            "1.7976931348623157e308",
            "2.2250738585072014E-308",
            // The smallest float64.
            "5e-324",
            "4.9e-324",
            "9007199254740992.0",
            "100000000000000000000000.0",
        ] {
            check(text, true);
        }
    }

    #[test]
    fn integers_are_no_floats_however_long() {
        assert!(!is_float("340282366920938463463374607431768211456"));
        assert!(is_float("1e44"));
        assert!(is_float("-0"));
    }

    #[test]
    fn texts_that_say_more_than_a_double_are_not() {
        for text in [
            "3.14159265358979323846264338327950288",
            "0.1000000000000000000001",
            "9007199254740993.0",
            "1e-400",
            "4e-324",
            "1.7976931348623158e308",
        ] {
            check(text, false);
        }
    }
}
