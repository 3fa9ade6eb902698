//! Keeps results that were expensive to compute, between runs of a program on one machine.
//!
//! Why: this is what Python programs use `pickle` for, and loading a pickle runs whatever code its writer put there. Here a
//! file in the cache is data and nothing else: bytes that were damaged, or come from an older version of the
//! type, or from somebody else, give a value of the right type or an error, and an error is a reason to compute again.
//! UBJSON has no checksum: a flipped bit in a number is another number.
//!
//! ```text
//! cargo run --release --example object_cache [FOLDER]
//! ```

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

struct Cache {
    folder: PathBuf,
    hits: u32,
    misses: u32,
}

impl Cache {
    fn open(folder: impl Into<PathBuf>) -> io::Result<Self> {
        let folder = folder.into();
        fs::create_dir_all(&folder)?;
        Ok(Self {
            folder,
            hits: 0,
            misses: 0,
        })
    }

    /// The value stored under `name`, or else the one that `compute` gives, which is then stored.
    fn get_or_compute<T, F>(&mut self, name: &str, compute: F) -> io::Result<T>
    where
        T: Serialize + DeserializeOwned,
        F: FnOnce() -> T,
    {
        let path = self.path(name);
        match load(&path) {
            Ok(value) => {
                self.hits += 1;
                return Ok(value);
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => eprintln!("  {name}: {error}; computing it again"),
        }
        self.misses += 1;
        let value = compute();
        store(&path, &value)?;
        Ok(value)
    }

    /// One file for each name, whatever the name holds: all but letters, digits, `-` and `_` is escaped.
    fn path(&self, name: &str) -> PathBuf {
        let file_name: String = name
            .bytes()
            .map(|byte| match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => char::from(byte).to_string(),
                _ => format!("%{byte:02x}"),
            })
            .collect();
        self.folder.join(file_name + ".ubj")
    }
}

/// `from_slice` makes sure that the document is the whole file. `?` turns its errors into `io::Error`.
fn load<T: DeserializeOwned>(path: &Path) -> io::Result<T> {
    Ok(ubjson::from_slice(&fs::read(path)?)?)
}

/// Writes beside the old file and then takes its place, so that no reader ever sees half a document. The
/// process number keeps the unfinished files of several processes apart.
fn store<T: Serialize>(path: &Path, value: &T) -> io::Result<()> {
    let unfinished = path.with_extension(format!("{}.tmp", std::process::id()));
    let written = write_through(&unfinished, value).and_then(|()| fs::rename(&unfinished, path));
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&unfinished);
    }
    written
}

fn write_through<T: Serialize>(path: &Path, value: &T) -> io::Result<()> {
    let mut file = File::create(path)?;
    ubjson::to_writer(&mut file, value)?;
    // Else a power failure after the renaming could leave an empty file under the final name.
    file.sync_all()
}

/// What is worth keeping: the length of the Collatz sequence from each start below a limit, and the longest one.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Collatz {
    longest_start: u64,
    longest_steps: u32,
    steps: Vec<u32>,
}

fn collatz(limit: u64) -> Collatz {
    let mut result = Collatz {
        longest_start: 1,
        longest_steps: 0,
        steps: Vec::new(),
    };
    for start in 1..limit {
        let mut number = start;
        let mut steps = 0;
        while number != 1 {
            number = if number % 2 == 0 { number / 2 } else { 3 * number + 1 };
            steps += 1;
        }
        if steps > result.longest_steps {
            result.longest_start = start;
            result.longest_steps = steps;
        }
        result.steps.push(steps);
    }
    result
}

fn ask(cache: &mut Cache) -> io::Result<Collatz> {
    let (hits, before) = (cache.hits, Instant::now());
    let result = cache.get_or_compute("collatz/100000", || collatz(100_000))?;
    let outcome = if cache.hits > hits { "hit" } else { "miss" };
    let (start, steps) = (result.longest_start, result.longest_steps);
    println!(
        "{outcome:4} in {:?}: from {start} it takes {steps} steps",
        before.elapsed()
    );
    Ok(result)
}

fn main() -> io::Result<()> {
    let own = std::env::temp_dir().join(format!("ubjson-object-cache-{}", std::process::id()));
    let named = std::env::args_os().nth(1).map(PathBuf::from);
    let mut cache = Cache::open(named.as_ref().unwrap_or(&own))?;

    let first = ask(&mut cache)?;
    let again = ask(&mut cache)?;
    assert_eq!(first, again);

    // A file that lost its second half is noticed, and replaced.
    let path = cache.path("collatz/100000");
    let byte_len = fs::metadata(&path)?.len();
    File::options().write(true).open(&path)?.set_len(byte_len / 2)?;
    assert_eq!(first, ask(&mut cache)?);
    assert_eq!(first, ask(&mut cache)?);

    println!(
        "{} hits, {} misses, {byte_len} bytes in {}",
        cache.hits,
        cache.misses,
        path.display()
    );
    if named.is_none() {
        fs::remove_dir_all(own)?;
    }
    Ok(())
}
