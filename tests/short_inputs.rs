//! Every short input there is: a value or an error, the one the grammar says, from a slice and from a reader alike.
#![cfg(feature = "std")]

mod common;

use serde::de::IgnoredAny;
use ubjson::{ErrorKind, de};

use common::doc::Doc;
use common::grammar::{self, Fault};
use common::sources::kind_name;
use common::to_hex;

#[test]
fn every_input_of_up_to_two_bytes_is_a_value_or_an_error() {
    assert_alike(&[]);
    for first in 0..=u8::MAX {
        assert_alike(&[first]);
        for second in 0..=u8::MAX {
            assert_alike(&[first, second]);
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "sixteen million inputs: run it in release")]
fn every_input_of_three_bytes_is_a_value_or_an_error() {
    for number in 0..1_u32 << 24 {
        let [_, input @ ..] = number.to_be_bytes();
        assert_alike(&input);
    }
}

fn assert_alike(input: &[u8]) {
    let document = grammar::document(input);
    assert_fault(input, document, ubjson::from_slice::<Doc>(input));
    assert_fault(input, document, ubjson::from_slice::<IgnoredAny>(input));
    let value = grammar::value(input).map(drop);
    let config = de::Config::new().buffer_capacity(64);
    assert_fault(input, value, config.from_reader::<_, Doc>(input));
    assert_fault(input, value, config.from_reader::<_, IgnoredAny>(input));
}

fn assert_fault<T>(input: &[u8], expected: Result<(), Fault>, found: ubjson::Result<T>) {
    match (expected, found) {
        (Ok(()), Ok(_)) => {}
        (Err(fault), Err(error)) => {
            assert_eq!(kind_name(error.kind()), fault.kind, "{}", to_hex(input));
            assert_eq!(error.is_eof(), error.kind() == ErrorKind::Eof, "{}", to_hex(input));
            if let Some(offset) = fault.offset {
                assert_eq!(error.offset(), Some(offset as u64), "{}", to_hex(input));
            }
        }
        (expected, found) => panic!("{}: {:?}, expected {expected:?}", to_hex(input), found.map(drop)),
    }
}
