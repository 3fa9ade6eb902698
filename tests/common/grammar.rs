//! The grammar of draft 12 as a recogniser, written for the tests alone: where a value ends, or what is wrong with it
//! and where, and how many byte groups it is made of. It knows nothing of the crate it judges.

/// What is wrong; `kind` as the vectors name it, `offset` where the rules give one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fault {
    pub(crate) kind: &'static str,
    pub(crate) offset: Option<usize>,
}

/// A well-formed value at the start of some bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    /// The offset right behind it.
    pub(crate) end: usize,
    /// Markers, length markers, numbers and payloads: what a naive exact reader asks for one by one.
    pub(crate) groups: u64,
}

const MAX_DEPTH: usize = 128;
const MAX_EMPTY_ELEMENTS: u64 = 1_048_576;

/// Recognises the value at the start of `bytes`.
pub(crate) fn value(bytes: &[u8]) -> Result<Extent, Fault> {
    let mut scan = Scan {
        bytes,
        at: 0,
        groups: 0,
        depth: 0,
        empty_elements: 0,
    };
    scan.marked_value()?;
    Ok(Extent {
        end: scan.at,
        groups: scan.groups,
    })
}

/// Recognises `bytes` as one value with nothing but no-ops behind it.
pub(crate) fn document(bytes: &[u8]) -> Result<(), Fault> {
    let end = value(bytes)?.end;
    match bytes[end..].iter().position(|&byte| byte != b'N') {
        None => Ok(()),
        Some(after) => Err(Fault {
            kind: "trailing",
            offset: Some(end + after),
        }),
    }
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    groups: u64,
    depth: usize,
    empty_elements: u64,
}

type Step<T = ()> = Result<T, Fault>;

fn fault<T>(kind: &'static str, offset: usize) -> Step<T> {
    Err(Fault {
        kind,
        offset: Some(offset),
    })
}

