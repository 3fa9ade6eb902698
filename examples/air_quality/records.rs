//! Records like those of an air quality network, made from a seed.
//!
//! Integer arithmetic alone decides their content (splitmix64), so that every machine, and every language, makes the same
//! ones. 290,000 of them take some 62 MB.

#![allow(dead_code, reason = "the example, the benches and the tests each use their own part")]

use serde::{Deserialize, Serialize};

pub(crate) const SEED: u64 = 2019;

/// A record as it is written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Record {
    pub(crate) id: u64,
    pub(crate) station: String,
    pub(crate) city: &'static str,
    pub(crate) country: &'static str,
    pub(crate) utc: String,
    pub(crate) parameter: &'static str,
    pub(crate) value: Option<Value>,
    pub(crate) unit: &'static str,
    pub(crate) averaging: u8,
    pub(crate) coordinates: Coordinates,
    pub(crate) valid: bool,
    pub(crate) flags: Vec<&'static str>,
}

/// Some instruments count, the others measure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum Value {
    Count(i64),
    Decimal(f64),
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Coordinates {
    pub(crate) lat: f64,
    pub(crate) lon: f64,
}

/// The same record as it is read.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub(crate) struct Measurement {
    pub(crate) id: u64,
    pub(crate) station: String,
    pub(crate) city: String,
    pub(crate) country: String,
    pub(crate) utc: String,
    pub(crate) parameter: String,
    pub(crate) value: Option<f64>,
    pub(crate) unit: String,
    pub(crate) averaging: u8,
    pub(crate) coordinates: Coordinates,
    pub(crate) valid: bool,
    pub(crate) flags: Vec<String>,
}

struct City {
    name: &'static str,
    country: &'static str,
    /// In units of 1e-5 degrees.
    lat: i64,
    lon: i64,
}

const fn city(name: &'static str, country: &'static str, lat: i64, lon: i64) -> City {
    City {
        name,
        country,
        lat,
        lon,
    }
}

const CITIES: [City; 14] = [
    city("Antwerpen", "BE", 5_120_966, 443_182),
    city("Łódź", "PL", 5_175_925, 1_945_598),
    city("Zürich", "CH", 4_737_689, 854_169),
    city("München", "DE", 4_813_743, 1_157_549),
    city("Málaga", "ES", 3_672_127, -442_140),
    city("Tromsø", "NO", 6_964_921, 1_895_532),
    city("Αθήνα", "GR", 3_798_381, 2_372_754),
    city("北京", "CN", 3_990_750, 11_639_723),
    city("São Paulo", "BR", -2_355_052, -4_663_331),
    city("Kraków", "PL", 5_006_465, 1_994_498),
    city("Oslo", "NO", 5_991_387, 1_075_225),
    city("London", "GB", 5_150_735, -12_776),
    city("Delhi", "IN", 2_861_394, 7_720_902),
    city("Sydney", "AU", -3_386_882, 15_120_930),
];

/// A pollutant, its unit, the decimal places it is measured with, and the values it stays below.
const PARAMETERS: [(&str, &str, u32, u64); 7] = [
    ("pm25", "µg/m³", 1, 900),
    ("pm10", "µg/m³", 1, 1_500),
    ("no2", "µg/m³", 2, 18_000),
    ("o3", "ppm", 4, 1_800),
    ("so2", "µg/m³", 1, 400),
    ("co", "mg/m³", 3, 4_200),
    ("bc", "µg/m³", 2, 700),
];

const FLAGS: [&str; 6] = [
    "valid",
    "calibrated",
    "suspect",
    "below-detection",
    "maintenance",
    "interpolated",
];

const STATIONS: u64 = 420;

/// All records, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Records {
    state: u64,
    next_id: u64,
    count: u64,
}

impl Records {
    pub(crate) fn new(count: u64, seed: u64) -> Self {
        Records {
            state: seed,
            next_id: 0,
            count,
        }
    }

    /// The next number of splitmix64.
    fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.draw() % limit
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }

    fn value(&mut self, quality: u64, places: u32, top: u64) -> Option<Value> {
        let scale = 10_i64.pow(places);
        match quality {
            0..15 => None,
            15..60 => Some(Value::Count(self.below(top) as i64 / scale)),
            _ => {
                let drift = if quality > 990 { 7 } else { 0 };
                let value = self.below(top) as i64 - drift;
                // The quotient of two integers is the decimal fraction's nearest double.
                Some(Value::Decimal(value as f64 / scale as f64))
            }
        }
    }

    fn flags(&mut self) -> Vec<&'static str> {
        match self.below(100) {
            0..55 => Vec::new(),
            55..85 => vec![self.pick(&FLAGS)],
            _ => vec![self.pick(&FLAGS[..3]), self.pick(&FLAGS[3..])],
        }
    }

    fn record(&mut self, id: u64) -> Record {
        let station = self.below(STATIONS);
        let city = &CITIES[(station % CITIES.len() as u64) as usize];
        let (parameter, unit, places, top) = self.pick(&PARAMETERS);
        let quality = self.below(1000);
        let value = self.value(quality, places, top);
        let flags = self.flags();
        let utc = timestamp(id / STATIONS, self.below(4) * 15);
        let offset = |factor: u64| (station * factor % 9000) as i64 - 4500;
        Record {
            id,
            station: format!("{}{station:04}", city.country),
            city: city.name,
            country: city.country,
            utc,
            parameter,
            value,
            unit,
            averaging: self.pick(&[1, 8, 24]),
            coordinates: Coordinates {
                lat: (city.lat + offset(37)) as f64 / 1e5,
                lon: (city.lon + offset(53)) as f64 / 1e5,
            },
            valid: quality >= 60,
            flags,
        }
    }
}

impl Iterator for Records {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        if self.next_id == self.count {
            return None;
        }
        self.next_id += 1;
        Some(self.record(self.next_id - 1))
    }
}

/// A time in 2019, given in hours and minutes from its start.
fn timestamp(hour: u64, minute: u64) -> String {
    const DAYS: [u64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut day = hour / 24 % 365;
    let mut month = 0;
    while day >= DAYS[month] {
        day -= DAYS[month];
        month += 1;
    }
    format!("2019-{:02}-{:02}T{:02}:{minute:02}:00Z", month + 1, day + 1, hour % 24)
}
