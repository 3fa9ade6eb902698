//! Writes the first inputs of every target to `corpus/` of the folder it is given: the vectors, the reported cases, the
//! small files of tests/data and, where it is there, of ../shared/corpus, and the inputs of tests/fuzz/finds.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::Path;
use std::{env, fs, io};

/// Longer inputs make a fuzzer slow and find no more.
const MAX_LEN: u64 = 4096;

const TARGETS: [&str; 7] = [
    "sources_agree",
    "views_agree",
    "splits_agree",
    "round_trip",
    "typed_round_trip",
    "typed_decode",
    "cli_check",
];

fn main() -> io::Result<()> {
    let root = env::args().nth(1).expect("the folder of the fuzz package");
    let root = Path::new(&root);
    let tests = root.join("..");
    let mut inputs = Vec::new();
    for file in ["decode.json", "encode.json", "reports.jsonl"] {
        hexadecimal(&fs::read_to_string(tests.join("vectors").join(file))?, &mut inputs);
    }
    for folder in [
        tests.join("data"),
        root.join("finds"),
        tests.join("../../shared/corpus"),
    ] {
        small_files(&folder, &mut inputs)?;
    }
    for target in TARGETS {
        let folder = root.join("corpus").join(target);
        fs::create_dir_all(&folder)?;
        for input in &inputs {
            let mut hasher = DefaultHasher::new();
            input.hash(&mut hasher);
            fs::write(folder.join(format!("seed-{:016x}", hasher.finish())), input)?;
        }
    }
    println!("{} inputs for each of {} targets", inputs.len(), TARGETS.len());
    Ok(())
}

/// The values of all `"hex": "..."` in a JSON text.
fn hexadecimal(text: &str, inputs: &mut Vec<Vec<u8>>) {
    for part in text.split("\"hex\"").skip(1) {
        let Some(digits) = part.split('"').nth(1) else { continue };
        let byte = |at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
        let bytes: Option<Vec<u8>> = (0..digits.len()).step_by(2).map(byte).collect();
        inputs.extend(bytes.filter(|bytes| bytes.len() as u64 <= MAX_LEN));
    }
}

fn small_files(folder: &Path, inputs: &mut Vec<Vec<u8>>) -> io::Result<()> {
    let Ok(entries) = fs::read_dir(folder) else {
        println!("{} is not here", folder.display());
        return Ok(());
    };
    for entry in entries {
        let entry = entry?;
        match entry.metadata()? {
            file if file.is_file() && file.len() <= MAX_LEN => inputs.push(fs::read(entry.path())?),
            file if file.is_dir() => small_files(&entry.path(), inputs)?,
            _ => {}
        }
    }
    Ok(())
}
