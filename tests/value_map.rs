//! `Map`, and objects that share their keys.

use std::collections::BTreeMap;

use ubjson::value::map::Entry;
use ubjson::{Map, Value, from_slice, ubjson};

fn read(bytes: &[u8]) -> Value {
    from_slice(bytes).expect("a document")
}

#[test]
fn maps_keep_the_order_of_insertion() {
    let mut map = Map::from([("z", 1), ("a", 2), ("m", 3)]);
    assert_eq!(map.insert("a", 4), Some(2.into()));
    assert_eq!(map.insert("b", 5), None);
    let keys: Vec<_> = map.keys().collect();
    assert_eq!(keys, ["z", "a", "m", "b"]);
    assert_eq!(map.get_index(1), Some(("a", &4.into())));
    assert_eq!(map.remove("z"), Some(1.into()));
    assert_eq!(map.remove("z"), None);
    assert_eq!(map.iter().map(|(key, _)| key).collect::<Vec<_>>(), ["a", "m", "b"]);
    assert_eq!(map["b"], 5);
    assert_eq!(map["none"], Value::Null);
    map.sort_keys();
    assert_eq!(map.keys().collect::<Vec<_>>(), ["a", "b", "m"]);
    assert_eq!((&map["a"], &map["b"], &map["m"]), (&4.into(), &5.into(), &3.into()));
    map.retain(|key, value| {
        *value = key.into();
        key != "b"
    });
    assert_eq!(map, Map::from([("m", "m"), ("a", "a")]));
    map.clear();
    assert!(map.is_empty() && map == Map::new());
}

#[test]
fn map_entries_are_looked_at_or_filled() {
    let mut map = Map::new();
    *map.entry("count").or_insert(0) = 1.into();
    map.entry("count").and_modify(|value| *value = 2.into()).or_insert(9);
    map.entry("list").or_insert_with(|| ubjson!([]));
    assert_eq!(map, Map::from([("count", ubjson!(2)), ("list", ubjson!([]))]));
    match map.entry("count") {
        Entry::Occupied(mut entry) => {
            assert_eq!(entry.get(), &2);
            assert_eq!(entry.insert("two"), 2);
            *entry.get_mut() = "zwei".into();
        }
        Entry::Vacant(entry) => panic!("{} is vacant", entry.key()),
    }
    match map.entry("new") {
        Entry::Vacant(entry) => assert_eq!(entry.insert(1), &1),
        Entry::Occupied(entry) => panic!("{:?}", entry.get()),
    }
    assert_eq!(map["count"], "zwei");
    for value in map.values_mut() {
        *value = Value::Null;
    }
    for (_, value) in &mut map {
        assert!(value.is_null());
    }
    let entries: Vec<_> = map.into_iter().collect();
    assert_eq!(
        entries.iter().map(|(key, _)| &**key).collect::<Vec<_>>(),
        ["count", "list", "new"]
    );
}

/// Against the standard library's map, over the lengths where keys come to be indexed.
#[test]
fn large_maps_find_insert_and_remove_their_keys() {
    for len in [1, 15, 16, 17, 40, 1000] {
        let mut map = Map::new();
        let mut expected = BTreeMap::new();
        for at in 0..len {
            let key = format!("key{}", (at * 7919) % len);
            map.insert(key.as_str(), at);
            expected.insert(key, at);
        }
        assert_eq!(map.len(), expected.len());
        for (key, value) in &expected {
            assert_eq!(map.get(key), Some(&Value::from(*value)), "{key} of {len}");
        }
        for at in (0..len).step_by(3) {
            let key = format!("key{at}");
            assert_eq!(
                map.remove(&key),
                expected.remove(&key).map(Value::from),
                "{key} of {len}"
            );
        }
        assert_eq!(map.len(), expected.len());
        assert_eq!(map.get("key0"), None);
        for (key, value) in &expected {
            assert_eq!(map.get(key), Some(&Value::from(*value)), "{key} of {len}");
        }
    }
}