impl<'a> Scan<'a> {
    fn take(&mut self, byte_len: u64) -> Step<&'a [u8]> {
        let rest = &self.bytes[self.at..];
        let Some(group) = usize::try_from(byte_len).ok().and_then(|len| rest.get(..len)) else {
            return fault("eof", self.bytes.len());
        };
        self.at += group.len();
        self.groups += u64::from(!group.is_empty());
        Ok(group)
    }

    fn byte(&mut self) -> Step<u8> {
        Ok(self.take(1)?[0])
    }

    fn peek(&self) -> Step<u8> {
        self.bytes
            .get(self.at)
            .map_or_else(|| fault("eof", self.bytes.len()), |&byte| Ok(byte))
    }

    fn skip_no_ops(&mut self) -> Step {
        while self.peek()? == b'N' {
            self.byte()?;
        }
        Ok(())
    }

    fn marked_value(&mut self) -> Step {
        self.skip_no_ops()?;
        let marker = self.byte()?;
        self.payload(marker).unwrap_or_else(|| fault("marker", self.at - 1))
    }

    /// What follows a marker, or `None` when the byte is no value's marker.
    fn payload(&mut self, marker: u8) -> Option<Step> {
        Some(match marker {
            b'Z' | b'T' | b'F' => Ok(()),
            b'i' | b'U' => self.take(1).map(drop),
            b'I' => self.take(2).map(drop),
            b'l' | b'd' => self.take(4).map(drop),
            b'L' | b'D' => self.take(8).map(drop),
            b'C' => self.char(),
            b'S' => self.text(),
            b'H' => self.number(),
            b'[' => self.nested(Self::array),
            b'{' => self.nested(Self::object),
            _ => return None,
        })
    }

    fn char(&mut self) -> Step {
        if self.byte()? > 127 {
            fault("char", self.at - 1)
        } else {
            Ok(())
        }
    }

    fn length(&mut self) -> Step<u64> {
        let start = self.at;
        let number: i64 = match self.byte()? {
            b'i' => i8::from_be_bytes(self.array_of()?).into(),
            b'U' => u8::from_be_bytes(self.array_of()?).into(),
            b'I' => i16::from_be_bytes(self.array_of()?).into(),
            b'l' => i32::from_be_bytes(self.array_of()?).into(),
            b'L' => i64::from_be_bytes(self.array_of()?),
            _ => return fault("length", start),
        };
        u64::try_from(number).or_else(|_| fault("length", start))
    }

    fn array_of<const N: usize>(&mut self) -> Step<[u8; N]> {
        Ok(self.take(N as u64)?.try_into().expect("N bytes"))
    }

    fn text(&mut self) -> Step {
        let byte_len = self.length()?;
        let start = self.at;
        match std::str::from_utf8(self.take(byte_len)?) {
            Ok(_) => Ok(()),
            Err(_) => fault("utf8", start),
        }
    }

    fn number(&mut self) -> Step {
        let byte_len = self.length()?;
        let start = self.at;
        let text = self.take(byte_len)?;
        if text.is_empty() {
            return Err(Fault {
                kind: "number",
                offset: None,
            });
        }
        if is_json_number(text) {
            Ok(())
        } else {
            fault("number", start)
        }
    }

    fn nested(&mut self, container: fn(&mut Self) -> Step) -> Step {
        if self.depth == MAX_DEPTH {
            return Err(Fault {
                kind: "depth",
                offset: None,
            });
        }
        self.depth += 1;
        container(self)?;
        self.depth -= 1;
        Ok(())
    }

    /// The element type and count that may follow an opening marker.
    fn header(&mut self) -> Step<(Option<u8>, Option<u64>)> {
        let mut element_type = None;
        if self.peek()? == b'$' {
            self.byte()?;
            let marker = self.byte()?;
            if !b"ZTFiUIlLdDCSH[{".contains(&marker) {
                return fault("container-header", self.at - 1);
            }
            if self.peek()? != b'#' {
                return fault("container-header", self.at);
            }
            element_type = Some(marker);
        }
        let mut count = None;
        if self.peek()? == b'#' {
            self.byte()?;
            count = Some(self.length()?);
        }
        Ok((element_type, count))
    }

    fn array(&mut self) -> Step {
        let (element_type, count) = self.header()?;
        let Some(count) = count else {
            return self.until(b']', Self::marked_value);
        };
        for _ in 0..count {
            self.element(element_type)?;
        }
        Ok(())
    }

    fn object(&mut self) -> Step {
        let (element_type, count) = self.header()?;
        let Some(count) = count else {
            return self.until(b'}', |scan| {
                scan.text()?;
                scan.marked_value()
            });
        };
        for _ in 0..count {
            self.skip_no_ops()?;
            self.text()?;
            self.element(element_type)?;
        }
        Ok(())
    }

    fn until(&mut self, end: u8, item: fn(&mut Self) -> Step) -> Step {
        loop {
            self.skip_no_ops()?;
            if self.peek()? == end {
                return self.byte().map(drop);
            }
            item(self)?;
        }
    }

    fn element(&mut self, element_type: Option<u8>) -> Step {
        let Some(marker) = element_type else {
            return self.marked_value();
        };
        if matches!(marker, b'Z' | b'T' | b'F') {
            self.empty_elements += 1;
            if self.empty_elements > MAX_EMPTY_ELEMENTS {
                return Err(Fault {
                    kind: "budget",
                    offset: None,
                });
            }
        }
        self.payload(marker)
            .unwrap_or_else(|| fault("container-header", self.at))
    }
}

/// RFC 8259, section 6.
fn is_json_number(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"-").unwrap_or(text);
    let (int, rest) = digits(text);
    if int == 0 || (int > 1 && text[0] == b'0') {
        return false;
    }
    let Some(rest) = part(rest, b".", b"") else {
        return false;
    };
    let Some(rest) = part(rest, b"eE", b"+-") else {
        return false;
    };
    rest.is_empty()
}

/// Number of leading digits, and what follows them.
fn digits(text: &[u8]) -> (usize, &[u8]) {
    let len = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (len, &text[len..])
}

/// An optional part of a number: one byte of `start`, perhaps one of `signs`, digits. `None` when it is begun and broken.
fn part<'a>(text: &'a [u8], start: &[u8], signs: &[u8]) -> Option<&'a [u8]> {
    let Some((_, rest)) = text.split_first().filter(|(first, _)| start.contains(first)) else {
        return Some(text);
    };
    let rest = rest
        .split_first()
        .filter(|(sign, _)| signs.contains(sign))
        .map_or(rest, |(_, rest)| rest);
    let (len, rest) = digits(rest);
    (len > 0).then_some(rest)
}
