//! What peppi finds in each replay named on the command line: one line of JSON a file, which is an error's text where
//! it refuses the file.

use std::fs::File;
use std::io::{self, BufReader};

use peppi::game::Game as _;
use peppi::io::slippi;
use serde_json::{Value, json};

fn describe(path: &str) -> io::Result<Value> {
    let game = slippi::read(BufReader::new(File::open(path)?), None).map_err(io::Error::other)?;
    let frames = game.len();
    let last = frames.checked_sub(1).map(|last| format!("{:?}", game.frame(last)));
    Ok(json!({
        "start": game.start,
        "end": game.end,
        "metadata": game.metadata,
        "frames": frames,
        "last frame": last,
    }))
}

fn main() {
    for path in std::env::args().skip(1) {
        println!("{}", describe(&path).unwrap_or_else(|error| error.to_string().into()));
    }
}
