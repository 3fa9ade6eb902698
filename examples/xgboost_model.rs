//! Looks into `xgboost` models without that library.
//!
//! Why: `booster.save_model("model.ubj")` writes UBJSON. Derived structs are all it takes to read one: packed arrays
//! become plain vectors, names are borrowed from the file's bytes, and what no field asks for is skipped.
//!
//! ```text
//! cargo run --release --example xgboost_model [MODEL.ubj ...]
//! ```

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::error::Error;
use std::process::ExitCode;

use serde::{Deserialize, Deserializer, de};

const SAMPLE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/data/xgboost/reg_names_types_attrs.ubj"
);

#[derive(Deserialize)]
struct Model<'a> {
    #[serde(borrow)]
    learner: Learner<'a>,
    version: Vec<u32>,
}

#[derive(Deserialize)]
struct Learner<'a> {
    #[serde(borrow)]
    attributes: BTreeMap<&'a str, &'a str>,
    #[serde(borrow, default)]
    feature_names: Vec<&'a str>,
    #[serde(borrow)]
    gradient_booster: Booster<'a>,
    #[serde(borrow, rename = "learner_model_param")]
    param: ModelParam<'a>,
    #[serde(borrow)]
    objective: Objective<'a>,
}

/// The name tells the kind of booster, but keys are sorted and it comes last: an enum with `#[serde(tag = "name")]`
/// would hold every tree in a buffer until then. Optional parts read straight through.
#[derive(Deserialize)]
struct Booster<'a> {
    name: &'a str,
    /// In `gbtree` and `gblinear`.
    model: Option<Ensemble>,
    /// In `dart`, around which `weight_drop` gives each tree its weight.
    #[serde(borrow)]
    gbtree: Option<Box<Booster<'a>>>,
    #[serde(default)]
    weight_drop: Vec<f32>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Ensemble {
    trees: Vec<Tree>,
    /// Of `gblinear`: one for each feature and group, then the biases.
    weights: Vec<f32>,
}

/// Node `i` of a tree is entry `i` of each array; a leaf has no children, which is written as -1.
#[derive(Deserialize)]
struct Tree {
    left_children: Vec<i32>,
    right_children: Vec<i32>,
    split_indices: Vec<usize>,
    loss_changes: Vec<f32>,
}

/// These numbers are text in the file.
#[derive(Deserialize)]
struct ModelParam<'a> {
    base_score: &'a str,
    #[serde(deserialize_with = "number_from_text")]
    num_class: usize,
    #[serde(deserialize_with = "number_from_text")]
    num_feature: usize,
}

#[derive(Deserialize)]
struct Objective<'a> {
    name: &'a str,
}

fn number_from_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    <&str>::deserialize(deserializer)?.parse().map_err(de::Error::custom)
}

/// What the trees of a model amount to.
#[derive(Default)]
struct Forest {
    nodes: usize,
    leaves: usize,
    depth: usize,
    /// Splits and their total gain, by feature.
    usage: BTreeMap<usize, (usize, f32)>,
}

impl Forest {
    /// Walks a tree from its root; nodes that were pruned away are not reached. The file may come from anyone: `None`
    /// if a node is missing from an array or has two parents.
    fn add(&mut self, tree: &Tree) -> Option<()> {
        let mut unseen = vec![true; tree.left_children.len()];
        let mut pending = vec![(0, 0)];
        while let Some((node, depth)) = pending.pop() {
            std::mem::take(unseen.get_mut(node)?).then_some(())?;
            self.nodes += 1;
            self.depth = self.depth.max(depth);
            let left = usize::try_from(*tree.left_children.get(node)?);
            let right = usize::try_from(*tree.right_children.get(node)?);
            if let (Ok(left), Ok(right)) = (left, right) {
                let feature = *tree.split_indices.get(node)?;
                let (splits, gain) = self.usage.entry(feature).or_default();
                *splits += 1;
                *gain += tree.loss_changes.get(node)?;
                pending.extend([(left, depth + 1), (right, depth + 1)]);
            } else {
                self.leaves += 1;
            }
        }
        Some(())
    }
}

impl Learner<'_> {
    fn feature(&self, index: usize) -> Cow<'_, str> {
        self.feature_names
            .get(index)
            .map_or_else(|| format!("f{index}").into(), |&name| name.into())
    }

    fn print_trees(&self, trees: &[Tree]) -> Result<(), &'static str> {
        let mut forest = Forest::default();
        for tree in trees {
            forest.add(tree).ok_or("the nodes of a tree do not form a tree")?;
        }
        let Forest {
            nodes,
            leaves,
            depth,
            usage,
        } = forest;
        println!(
            "  trees        {}: {nodes} nodes, {leaves} leaves, depth {depth}",
            trees.len()
        );
        let mut used: Vec<_> = usage.into_iter().collect();
        used.sort_by_key(|&(_, (splits, _))| std::cmp::Reverse(splits));
        for (feature, (splits, gain)) in used.into_iter().take(5) {
            println!(
                "  most used    {}: {splits} splits, total gain {gain:.3}",
                self.feature(feature)
            );
        }
        Ok(())
    }

    fn print_weights(&self, weights: &[f32]) {
        let groups = self.param.num_class.max(1);
        let mut heaviest: Vec<_> = weights.iter().enumerate().collect();
        heaviest.truncate(self.param.num_feature.saturating_mul(groups));
        heaviest.sort_by(|(_, a), (_, b)| b.abs().total_cmp(&a.abs()));
        println!("  weights      {}", weights.len());
        for (index, weight) in heaviest.into_iter().take(5) {
            println!("  most used    {}: weight {weight}", self.feature(index / groups));
        }
    }
}

fn summarise(path: &str) -> Result<(), Box<dyn Error>> {
    let bytes = std::fs::read(path)?;
    let Model { learner, version } = ubjson::from_slice(&bytes)?;
    let version: Vec<_> = version.iter().map(u32::to_string).collect();
    println!("{path}: XGBoost {}, {} bytes", version.join("."), bytes.len());
    println!(
        "  objective    {}, base score {}",
        learner.objective.name, learner.param.base_score
    );
    println!("  features     {}", learner.param.num_feature);
    for (name, value) in &learner.attributes {
        println!("  attribute    {name} = {value:?}");
    }

    let booster = &learner.gradient_booster;
    println!("  booster      {}", booster.name);
    if !booster.weight_drop.is_empty() {
        println!("  tree weights {:?}", booster.weight_drop);
    }
    let inner = booster.gbtree.as_deref().unwrap_or(booster);
    let ensemble = inner.model.as_ref().ok_or("the booster holds no model")?;
    if ensemble.weights.is_empty() {
        learner.print_trees(&ensemble.trees)?;
    } else {
        learner.print_weights(&ensemble.weights);
    }
    Ok(())
}

fn main() -> ExitCode {
    let mut paths: Vec<String> = std::env::args().skip(1).collect();
    if paths.is_empty() {
        paths.push(SAMPLE.to_owned());
    }
    for path in paths {
        if let Err(error) = summarise(&path) {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
