//! The rules of `Containers::Auto`, applied the slow way: every form of a container is measured before one is chosen.

use quickcheck::{Arbitrary, Gen};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use ubjson::ser::{Config, Containers, Integers, Lengths};

/// A value with the Rust type of each of its numbers, and containers that do or do not tell their length.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Null,
    Bool(bool),
    I8(i8),
    U8(u8),
    I16(i16),
    U16(u16),
    I32(i32),
    U32(u32),
    I64(i64),
    U64(u64),
    F32(f32),
    F64(f64),
    Char(char),
    Text(String),
    Array { known: bool, elements: Vec<Tree> },
    Object { known: bool, entries: Vec<(String, Tree)> },
}

/// The options that the rules depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Options {
    pub(crate) counts: Lengths,
    pub(crate) integers: Integers,
    pub(crate) compact_floats: bool,
}

/// A scalar that a typed array can hold: what it may share an array with, its marker alone, and how it is written there.
enum Scalar {
    Integer { value: i64, is_u8: bool },
    Declared(u8, i64),
    Float(f64),
    Fixed(u8, Vec<u8>),
}

impl Options {
    pub(crate) const COUNTS: [Lengths; 4] = [Lengths::Smallest, Lengths::Uint8First, Lengths::Int32, Lengths::Int64];

    pub(crate) fn all() -> impl Iterator<Item = Options> {
        Options::COUNTS.into_iter().flat_map(|counts| {
            [Integers::Smallest, Integers::Declared]
                .into_iter()
                .flat_map(move |integers| {
                    [false, true].map(|compact_floats| Options {
                        counts,
                        integers,
                        compact_floats,
                    })
                })
        })
    }

    pub(crate) fn config(self, containers: Containers) -> Config {
        Config::new()
            .containers(containers)
            .counts(self.counts)
            .integers(self.integers)
            .compact_floats(self.compact_floats)
    }

    fn count(self, count: usize) -> Vec<u8> {
        let count = i64::try_from(count).unwrap();
        let marker = match self.counts {
            Lengths::Int32 => b'l',
            Lengths::Int64 => b'L',
            Lengths::Uint8First if count <= 255 => b'U',
            _ => smallest(count),
        };
        [vec![marker], payload(marker, count)].concat()
    }

    fn scalar(self, value: &Tree) -> Option<Scalar> {
        let integer = |declared: u8, value: i64| match self.integers {
            Integers::Smallest => Scalar::Integer {
                value,
                is_u8: declared == b'U',
            },
            _ => Scalar::Declared(declared, value),
        };
        Some(match *value {
            Tree::I8(value) => integer(b'i', value.into()),
            Tree::U8(value) => integer(b'U', value.into()),
            Tree::I16(value) => integer(b'I', value.into()),
            Tree::U16(value) => integer(b'l', value.into()),
            Tree::I32(value) => integer(b'l', value.into()),
            Tree::U32(value) => integer(b'L', value.into()),
            Tree::I64(value) => integer(b'L', value),
            Tree::U64(value) => integer(b'L', i64::try_from(value).ok()?),
            Tree::F32(value) => Scalar::Fixed(b'd', value.to_be_bytes().into()),
            Tree::F64(value) if self.compact_floats => Scalar::Float(value),
            Tree::F64(value) => Scalar::Fixed(b'D', value.to_be_bytes().into()),
            Tree::Char(value) if value.is_ascii() => Scalar::Fixed(b'C', vec![value as u8]),
            _ => return None,
        })
    }

    /// The bytes of `value` under `Containers::Auto`.
    pub(crate) fn encode(self, value: &Tree) -> Vec<u8> {
        match value {
            Tree::Array { known, elements } => self.array(*known, elements),
            Tree::Object { known, entries } => self.object(*known, entries),
            scalar => self.config(Containers::Plain).to_vec(scalar).unwrap(),
        }
    }

    fn array(self, known: bool, elements: &[Tree]) -> Vec<u8> {
        let body: Vec<u8> = elements.iter().flat_map(|element| self.encode(element)).collect();
        let plain = [b"[", &body[..], b"]"].concat();
        let counted = [b"[#", &self.count(elements.len())[..], &body].concat();
        if let Some((typed, of_bytes)) = self.typed_array(elements) {
            let limit = match (of_bytes, known) {
                (true, true) => counted.len().min(plain.len() + 2),
                _ => plain.len(),
            };
            if typed.len() <= limit {
                return typed;
            }
        }
        let cheap = counted.len() <= plain.len() + 2;
        // Wide only because there are many elements, each of which takes more than the count does.
        let many_containers = matches!(self.counts, Lengths::Smallest | Lengths::Uint8First)
            && matches!(elements.first(), Some(Tree::Array { .. } | Tree::Object { .. }));
        if known && elements.len() >= 4 && (cheap || many_containers) {
            return counted;
        }
        plain
    }

