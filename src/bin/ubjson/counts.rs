//! How many elements containers have, for writers that put it first.

use std::io;

use ubjson::pull::{Reader, Token};
use ubjson::{Serializer, de, ser};

use crate::failure::{Failure, Outcome};
use crate::walk::{Target, Walk};

/// Writes documents again with a count in front of every container; `config` says the rest.
///
/// For documents of this program, which are held in memory: counts stand before what they count.
pub(crate) fn write_counted(
    documents: &[u8],
    output: impl io::Write,
    output_name: &str,
    config: &ser::Config,
) -> Outcome {
    let reader = || {
        Reader::from(
            de::Config::new()
                .max_depth(usize::MAX)
                .deserializer_from_slice(documents),
        )
    };
    let failure = |error| Failure::writing(output_name, &error);
    let counts = Counts::of(reader()).map_err(failure)?;
    let walk = Walk::new(reader(), Target::Ubjson).with_counts(counts);
    let mut serializer = Serializer::with_config(output, config);
    while walk.next_document().map_err(failure)? {
        let written = walk.serialize_next(&mut serializer);
        written.map_err(|error| failure(error.into()))?;
    }
    Ok(())
}

/// Counts what is in each container.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    counts: Vec<usize>,
    /// Where the counts of the open containers stand, and whether they are arrays.
    open: Vec<(usize, bool)>,
}

impl Counts {
    /// The number of elements or entries of every container, in the order of their starts.
    fn of<'de, R: de::Read<'de>>(mut reader: Reader<R>) -> ubjson::Result<Vec<usize>> {
        let mut counts = Self::default();
        while reader.next_document()? {
            while let Some(event) = reader.next_event()? {
                counts.follow(&event.token);
            }
        }
        Ok(counts.finish())
    }

    /// Follows a token.
    pub(crate) fn follow(&mut self, token: &Token<'_, '_>) {
        match token {
            Token::Key(..) => self.add(1),
            Token::ArrayEnd | Token::ObjectEnd => drop(self.open.pop()),
            Token::Scalar(_) | Token::HighPrecision(..) | Token::String(_) => self.add_elements(1),
            Token::Array(_) | Token::Object(_) => {
                self.add_elements(1);
                self.open.push((self.counts.len(), matches!(token, Token::Array(_))));
                self.counts.push(0);
            }
        }
    }

    /// Follows so many elements that come without tokens of their own, if they are an array's.
    pub(crate) fn add_elements(&mut self, count: usize) {
        if let Some((_, true)) = self.open.last() {
            self.add(count);
        }
    }

    fn add(&mut self, count: usize) {
        if let Some((at, _)) = self.open.last() {
            self.counts[*at] += count;
        }
    }

    pub(crate) fn finish(self) -> Vec<usize> {
        self.counts
    }
}
