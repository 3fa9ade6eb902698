//! Writes an array of records to a file and reads it back, one record at a time in memory.
//!
//! Why: an array may be larger than memory. `begin_array` takes its elements as they come, and `elements` gives them out
//! one by one, on a bare file.
//!
//! ```text
//! cargo run --release --example air_quality -- [FILE] [RECORDS]
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use ubjson::{Deserializer, Serializer};

mod records;

use records::{Records, SEED};

fn write(path: &Path, count: u64) -> Result<u64, Box<dyn Error>> {
    let file = File::create(path)?;
    let mut serializer = Serializer::new(&file);
    // The count in front helps whoever reads from a socket.
    let mut array = serializer.begin_array(Some(usize::try_from(count)?))?;
    for record in Records::new(count, SEED) {
        array.push(&record)?;
    }
    array.finish()?;
    Ok(file.metadata()?.len())
}

/// What this program wants of each record; the other fields are passed over.
#[derive(Deserialize)]
struct Wanted {
    parameter: String,
    /// Null reads as NaN.
    value: f64,
    valid: bool,
}

/// The mean of the valid values of each parameter.
fn means(path: &Path) -> Result<BTreeMap<String, f64>, Box<dyn Error>> {
    let mut deserializer = Deserializer::from_seekable(File::open(path)?);
    let mut records = deserializer.elements::<Wanted>()?;
    let mut sums: BTreeMap<String, (f64, u32)> = BTreeMap::new();
    for record in records.by_ref() {
        let record = record?;
        if record.valid && record.value.is_finite() {
            let (sum, count) = sums.entry(record.parameter).or_default();
            *sum += record.value;
            *count += 1;
        }
    }
    records.finish()?;
    let mean = |(sum, count)| sum / f64::from(count);
    Ok(sums.into_iter().map(|(name, sum)| (name, mean(sum))).collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let path = arguments.next().map(PathBuf::from);
    let count = match arguments.next().and_then(|count| count.into_string().ok()) {
        Some(count) => count.parse()?,
        None => 4_700,
    };
    let is_temporary = path.is_none();
    let path = path.unwrap_or_else(|| std::env::temp_dir().join(format!("air-quality-{}.ubj", std::process::id())));

    println!("{count} records, {} bytes", write(&path, count)?);
    for (parameter, mean) in means(&path)? {
        println!("{parameter:>5} {mean:8.3}");
    }
    if is_temporary {
        std::fs::remove_file(path)?;
    }
    Ok(())
}