#[test]
fn a_repeated_key_keeps_its_place_and_its_last_value() {
    let value = read(b"{i\x01ai\x01i\x01bi\x02i\x01ai\x03i\x01ci\x04}");
    assert_eq!(value.to_string(), r#"{"a":3,"b":2,"c":4}"#);
    // The objects before it had the same keys; they are not confused.
    let values =
        read(b"[{i\x01ai\x01i\x01bi\x02}{i\x01ai\x01i\x01bi\x02i\x01bi\x05}{i\x01ai\x01i\x01bi\x02}{i\x01bi\x02}]");
    assert_eq!(
        values.to_string(),
        r#"[{"a":1,"b":2},{"a":1,"b":5},{"a":1,"b":2},{"b":2}]"#
    );
}

/// Objects of many shapes, with keys in every order, left out and repeated, in objects of other shapes.
#[test]
fn objects_that_share_keys_are_not_confused() {
    let mut bytes = b"[".to_vec();
    let mut expected = Vec::new();
    let mut seed = 7_u32;
    for _ in 0..20_000 {
        let mut object = Vec::new();
        bytes.push(b'{');
        for _ in 0..seed % 6 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let key = ["a", "bb", "ccc", "d", "longer", ""][(seed >> 24) as usize % 6];
            let value = (seed >> 16) as u8 & 0x7f;
            let nested = seed & 0x300 == 0;
            bytes.extend([b'i', key.len() as u8]);
            bytes.extend(key.as_bytes());
            if nested {
                bytes.extend([b'{', b'i', 1, b'a', b'i', value, b'}']);
            } else {
                bytes.extend([b'i', value]);
            }
            let value = if nested {
                format!("{{\"a\":{value}}}")
            } else {
                value.to_string()
            };
            match object.iter_mut().find(|(known, _)| *known == key) {
                Some((_, old)) => *old = value,
                None => object.push((key, value)),
            }
        }
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        bytes.push(b'}');
        let members: Vec<_> = object.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
        expected.push(format!("{{{}}}", members.join(",")));
    }
    bytes.push(b']');
    assert_eq!(read(&bytes).to_string(), format!("[{}]", expected.join(",")));
}

#[test]
fn objects_of_more_keys_than_are_shared_are_whole() {
    let long: BTreeMap<String, u32> = (0..3000).map(|at| (format!("key{at:04}"), at)).collect();
    let many: Vec<BTreeMap<String, u32>> = (0..3000)
        .map(|at| BTreeMap::from([(format!("id{at}"), at), ("x".into(), at)]))
        .collect();
    let bytes = ubjson::to_vec(&(long, many, BTreeMap::from([("key0001", 1), ("zz", 2)]))).expect("a document");
    let value = read(&bytes);
    assert_eq!(value[0].as_object().map(Map::len), Some(3000));
    assert_eq!(value[0]["key2999"], 2999);
    for at in [0, 1, 2999] {
        assert_eq!(value[1][at].to_string(), format!("{{\"id{at}\":{at},\"x\":{at}}}"));
    }
    assert_eq!(value[2].to_string(), r#"{"key0001":1,"zz":2}"#);
    assert_eq!(ubjson::to_value(&value).expect("a value"), value);
}

#[test]
fn changing_one_object_leaves_those_that_share_its_keys() {
    let mut values = read(b"[{i\x01ai\x01}{i\x01ai\x02}]");
    values[0]["b"] = 3.into();
    values[1].as_object_mut().expect("an object").sort_keys();
    assert_eq!(values.to_string(), r#"[{"a":1,"b":3},{"a":2}]"#);
    let copy = values.clone();
    values[0].as_object_mut().expect("an object").remove("a");
    assert_eq!(values.to_string(), r#"[{"b":3},{"a":2}]"#);
    assert_eq!(copy.to_string(), r#"[{"a":1,"b":3},{"a":2}]"#);
}

#[test]
fn objects_are_equal_whatever_the_order_of_keys() {
    assert_eq!(
        ubjson!({"a": 1, "b": [2, {"c": 3, "d": 4}]}),
        ubjson!({"b": [2, {"d": 4, "c": 3}], "a": 1})
    );
    assert_ne!(ubjson!({"a": 1}), ubjson!({"a": 1, "b": 2}));
    assert_ne!(ubjson!({"a": 1}), ubjson!({"b": 1}));
    assert_ne!(ubjson!({"a": 1}), ubjson!({"a": 2}));
    assert_ne!(ubjson!([1, 2]), ubjson!([2, 1]));
    assert_ne!(ubjson!([]), ubjson!({}));
    let mut sorted = ubjson!({"b": [{"z": 1, "y": 2}], "a": 1});
    sorted.sort_all_keys();
    assert_eq!(sorted.to_string(), r#"{"a":1,"b":[{"y":2,"z":1}]}"#);
}

#[test]
fn maps_are_looked_through_from_both_ends() {
    let mut map = Map::with_capacity(3);
    assert!(map.is_empty());
    map.extend([("a", 1), ("b", 2), ("c", 3)]);
    assert!(map.contains_key("b") && !map.contains_key("d"));
    assert_eq!(
        map.iter().rev().map(|(key, _)| key).collect::<Vec<_>>(),
        ["c", "b", "a"]
    );
    assert_eq!(map.values().next_back(), Some(&3.into()));
    assert_eq!(map.iter().len(), 3);
    assert_eq!(format!("{map:?}"), r#"{"a": int32 1, "b": int32 2, "c": int32 3}"#);
    match map.entry("d") {
        Entry::Vacant(entry) => assert_eq!(entry.key(), "d"),
        Entry::Occupied(_) => panic!("nobody has inserted it"),
    }
}
