//! Nothing: the tests are those of the crate.
