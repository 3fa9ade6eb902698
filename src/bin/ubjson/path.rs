//! Places in a document, as JSON pointers (RFC 6901).

use std::fmt;

use ubjson::de::Read;
use ubjson::pull::{Reader, Token};

use crate::failure::{Failure, Outcome};

/// The way to the value that was read last.
#[derive(Debug, Default)]
pub(crate) struct Path {
    steps: Vec<Step>,
    /// Steps that were left, whose memory is used again.
    spare: Vec<Step>,
}

#[derive(Debug, Default)]
struct Step {
    is_object: bool,
    /// How many elements or entries have been begun.
    begun: u64,
    /// In an object: the last key.
    key: String,
}

impl Path {
    /// Follows a token.
    pub(crate) fn follow(&mut self, token: &Token<'_, '_>) {
        match token {
            Token::Key(_, key) => self.follow_key(key),
            Token::ArrayEnd | Token::ObjectEnd => self.spare.extend(self.steps.pop()),
            Token::Scalar(_) | Token::HighPrecision(..) | Token::String(_) => self.follow_elements(1),
            Token::Array(_) | Token::Object(_) => {
                self.follow_elements(1);
                let mut step = self.spare.pop().unwrap_or_default();
                step.is_object = matches!(token, Token::Object(_));
                step.begun = 0;
                self.steps.push(step);
            }
        }
    }

    fn follow_key(&mut self, text: &str) {
        if let Some(step) = self.steps.last_mut() {
            step.begun += 1;
            step.key.clear();
            step.key.push_str(text);
        }
    }

    /// Follows so many elements that come without tokens of their own, if they are an array's.
    pub(crate) fn follow_elements(&mut self, count: u64) {
        match self.steps.last_mut() {
            Some(step) if !step.is_object => step.begun += count,
            _ => {}
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in self.steps.iter().filter(|step| step.begun > 0) {
            match step.is_object {
                true => write!(f, "/{}", escape(&step.key))?,
                false => write!(f, "/{}", step.begun - 1)?,
            }
        }
        Ok(())
    }
}

/// A key as a pointer has it.
pub(crate) fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// A place to go to: keys and positions from the root.
#[derive(Clone, Debug)]
pub(crate) struct Pointer(Vec<String>);

impl std::str::FromStr for Pointer {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.is_empty() {
            return Ok(Self(Vec::new()));
        }
        let steps = text
            .strip_prefix('/')
            .ok_or("a path starts with `/`, as in /records/0/name; the empty path is the whole document")?;
        let unescape = |step: &str| step.replace("~1", "/").replace("~0", "~");
        Ok(Self(steps.split('/').map(unescape).collect()))
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|step| write!(f, "/{}", escape(step)))
    }
}

impl Pointer {
    /// Moves a reader, before a document, to where the value at this place is next; false if the
    /// document has none. Of duplicate keys the first counts.
    pub(crate) fn find<'de, R: Read<'de>>(&self, reader: &mut Reader<R>) -> ubjson::Result<bool> {
        for step in &self.0 {
            let Some(event) = reader.next_event()? else {
                return Ok(false);
            };
            let found = match event.token {
                Token::Object(_) => find_key(reader, step)?,
                Token::Array(_) => find_element(reader, step)?,
                _ => false,
            };
            if !found {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The failure that no document of the input `name` has a value here.
    pub(crate) fn missing(&self, name: &str) -> Failure {
        Failure::Missing(format!("{name}: no value at {self}"))
    }
}

fn find_key<'de, R: Read<'de>>(reader: &mut Reader<R>, name: &str) -> ubjson::Result<bool> {
    while let Some(event) = reader.next_event()? {
        match event.token {
            Token::Key(_, key) if key == *name => return Ok(true),
            Token::Key(..) => reader.skip_value()?,
            _ => return Ok(false),
        };
    }
    Ok(false)
}

/// Whether an element is there shows when it is read.
fn find_element<'de, R: Read<'de>>(reader: &mut Reader<R>, index: &str) -> ubjson::Result<bool> {
    // As RFC 6901 spells it: no sign, no leading zeros.
    let is_plain = index == "0" || !index.starts_with(['0', '+']);
    let Some(index) = index.parse::<u64>().ok().filter(|_| is_plain) else {
        return Ok(false);
    };
    for _ in 0..index {
        if !reader.skip_value()? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Refuses an input without any document.
pub(crate) fn require_documents(count: u64, name: &str) -> Outcome {
    match count {
        0 => Err(Failure::Data(format!("{name}: no document, only the end of the input"))),
        _ => Ok(()),
    }
}
