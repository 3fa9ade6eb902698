//! Bytes by key: by the place of values, with all elements of an array as one place.

use std::collections::HashMap;
use std::io::{self, Write};

use ubjson::pull::Token;

use super::{print_heading, print_row};
use crate::output::Console;
use crate::path::escape;

/// An object with more different keys than this is taken for a table, whose keys are one place.
const MAX_KEYS: usize = 1000;

/// What stands for any element or key in a path.
const ANY: &str = "*";

/// A tree of places.
#[derive(Debug, Default)]
pub(super) struct Keys {
    places: Vec<Place>,
    /// The places of the open values, and where they start, with their keys.
    open: Vec<(usize, u64)>,
    /// The same of the value that is next, if its key has been read.
    key: Option<(usize, u64)>,
}

#[derive(Debug)]
struct Place {
    path: String,
    count: u64,
    byte_len: u64,
    children: HashMap<String, usize>,
}

impl Keys {
    pub(super) fn follow(&mut self, token: &Token<'_, '_>, start: u64) {
        match token {
            Token::ArrayEnd | Token::ObjectEnd => {}
            Token::Key(_, key) => {
                let place = self.child_of_innermost(key);
                self.key = Some((place, start));
            }
            _ => {
                let from_key = self.key.take();
                let open = from_key.unwrap_or_else(|| (self.child_of_innermost(ANY), start));
                self.open.push(open);
            }
        }
    }

    /// The last value that is open ends.
    pub(super) fn end_value(&mut self, end: u64) {
        if let Some((place, start)) = self.open.pop() {
            self.add(place, 1, end - start);
        }
    }

    /// Elements that come without tokens of their own.
    pub(super) fn add_elements(&mut self, count: u64, byte_len: u64) {
        let place = self.child_of_innermost(ANY);
        self.add(place, count, byte_len);
    }

    fn add(&mut self, place: usize, count: u64, byte_len: u64) {
        let place = &mut self.places[place];
        place.count += count;
        place.byte_len += byte_len;
    }

    /// The place of a value in the innermost open container, or of a document.
    fn child_of_innermost(&mut self, key: &str) -> usize {
        match self.open.last() {
            Some((container, _)) => self.child(*container, key),
            None => {
                if self.places.is_empty() {
                    self.places.push(Place::new(String::new()));
                }
                0
            }
        }
    }

    fn child(&mut self, parent: usize, key: &str) -> usize {
        let siblings = &self.places[parent].children;
        if let Some(child) = siblings.get(key) {
            return *child;
        }
        if siblings.len() >= MAX_KEYS && key != ANY {
            return self.child(parent, ANY);
        }
        let child = self.places.len();
        let path = format!("{}/{}", self.places[parent].path, escape(key));
        self.places.push(Place::new(path));
        self.places[parent].children.insert(key.to_owned(), child);
        child
    }

    pub(super) fn print(&self, out: &mut Console, total: u64, top: usize) -> io::Result<()> {
        let mut places: Vec<_> = self.places.iter().skip(1).collect();
        places.sort_by(|a, b| b.byte_len.cmp(&a.byte_len).then_with(|| a.path.cmp(&b.path)));
        if places.is_empty() || top == 0 {
            return Ok(());
        }
        print_heading(out, "key, with all that is in it")?;
        for place in places.iter().take(top) {
            print_row(out, place.byte_len, total, place.count, &place.path)?;
        }
        if let Some(more @ 1..) = places.len().checked_sub(top) {
            writeln!(out, "and {more} more")?;
        }
        Ok(())
    }
}

impl Place {
    fn new(path: String) -> Self {
        Self {
            path,
            count: 0,
            byte_len: 0,
            children: HashMap::new(),
        }
    }
}
