//! The text of a JSON number: the grammar of high-precision values and of integer map keys.

/// What a number's text comes to in Rust.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ParsedNumber {
    Unsigned(u64),
    Signed(i64),
    Unsigned128(u128),
    Signed128(i128),
    Float(f64),
    /// A JSON number that is beyond every integer and every finite float.
    OutOfRange,
}

/// Whether `text` is a number as RFC 8259, section 6, defines it, and if so whether an integer.
fn classify(text: &[u8]) -> Option<NumberForm> {
    let unsigned = text.strip_prefix(b"-").unwrap_or(text);
    let rest = match unsigned {
        [b'0', rest @ ..] => rest,
        [b'1'..=b'9', ..] => skip_digits(unsigned),
        _ => return None,
    };
    if rest.is_empty() {
        return Some(NumberForm::Integer);
    }
    let rest = match rest {
        [b'.', fraction @ ..] => at_least_one_digit(fraction)?,
        _ => rest,
    };
    let rest = match rest {
        [b'e' | b'E', b'+' | b'-', exponent @ ..] | [b'e' | b'E', exponent @ ..] => at_least_one_digit(exponent)?,
        _ => rest,
    };
    rest.is_empty().then_some(NumberForm::Decimal)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum NumberForm {
    Integer,
    Decimal,
}

fn skip_digits(text: &[u8]) -> &[u8] {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    text.get(digits..).unwrap_or_default()
}

fn at_least_one_digit(text: &[u8]) -> Option<&[u8]> {
    let rest = skip_digits(text);
    (rest.len() < text.len()).then_some(rest)
}

/// The text as `str` if it is a JSON number.
pub(crate) fn validate(text: &[u8]) -> Option<&str> {
    classify(text)?;
    core::str::from_utf8(text).ok()
}

/// Whether the text is a JSON number that this crate takes for an integer: `-0` is a float.
pub(crate) fn is_integer(text: &[u8]) -> bool {
    classify(text) == Some(NumberForm::Integer) && text != b"-0"
}

/// The number that `text` is, or `None` if it is not a JSON number.
///
/// Integers go to the narrowest of the types named in [`ParsedNumber`]; `-0` keeps its sign as a
/// float, as `serde_json` has it.
pub(crate) fn parse(text: &[u8]) -> Option<ParsedNumber> {
    let form = classify(text)?;
    let text = core::str::from_utf8(text).ok()?;
    if form == NumberForm::Integer && text != "-0" {
        if let Ok(value) = text.parse() {
            return Some(ParsedNumber::Unsigned(value));
        }
        if let Ok(value) = text.parse() {
            return Some(ParsedNumber::Signed(value));
        }
        if let Ok(value) = text.parse() {
            return Some(ParsedNumber::Unsigned128(value));
        }
        if let Ok(value) = text.parse() {
            return Some(ParsedNumber::Signed128(value));
        }
    }
    let value: f64 = text.parse().ok()?;
    Some(if value.is_finite() {
        ParsedNumber::Float(value)
    } else {
        ParsedNumber::OutOfRange
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_take_the_narrowest_type() {
        let cases = [
            ("0", ParsedNumber::Unsigned(0)),
            ("-1", ParsedNumber::Signed(-1)),
            ("18446744073709551615", ParsedNumber::Unsigned(u64::MAX)),
            ("-9223372036854775808", ParsedNumber::Signed(i64::MIN)),
            ("18446744073709551616", ParsedNumber::Unsigned128(1 << 64)),
            (
                "-9223372036854775809",
                ParsedNumber::Signed128(-9_223_372_036_854_775_809),
            ),
            ("-0", ParsedNumber::Float(-0.0)),
            ("1e400", ParsedNumber::OutOfRange),
            ("1e-400", ParsedNumber::Float(0.0)),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text.as_bytes()), Some(expected), "{text}");
        }
    }

    #[test]
    fn texts_that_are_no_json_numbers_are_refused() {
        for text in [
            "", "-", "+1", "01", "1.", ".5", "1e", "1e+", "0x1", "1 ", "NaN", "1.2.3", "1e5.5",
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }
}
