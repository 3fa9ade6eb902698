//! Runs a target on every file of a folder, and on random changes of them: for machines where libFuzzer does not run.
//!
//! `replay TARGET FOLDER SECONDS`; what fails is named with its bytes, in hexadecimal.

use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, fs, io, panic};

#[path = "../../common/random.rs"]
mod random;

use random::Random;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [target, folder, seconds] = arguments.as_slice() else {
        panic!("replay TARGET FOLDER SECONDS");
    };
    let seconds = Duration::from_secs(seconds.parse().expect("a number of seconds"));
    let inputs = read_all(Path::new(folder))?;
    let mut runs = 0_u64;
    let mut failures = 0;
    let mut run = |input: &[u8]| {
        runs += 1;
        if panic::catch_unwind(|| ubjson_fuzz::run(target, input)).is_err() {
            failures += 1;
            let digits: String = input.iter().map(|byte| format!("{byte:02x}")).collect();
            println!("FAILED {target} {digits}");
        }
        failures < 40
    };
    let start = Instant::now();
    for input in &inputs {
        if !run(input) {
            break;
        }
    }
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    while start.elapsed() < seconds {
        let mut input = inputs[random.below(inputs.len())].clone();
        for _ in 0..=random.below(4) {
            change(&mut input, &inputs, &mut random);
        }
        if !run(&input) {
            break;
        }
    }
    println!(
        "{target}: {runs} runs in {} s, {failures} failed",
        start.elapsed().as_secs()
    );
    Ok(())
}

fn read_all(folder: &Path) -> io::Result<Vec<Vec<u8>>> {
    let mut inputs = Vec::new();
    for entry in fs::read_dir(folder)? {
        inputs.push(fs::read(entry?.path())?);
    }
    Ok(inputs)
}

/// The bytes that mean something.
const LETTERS: &[u8] = b"ZNTFiUIlLdDHCS[]{}$#";

fn change(input: &mut Vec<u8>, inputs: &[Vec<u8>], random: &mut Random) {
    let at = random.below(input.len() + 1);
    match random.below(7) {
        0 => input.truncate(at),
        1 => input.insert(at, LETTERS[random.below(LETTERS.len())]),
        2 => input.insert(at, u8::try_from(random.below(256)).expect("a byte")),
        3 if at < input.len() => input[at] = LETTERS[random.below(LETTERS.len())],
        4 if at < input.len() => input[at] ^= 1 << random.below(8),
        5 if at < input.len() => drop(input.remove(at)),
        _ => {
            let other = &inputs[random.below(inputs.len())];
            let start = random.below(other.len() + 1);
            let end = other.len().min(start + random.below(64));
            input.splice(at..at, other[start..end].iter().copied());
        }
    }
}
