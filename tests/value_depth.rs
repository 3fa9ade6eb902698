//! A value nested deeper than any stack is dropped, cloned, compared and printed all the same.
#![cfg(feature = "std")]

use std::thread;

use ubjson::{Map, Value, de, ubjson};

const LEVELS: usize = 100_000;

/// Little enough that one frame a level overflows it by far.
const STACK: usize = 128 * 1024;

fn on_a_stack_of<T: Send + 'static>(byte_len: usize, work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = thread::Builder::new()
        .stack_size(byte_len)
        .spawn(work)
        .expect("a thread");
    thread.join().expect("no panic")
}

/// Arrays and objects in turn, with other elements beside the deep one.
fn deep(levels: usize) -> Value {
    let mut value = Value::from("innermost");
    for level in 0..levels {
        value = match level % 3 {
            0 => Value::from(vec![value]),
            1 => Value::from(Map::from([
                ("a", ubjson!([1, []])),
                ("k", value),
                ("z", ubjson!({"z": {}})),
            ])),
            _ => Value::from(vec![Value::Null, value, ubjson!([[["flat"]]])]),
        };
    }
    value
}

#[test]
fn deep_values_are_dropped() {
    on_a_stack_of(STACK, || drop(deep(LEVELS)));
    on_a_stack_of(STACK, || drop(deep(LEVELS).as_array().cloned()));
    on_a_stack_of(STACK, || {
        let mut value = Value::Null;
        for _ in 0..LEVELS {
            value = Value::from(Map::from([("k", value)]));
        }
        drop(value);
    });
}

#[test]
fn deep_values_are_cloned_and_compared() {
    on_a_stack_of(STACK, || {
        let value = deep(LEVELS);
        let copy = value.clone();
        assert!(copy == value);
        assert!(copy != deep(LEVELS - 3));
        let mut inner = &copy;
        for level in (0..LEVELS).rev() {
            inner = match level % 3 {
                0 => &inner[0],
                1 => &inner["k"],
                _ => &inner[1],
            };
        }
        assert_eq!(inner, "innermost");
    });
}

#[test]
fn deep_values_are_printed_and_sorted() {
    on_a_stack_of(STACK, || {
        let mut value = deep(LEVELS);
        let levels = LEVELS as u64;
        let json = value.to_string();
        assert!(
            json.starts_with(r#"[[null,{"a":[1,[]],"k":[[null,{"a":"#),
            "{}",
            &json[..40]
        );
        let opened = json.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count() as u64;
        // Two more containers beside each object's deep value on either side, three beside each second array's.
        assert_eq!(opened, levels + 4 * (levels / 3) + 3 * (levels / 3));
        assert_eq!(format!("{value:?}").matches("\"innermost\"").count(), 1);
        value.sort_all_keys();
        drop(value);
    });
}

#[test]
fn documents_are_read_and_written_as_deep_as_the_options_say() {
    const LEVELS: usize = 10_000;
    on_a_stack_of(512 * 1024 * 1024, || {
        let mut bytes = b"[".repeat(LEVELS);
        bytes.extend(b"]".repeat(LEVELS));
        assert!(de::Config::new().from_slice::<Value>(&bytes).is_err());
        let value: Value = de::Config::new()
            .max_depth(LEVELS)
            .from_slice(&bytes)
            .expect("a document");
        assert!(ubjson::to_vec(&value).is_err());
        let written = ubjson::ser::Config::new()
            .max_depth(LEVELS)
            .to_vec(&value)
            .expect("a document");
        assert!(written == bytes);
        thread::Builder::new()
            .stack_size(STACK)
            .spawn(move || drop(value))
            .expect("a thread")
            .join()
            .expect("no panic");
    });
}