    /// The typed form if the elements have one type, and whether all of them are `u8`.
    fn typed_array(self, elements: &[Tree]) -> Option<(Vec<u8>, bool)> {
        let scalars: Vec<_> = elements
            .iter()
            .map(|element| self.scalar(element))
            .collect::<Option<_>>()?;
        let of_bytes = elements.iter().all(|element| matches!(element, Tree::U8(_)));
        let (marker, body) = match scalars.first()? {
            Scalar::Integer { .. } => integers(&scalars)?,
            Scalar::Declared(..) => declared(&scalars)?,
            Scalar::Float(_) => floats(&scalars)?,
            Scalar::Fixed(..) => fixed(&scalars)?,
        };
        let typed = [b"[$", &[marker][..], b"#", &self.count(elements.len()), &body].concat();
        Some((typed, of_bytes))
    }

    fn object(self, known: bool, entries: &[(String, Tree)]) -> Vec<u8> {
        let body: Vec<u8> = entries
            .iter()
            .flat_map(|(key, value)| {
                // A string without its marker.
                let key = self.config(Containers::Plain).to_vec(key).unwrap().split_off(1);
                [key, self.encode(value)].concat()
            })
            .collect();
        let plain = [b"{", &body[..], b"}"].concat();
        let counted = [b"{#", &self.count(entries.len())[..], &body].concat();
        if known && entries.len() >= 16 && counted.len() <= plain.len() + 2 {
            return counted;
        }
        plain
    }
}

fn smallest(value: i64) -> u8 {
    match value {
        -128..=127 => b'i',
        128..=255 => b'U',
        -32_768..=32_767 => b'I',
        -2_147_483_648..=2_147_483_647 => b'l',
        _ => b'L',
    }
}

/// The payload of an integer, in the width of its marker.
fn payload(marker: u8, value: i64) -> Vec<u8> {
    let width = match marker {
        b'i' | b'U' => 1,
        b'I' => 2,
        b'l' => 4,
        _ => 8,
    };
    value.to_be_bytes()[8 - width..].into()
}

fn integers(scalars: &[Scalar]) -> Option<(u8, Vec<u8>)> {
    let (mut values, mut all_u8) = (Vec::new(), true);
    for scalar in scalars {
        let Scalar::Integer { value, is_u8 } = *scalar else {
            return None;
        };
        values.push(value);
        all_u8 &= is_u8;
    }
    let (min, max) = (*values.iter().min()?, *values.iter().max()?);
    let marker = match (min, max) {
        _ if all_u8 => b'U',
        (-128.., ..=127) => b'i',
        (0.., ..=255) => b'U',
        (-32_768.., ..=32_767) => b'I',
        (-2_147_483_648.., ..=2_147_483_647) => b'l',
        _ => b'L',
    };
    Some((
        marker,
        values.into_iter().flat_map(|value| payload(marker, value)).collect(),
    ))
}

fn declared(scalars: &[Scalar]) -> Option<(u8, Vec<u8>)> {
    let Scalar::Declared(marker, _) = scalars[0] else {
        return None;
    };
    let mut body = Vec::new();
    for scalar in scalars {
        match *scalar {
            Scalar::Declared(other, value) if other == marker => body.extend(payload(marker, value)),
            _ => return None,
        }
    }
    Some((marker, body))
}

fn floats(scalars: &[Scalar]) -> Option<(u8, Vec<u8>)> {
    let mut values = Vec::new();
    for scalar in scalars {
        let Scalar::Float(value) = *scalar else {
            return None;
        };
        values.push(value);
    }
    let is_single = |value: f64| f64::from(value as f32).to_bits() == value.to_bits();
    Some(match values.iter().all(|value| is_single(*value)) {
        true => (
            b'd',
            values.iter().flat_map(|value| (*value as f32).to_be_bytes()).collect(),
        ),
        false => (b'D', values.iter().flat_map(|value| value.to_be_bytes()).collect()),
    })
}

fn fixed(scalars: &[Scalar]) -> Option<(u8, Vec<u8>)> {
    let Scalar::Fixed(marker, _) = scalars[0] else {
        return None;
    };
    let mut body = Vec::new();
    for scalar in scalars {
        match scalar {
            Scalar::Fixed(other, payload) if *other == marker => body.extend(payload),
            _ => return None,
        }
    }
    Some((marker, body))
}

