//! Changes an `xgboost` model without a type for it, and without that library.
//!
//! Why: a file whose format is not ours to define is best changed as what it is. `Value` keeps every width, the order of
//! keys and the packed arrays, so with the options that XGBoost's reader insists on, all that is not touched is written
//! as it was, byte for byte.
//!
//! ```text
//! cargo run --example edit_model [MODEL.ubj [OUT.ubj]]
//! ```
//!
//! The leaves of every tree are scaled by a half (as if the learning rate had been half of what it was), and an
//! attribute says so. Without OUT.ubj nothing is saved.

use std::error::Error;
use std::{env, fs};

use ubjson::Value;
use ubjson::ser::{Config, Containers, Integers, Lengths};
use ubjson::value::Numbers;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/xgboost/binary_logistic.ubj");
/// Where the trees are: in plain boosters, and in DART.
const TREES: [&str; 2] = [
    "/learner/gradient_booster/model/trees",
    "/learner/gradient_booster/gbtree/model/trees",
];

/// What XGBoost reads: all lengths and counts as int64, arrays counted, objects not, numbers in the widths that they have.
fn xgboost() -> Config {
    Config::new()
        .containers(Containers::CountedArrays)
        .lengths(Lengths::Int64)
        .counts(Lengths::Int64)
        .integers(Integers::Declared)
}

/// Scales the leaves of a tree and counts them. A node is a leaf if it has no left child; its value stands among the
/// thresholds of the splits.
fn scale_leaves(tree: &mut Value, factor: f32) -> Option<usize> {
    let is_leaf: Vec<bool> = match tree.get("left_children")?.as_packed()?.numbers() {
        Numbers::Int32(children) => children.iter().map(|child| *child == -1).collect(),
        _ => return None,
    };
    for key in ["split_conditions", "base_weights"] {
        // The numbers are changed where they are; the array stays packed.
        let Numbers::Float32(values) = tree.get_mut(key)?.as_packed_mut()?.numbers_mut() else {
            return None;
        };
        for (value, _) in values.iter_mut().zip(&is_leaf).filter(|(_, is_leaf)| **is_leaf) {
            *value *= factor;
        }
    }
    Some(is_leaf.into_iter().filter(|is_leaf| *is_leaf).count())
}

fn edit(model: &mut Value) -> Result<(usize, usize), &'static str> {
    let place = TREES.into_iter().find(|place| model.pointer(place).is_some());
    let trees = place.and_then(|place| model.pointer_mut(place)?.as_array_mut());
    let trees = trees.ok_or("the model has no trees")?;
    let mut leaves = 0;
    for tree in trees.iter_mut() {
        leaves += scale_leaves(tree, 0.5).ok_or("a tree lacks an array, or has one of another type")?;
    }
    let count = trees.len();
    // A new key, or a new value for it.
    model["learner"]["attributes"]["edited"] = "leaves scaled by 0.5".into();
    Ok((count, leaves))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| SAMPLE.to_owned());
    let bytes = fs::read(&path)?;
    let mut model: Value = ubjson::from_slice(&bytes)?;
    if xgboost().to_vec(&model)? != bytes {
        println!("not as XGBoost writes it; lengths and counts will be");
    }

    let (trees, leaves) = edit(&mut model)?;
    let edited = xgboost().to_vec(&model)?;
    println!("{path}: {leaves} leaves of {trees} trees scaled");
    println!("attributes: {:#}", model["learner"]["attributes"]);
    println!("{} bytes, and {} before", edited.len(), bytes.len());

    if let Some(path) = arguments.next() {
        fs::write(path, edited)?;
    }
    Ok(())
}
