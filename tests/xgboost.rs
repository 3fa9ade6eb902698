//! Models that XGBoost saved, read into structs with nothing left out and written back. `tests/interop/run.py` has
//! XGBoost itself load what is written.
#![cfg(feature = "std")]

mod common;

#[allow(dead_code, reason = "shared with the adapter of tests/interop")]
#[path = "interop/src/model.rs"]
mod model;

use std::fs;
use std::path::{Path, PathBuf};

use ubjson::ErrorKind;

use common::vectors;
use model::{Model, config};

const PROJECT: &str = env!("CARGO_MANIFEST_DIR");

/// The models in tests/data, and those in `../shared` where that folder is.
fn models() -> Vec<PathBuf> {
    let mut models = Vec::new();
    for folder in [
        "tests/data/xgboost",
        "../shared/corpus/xgboost",
        "../shared/corpus/xgboost/old",
    ] {
        let Ok(entries) = fs::read_dir(Path::new(PROJECT).join(folder)) else {
            println!("{folder} is not here: its models are left out");
            continue;
        };
        let paths = entries.map(|entry| entry.unwrap().path());
        models.extend(paths.filter(|path| path.extension().is_some_and(|extension| extension == "ubj")));
    }
    assert!(models.len() >= 7);
    models
}

#[test]
fn models_come_back_byte_for_byte() {
    for path in models() {
        let bytes = fs::read(&path).unwrap();
        let model: Model = ubjson::from_slice(&bytes).unwrap();
        assert!(config().to_vec(&model).unwrap() == bytes, "{}", path.display());
        let mut written = Vec::new();
        config().to_writer(&mut written, &model).unwrap();
        assert!(written == bytes, "{} through a writer", path.display());
    }
}

#[test]
fn models_read_the_same_from_every_source() {
    for path in models() {
        let bytes = fs::read(&path).unwrap();
        let model: Model = ubjson::from_slice(&bytes).unwrap();
        assert!(
            ubjson::from_reader::<_, Model>(&bytes[..]).unwrap() == model,
            "{}",
            path.display()
        );
        let file = fs::File::open(&path).unwrap();
        assert!(
            ubjson::from_seekable::<_, Model>(file).unwrap() == model,
            "{}",
            path.display()
        );
    }
}

/// XGBoost saves the same booster in either format. The JSON comes by way of UBJSON: in some builds serde_json's numbers
/// do not read into the untagged enums of the model.
#[test]
fn models_are_equal_to_their_json() {
    let mut compared = 0;
    for path in models() {
        let Ok(json) = fs::read_to_string(path.with_extension("json")) else {
            continue;
        };
        let model: Model = ubjson::from_slice(&fs::read(&path).unwrap()).unwrap();
        let json = ubjson::to_vec(&vectors::parse(&json)).unwrap();
        assert!(
            ubjson::from_slice::<Model>(&json).unwrap() == model,
            "{}",
            path.display()
        );
        compared += 1;
    }
    assert!(compared >= 7);
}

#[test]
fn a_round_can_be_taken_off_until_none_is_left() {
    let path = Path::new(PROJECT).join("tests/data/xgboost/binary_logistic.ubj");
    let bytes = fs::read(path).unwrap();
    let mut model: Model = ubjson::from_slice(&bytes).unwrap();
    let mut byte_len = bytes.len();
    let mut rounds = 0;
    while model.drop_last_round().is_some() {
        let shorter = config().to_vec(&model).unwrap();
        assert!(shorter.len() < byte_len);
        assert!(ubjson::from_slice::<Model>(&shorter).unwrap() == model);
        byte_len = shorter.len();
        rounds += 1;
    }
    // As it was trained, by the text of `num_trees`.
    assert_eq!(rounds, 3);
}

/// Rewritings of one model, most of which XGBoost itself refuses. All that mean the same are the same here, and go back
/// to XGBoost in its own form.
#[test]
fn rewritten_models_are_read_and_set_right() {
    let folder = Path::new(PROJECT).join("../shared/corpus/xgboost");
    let Ok(index) = fs::read_to_string(folder.join("variants/index.json")) else {
        println!("{} is not here: no variants compared", folder.display());
        return;
    };
    let original = fs::read(folder.join("stump.ubj")).unwrap();
    let index: Vec<serde_json::Value> = serde_json::from_str(&index).unwrap();
    assert_eq!(index.len(), 65);
    let (mut refused, mut set_right) = (Vec::new(), 0);
    for file in index.iter().map(|variant| variant["file"].as_str().unwrap()) {
        match ubjson::from_slice::<Model>(&fs::read(folder.join("variants").join(file)).unwrap()) {
            Ok(model) => {
                assert!(config().to_vec(&model).unwrap() == original, "{file}");
                set_right += 1;
            }
            Err(error) => refused.push((&file[..2], error.kind())),
        }
    }
    let expected = [
        // A stray closing marker.
        ("20", ErrorKind::Length),
        // Booleans for numbers, floats for integers.
        ("39", ErrorKind::Data),
        ("46", ErrorKind::Data),
        ("47", ErrorKind::Data),
        // Unknown and duplicate keys.
        ("57", ErrorKind::Data),
        ("58", ErrorKind::Data),
        // Keys with a marker.
        ("59", ErrorKind::Length),
        // More behind the document.
        ("63", ErrorKind::Trailing),
        ("65", ErrorKind::Trailing),
        ("66", ErrorKind::Trailing),
        // Cut off.
        ("67", ErrorKind::Eof),
        ("68", ErrorKind::Eof),
    ];
    assert_eq!(refused, expected);
    assert_eq!(set_right, 65 - expected.len());
}
