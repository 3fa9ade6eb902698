//! Arbitrary documents in every form that draft 12 allows, made byte by byte: the writer of this crate chooses one form
//! for a value, the world out there another.

use std::collections::BTreeMap;

use quickcheck::{Arbitrary, Gen};

use super::doc::Doc;

/// The bytes of a document, and what it reads as.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) bytes: Vec<u8>,
    pub(crate) value: Doc,
}

const SCALARS: &[u8] = b"ZTFiUIlLdDHCS";
const MARKERS: &[u8] = b"ZTFiUIlLdDHCS[{[{[{";
const NUMBERS: [&str; 10] = [
    "0",
    "7",
    "-1",
    "300",
    "12.5",
    "-0.0",
    "-0",
    "1e5",
    "1.5E-300",
    "18446744073709551616",
];
const TEXTS: [&str; 7] = ["", "a", "N", "]}", "k", "smörgås", "a longer text of two dozen"];

impl Arbitrary for Document {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut maker = Maker { g, bytes: Vec::new() };
        let value = maker.value(4);
        Document {
            bytes: maker.bytes,
            value,
        }
    }
}

struct Maker<'a> {
    g: &'a mut Gen,
    bytes: Vec<u8>,
}

impl Maker<'_> {
    fn any<T: Arbitrary>(&mut self) -> T {
        T::arbitrary(self.g)
    }

    fn choose<T: Copy>(&mut self, choices: &[T]) -> T {
        *self.g.choose(choices).expect("a choice")
    }

    /// Fresh bytes of a number, and the same for whoever makes a value of them.
    fn number<const N: usize>(&mut self) -> [u8; N] {
        let bytes = [(); N].map(|()| self.any::<u8>());
        self.bytes.extend(bytes);
        bytes
    }

    fn no_ops(&mut self) {
        let count = [0, 0, 0, 0, 0, 1, 3][usize::from(self.any::<u8>()) % 7];
        self.bytes.extend([b'N'; 3].iter().take(count));
    }

    fn length(&mut self, length: usize) {
        let length = i8::try_from(length).expect("a short length");
        let marker = self.choose(b"iiiUUIlL");
        self.bytes.push(marker);
        match marker {
            b'I' => self.bytes.extend(i16::from(length).to_be_bytes()),
            b'l' => self.bytes.extend(i32::from(length).to_be_bytes()),
            b'L' => self.bytes.extend(i64::from(length).to_be_bytes()),
            _ => self.bytes.extend(length.to_be_bytes()),
        }
    }

    fn text(&mut self) -> String {
        let text = self.choose(&TEXTS);
        self.length(text.len());
        self.bytes.extend(text.as_bytes());
        text.to_owned()
    }

    fn marker(&mut self, depth: usize) -> u8 {
        self.choose(if depth == 0 { SCALARS } else { MARKERS })
    }

    /// A value with its marker, perhaps behind no-ops.
    fn value(&mut self, depth: usize) -> Doc {
        self.no_ops();
        let marker = self.marker(depth);
        self.bytes.push(marker);
        self.payload(marker, depth)
    }

    fn payload(&mut self, marker: u8, depth: usize) -> Doc {
        match marker {
            b'Z' => Doc::Null,
            b'T' | b'F' => Doc::Bool(marker == b'T'),
            b'i' => Doc::Int(i8::from_be_bytes(self.number()).into()),
            b'U' => Doc::Int(u8::from_be_bytes(self.number()).into()),
            b'I' => Doc::Int(i16::from_be_bytes(self.number()).into()),
            b'l' => Doc::Int(i32::from_be_bytes(self.number()).into()),
            b'L' => Doc::Int(i64::from_be_bytes(self.number()).into()),
            b'd' => Doc::Float(f32::from_be_bytes(self.number()).into()),
            b'D' => Doc::Float(f64::from_be_bytes(self.number())),
            b'C' => {
                let byte = self.any::<u8>() & 0x7f;
                self.bytes.push(byte);
                Doc::Text(char::from(byte).to_string())
            }
            b'S' => Doc::Text(self.text()),
            b'H' => {
                let number = self.choose(&NUMBERS);
                self.length(number.len());
                self.bytes.extend(number.as_bytes());
                Doc::from_number(number).expect("a number within range")
            }
            b'[' => Doc::Array(self.array(depth - 1)),
            _ => Doc::Object(self.object(depth - 1)),
        }
    }

    /// What follows an opening marker up to the elements: their type and their number, where the header gives them.
    fn header(&mut self, depth: usize) -> (Option<u8>, usize, bool) {
        let count = usize::from(self.any::<u8>()) % 4;
        let form = self.any::<u8>() % 3;
        let element_type = (form == 2).then(|| self.marker(depth));
        if let Some(marker) = element_type {
            self.bytes.extend([b'$', marker]);
        }
        if form > 0 {
            self.bytes.push(b'#');
            self.length(count);
        }
        (element_type, count, form == 0)
    }

    fn element(&mut self, element_type: Option<u8>, depth: usize) -> Doc {
        match element_type {
            Some(marker) => self.payload(marker, depth),
            None => self.value(depth),
        }
    }

    fn array(&mut self, depth: usize) -> Vec<Doc> {
        let (element_type, count, plain) = self.header(depth);
        let elements = (0..count).map(|_| self.element(element_type, depth)).collect();
        if plain {
            self.no_ops();
            self.bytes.push(b']');
        }
        elements
    }

    fn object(&mut self, depth: usize) -> BTreeMap<String, Doc> {
        let (element_type, count, plain) = self.header(depth);
        let mut members = BTreeMap::new();
        for _ in 0..count {
            self.no_ops();
            let key = self.text();
            members.insert(key, self.element(element_type, depth));
        }
        if plain {
            self.no_ops();
            self.bytes.push(b'}');
        }
        members
    }
}