impl Tree {
    /// How many containers there are.
    pub(crate) fn containers(&self) -> usize {
        match self {
            Tree::Array { elements, .. } => 1 + elements.iter().map(Tree::containers).sum::<usize>(),
            Tree::Object { entries, .. } => 1 + entries.iter().map(|(_, value)| value.containers()).sum::<usize>(),
            _ => 0,
        }
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Tree::Null => serializer.serialize_unit(),
            Tree::Bool(value) => value.serialize(serializer),
            Tree::I8(value) => value.serialize(serializer),
            Tree::U8(value) => value.serialize(serializer),
            Tree::I16(value) => value.serialize(serializer),
            Tree::U16(value) => value.serialize(serializer),
            Tree::I32(value) => value.serialize(serializer),
            Tree::U32(value) => value.serialize(serializer),
            Tree::I64(value) => value.serialize(serializer),
            Tree::U64(value) => value.serialize(serializer),
            Tree::F32(value) => value.serialize(serializer),
            Tree::F64(value) => value.serialize(serializer),
            Tree::Char(value) => value.serialize(serializer),
            Tree::Text(value) => value.serialize(serializer),
            Tree::Array { known, elements } => {
                let mut array = serializer.serialize_seq(known.then_some(elements.len()))?;
                for element in elements {
                    array.serialize_element(element)?;
                }
                array.end()
            }
            Tree::Object { known, entries } => {
                let mut object = serializer.serialize_map(known.then_some(entries.len()))?;
                for (key, value) in entries {
                    object.serialize_entry(key, value)?;
                }
                object.end()
            }
        }
    }
}

/// Mostly around the edges of the widths.
fn integer(g: &mut Gen) -> i64 {
    let edges = [
        0,
        1,
        -1,
        127,
        128,
        -128,
        -129,
        255,
        256,
        32_767,
        32_768,
        -32_768,
        -32_769,
        65_535,
        1 << 31,
        -(1 << 31),
        i64::MAX,
        i64::MIN,
    ];
    g.choose(&edges).unwrap().wrapping_add(i64::from(i8::arbitrary(g) % 2))
}

/// The n-th kind of scalar; the kinds that typed arrays hold come first.
fn scalar(kind: u8, g: &mut Gen) -> Tree {
    let value = integer(g);
    match kind {
        0 => Tree::I8(value as i8),
        1 => Tree::U8(value as u8),
        2 => Tree::I16(value as i16),
        3 => Tree::U16(value as u16),
        4 => Tree::I32(value as i32),
        5 => Tree::U32(value as u32),
        6 => Tree::I64(value),
        7 => Tree::U64(value as u64),
        8 => Tree::F32(f32::arbitrary(g)),
        9 => Tree::F64(*g.choose(&[0.5, 0.1, -0.0, 1e300, f64::INFINITY, 3.0]).unwrap()),
        10 => Tree::Char(*g.choose(&['a', '\u{7f}', '\u{80}']).unwrap()),
        11 => Tree::Null,
        12 => Tree::Bool(bool::arbitrary(g)),
        _ => Tree::Text(String::arbitrary(g)),
    }
}

const SCALAR_KINDS: u8 = 14;

fn smaller(g: &Gen, divisor: usize) -> Gen {
    Gen::new((g.size() / divisor).max(1))
}

/// Mostly short, long only near the top.
fn len(g: &mut Gen, short: &[usize], long: &[usize]) -> usize {
    let lens = if g.size() >= TOP && u8::arbitrary(g) % 4 == 0 {
        long
    } else {
        short
    };
    *g.choose(lens).unwrap()
}

/// The size that a value as a whole is made with; its parts get less.
pub(crate) const TOP: usize = 12;

fn array(g: &mut Gen) -> Vec<Tree> {
    let len = len(g, &[0, 1, 2, 3, 4, 5, 8, 9, 11, 15, 16, 17], &[254, 255, 256]);
    let kind = u8::arbitrary(g) % SCALAR_KINDS;
    let (mixed, nested) = (u8::arbitrary(g) % 8, u8::arbitrary(g) % 4);
    let mut smaller = smaller(g, 2);
    let element = |at: usize| match (nested, mixed) {
        // Containers alone.
        (0, _) if g.size() > 1 && len < 20 => Tree::arbitrary(&mut smaller),
        // One kind of scalars, but for one element.
        (_, 0) if at == len / 2 => Tree::arbitrary(&mut smaller),
        // Two kinds of integers.
        (_, 1) if at % 2 == 1 => scalar(u8::arbitrary(g) % 8, g),
        _ => scalar(kind, g),
    };
    (0..len).map(element).collect()
}

impl Arbitrary for Tree {
    fn arbitrary(g: &mut Gen) -> Self {
        let known = bool::arbitrary(g);
        match u8::arbitrary(g) % 4 {
            0 => {
                let kind = u8::arbitrary(g) % SCALAR_KINDS;
                scalar(kind, g)
            }
            1 if g.size() > 1 => {
                let len = len(g, &[0, 1, 3, 4], &[15, 16, 17, 255, 256]);
                let mut smaller = smaller(g, 3);
                let entries = (0..len).map(|at| (format!("{at}"), Tree::arbitrary(&mut smaller)));
                Tree::Object {
                    known,
                    entries: entries.collect(),
                }
            }
            _ => Tree::Array {
                known,
                elements: array(g),
            },
        }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        match self.clone() {
            Tree::Array { known, elements } => {
                Box::new(elements.shrink().map(move |elements| Tree::Array { known, elements }))
            }
            Tree::Object { known, entries } => {
                Box::new(entries.shrink().map(move |entries| Tree::Object { known, entries }))
            }
            _ => quickcheck::empty_shrinker(),
        }
    }
}
