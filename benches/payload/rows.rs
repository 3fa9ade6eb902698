//! Rows of nested records, the payload of the pickle-versus-JSON round-trip lab.

use serde::{Deserialize, Serialize};

use super::random::Random;

/// The lab's three sizes, in rows.
pub const TINY: usize = 10;
pub const SMALL: usize = 100;
pub const MEDIUM: usize = 1_000;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub id: u32,
    pub name: String,
    pub active: bool,
    pub score: f64,
    pub tags: Vec<String>,
    pub owner: Owner,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Owner {
    pub age: u8,
    pub city: String,
    pub team: Option<u32>,
}

/// The same row, its text borrowed from the document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RowRef<'a> {
    pub id: u32,
    pub name: &'a str,
    pub active: bool,
    pub score: f64,
    #[serde(borrow)]
    pub tags: Vec<&'a str>,
    #[serde(borrow)]
    pub owner: OwnerRef<'a>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OwnerRef<'a> {
    pub age: u8,
    pub city: &'a str,
    pub team: Option<u32>,
}

impl Row {
    fn generate(id: u32, random: &mut Random) -> Self {
        const TAGS: [&str; 6] = ["new", "vip", "beta", "staff", "trial", "eu"];
        const CITIES: [&str; 6] = ["Lima", "Oslo", "Quito", "Lisbon", "Nairobi", "Sapporo"];
        Self {
            id,
            name: format!("user{id:04}"),
            active: !random.one_in(4),
            score: random.cents(100),
            tags: (0..1 + random.below(2))
                .map(|_| random.pick(&TAGS).to_owned())
                .collect(),
            owner: Owner {
                age: 18 + random.below(60) as u8,
                city: random.pick(&CITIES).to_owned(),
                team: random.one_in(2).then(|| random.below(1_000)),
            },
        }
    }

    pub fn borrow(&self) -> RowRef<'_> {
        RowRef {
            id: self.id,
            name: &self.name,
            active: self.active,
            score: self.score,
            tags: self.tags.iter().map(String::as_str).collect(),
            owner: OwnerRef {
                age: self.owner.age,
                city: &self.owner.city,
                team: self.owner.team,
            },
        }
    }
}

pub fn generate(count: usize) -> Vec<Row> {
    let mut random = Random::new(0x0001);
    (0..count as u32).map(|id| Row::generate(id, &mut random)).collect()
}

pub fn borrow(rows: &[Row]) -> Vec<RowRef<'_>> {
    rows.iter().map(Row::borrow).collect()
}
