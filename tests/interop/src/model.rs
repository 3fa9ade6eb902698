//! A model of XGBoost, all of it, so that it can be changed and written back.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};
use ubjson::packed::Packed;
use ubjson::ser::{Config, Containers, Integers, Lengths};

/// What XGBoost's reader accepts: every length and count as int64, objects without a count, each packed array in
/// exactly the type that it was declared with.
pub(crate) fn config() -> Config {
    Config::new()
        .containers(Containers::CountedArrays)
        .lengths(Lengths::Int64)
        .counts(Lengths::Int64)
        .integers(Integers::Declared)
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Model {
    pub(crate) learner: Learner,
    version: Vec<Integer>,
}

/// An integer that is in no packed array: XGBoost reads any width and writes the smallest that holds it, but for the
/// least and the largest number of each.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
struct Integer(i32);

impl Serialize for Integer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (i8::try_from(self.0), i16::try_from(self.0)) {
            (Ok(value @ -127..=126), _) => serializer.serialize_i8(value),
            (_, Ok(value @ -32_767..=32_766)) => serializer.serialize_i16(value),
            _ => serializer.serialize_i32(self.0),
        }
    }
}

/// Parameters are text in the file, numbers too.
type Parameters = BTreeMap<String, String>;

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Learner {
    attributes: Parameters,
    feature_names: Vec<String>,
    feature_types: Vec<String>,
    pub(crate) gradient_booster: Booster,
    learner_model_param: Parameters,
    objective: BTreeMap<String, ObjectivePart>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Booster {
    /// The trees of `dart`, around which `weight_drop` gives each of them its weight.
    #[serde(skip_serializing_if = "Option::is_none")]
    gbtree: Option<Box<Booster>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<Ensemble>,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    weight_drop: Option<Vec<f32>>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(untagged)]
enum Ensemble {
    Trees(Forest),
    Linear(Linear),
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
struct Linear {
    boosted_rounds: Integer,
    #[serde(with = "ubjson::packed")]
    weights: Vec<f32>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
struct Forest {
    #[serde(skip_serializing_if = "Option::is_none")]
    cats: Option<Categories>,
    gbtree_model_param: Parameters,
    /// Where each round's trees start, and the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    iteration_indptr: Option<Vec<Integer>>,
    tree_info: Vec<Integer>,
    trees: Vec<Tree>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
struct Categories {
    enc: Vec<Encoding>,
    #[serde(with = "ubjson::packed")]
    feature_segments: Vec<i32>,
    #[serde(with = "ubjson::packed")]
    sorted_idx: Vec<i32>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(untagged, deny_unknown_fields)]
enum Encoding {
    Names {
        #[serde(with = "ubjson::packed")]
        offsets: Vec<i32>,
        #[serde(with = "ubjson::packed")]
        values: Vec<i8>,
    },
    Numbers {
        r#type: Integer,
        #[serde(with = "ubjson::packed")]
        values: Vec<i64>,
    },
}

/// Node `i` of a tree is entry `i` of each array.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
struct Tree {
    #[serde(with = "ubjson::packed")]
    base_weights: Vec<f32>,
    #[serde(with = "ubjson::packed")]
    categories: Vec<i32>,
    #[serde(with = "ubjson::packed")]
    categories_nodes: Vec<i32>,
    #[serde(with = "ubjson::packed")]
    categories_segments: Vec<i64>,
    #[serde(with = "ubjson::packed")]
    categories_sizes: Vec<i64>,
    #[serde(with = "ubjson::packed")]
    default_left: Vec<u8>,
    id: Integer,
    #[serde(with = "ubjson::packed", default, skip_serializing_if = "Option::is_none")]
    leaf_weights: Option<Vec<f32>>,
    #[serde(with = "ubjson::packed")]
    left_children: Vec<i32>,
    #[serde(with = "ubjson::packed")]
    loss_changes: Vec<f32>,
    #[serde(with = "ubjson::packed")]
    parents: Vec<i32>,
    #[serde(with = "ubjson::packed")]
    right_children: Vec<i32>,
    #[serde(with = "ubjson::packed")]
    split_conditions: Vec<f32>,
    #[serde(with = "ubjson::packed")]
    split_indices: Vec<i32>,
    #[serde(with = "ubjson::packed")]
    split_type: Vec<u8>,
    #[serde(with = "ubjson::packed")]
    sum_hessian: Vec<f32>,
    tree_param: Parameters,
}

/// An objective has its name, parameters under a name of its own, and for some rankings the biases of positions.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(untagged)]
enum ObjectivePart {
    Name(String),
    Biases(Packed<Vec<f32>>),
    Parameters(Parameters),
}

impl Forest {
    /// How many trees are left without the last round; old models do not say where that starts.
    fn trees_without_last_round(&mut self) -> Option<usize> {
        if let Some(starts) = &mut self.iteration_indptr {
            starts.pop();
            return usize::try_from(starts.last()?.0).ok();
        }
        let groups = self.tree_info.iter().map(|group| group.0).max()? + 1;
        let parallel: usize = self.gbtree_model_param.get("num_parallel_tree")?.parse().ok()?;
        self.trees.len().checked_sub(usize::try_from(groups).ok()? * parallel)
    }
}

impl Model {
    /// Takes the last round of boosting off: one tree, or one for each group. `None` if there is none.
    pub(crate) fn drop_last_round(&mut self) -> Option<()> {
        let booster = &mut self.learner.gradient_booster;
        let weights = booster.weight_drop.as_mut();
        let trees = match booster.gbtree.as_deref_mut() {
            Some(inner) => &mut inner.model,
            None => &mut booster.model,
        };
        let Some(Ensemble::Trees(forest)) = trees else {
            return None;
        };
        let left = forest.trees_without_last_round()?;
        forest.trees.truncate(left);
        forest.tree_info.truncate(left);
        forest
            .gbtree_model_param
            .insert("num_trees".to_owned(), left.to_string());
        if let Some(weights) = weights {
            weights.truncate(left);
        }
        Some(())
    }
}
