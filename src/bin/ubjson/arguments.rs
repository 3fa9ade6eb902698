//! Arguments that several subcommands share.

use clap::{Args, ValueEnum};
use ubjson::{de, ser};

/// The most levels of nesting that can be asked for.
const MAX_DEPTH: u64 = 10_000;

/// The stack for so many levels: converting calls itself for each of them.
pub(crate) const STACK_LEN: usize = 256 << 20;

/// What is read, and how.
#[derive(Args, Debug)]
pub(crate) struct Reading {
    /// The UBJSON file; `-` is standard input
    #[arg(default_value = "-", value_name = "FILE")]
    pub(crate) input: String,
    /// Replace what is not UTF-8 in texts by U+FFFD instead of failing
    #[arg(long)]
    pub(crate) lossy: bool,
    #[command(flatten)]
    pub(crate) depth: Depth,
}

impl Reading {
    pub(crate) fn config(&self) -> de::Config {
        de::Config::new().max_depth(self.depth.levels()).lossy_utf8(self.lossy)
    }
}

/// How deep containers may be nested.
#[derive(Args, Debug)]
pub(crate) struct Depth {
    /// Refuse containers nested deeper than this
    #[arg(long, default_value_t = 1000, value_name = "LEVELS", value_parser = clap::value_parser!(u64).range(1..=MAX_DEPTH))]
    max_depth: u64,
}

impl Depth {
    pub(crate) fn levels(&self) -> usize {
        usize::try_from(self.max_depth).unwrap_or(usize::MAX)
    }
}

/// How UBJSON is written.
#[derive(Args, Debug)]
pub(crate) struct Writing {
    /// How the ends of arrays and objects are written
    #[arg(long, value_enum, default_value_t, value_name = "POLICY")]
    pub(crate) containers: Containers,
    /// How wide the lengths of strings and keys are
    #[arg(long, value_enum, default_value_t, value_name = "WIDTH")]
    lengths: Lengths,
    /// How wide the counts of containers are
    #[arg(long, value_enum, default_value_t, value_name = "WIDTH")]
    counts: Lengths,
    /// How wide integers are
    #[arg(long, value_enum, default_value_t, value_name = "WIDTH")]
    integers: Integers,
    /// Write float64 as float32 where nothing is lost by it
    #[arg(long)]
    compact_floats: bool,
}

impl Writing {
    pub(crate) fn config(&self, depth: usize) -> ser::Config {
        ser::Config::new()
            .containers(self.containers.into())
            .lengths(self.lengths.into())
            .counts(self.counts.into())
            .integers(self.integers.into())
            .compact_floats(self.compact_floats)
            .max_depth(depth)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, ValueEnum)]
pub(crate) enum Containers {
    /// Arrays of one scalar type as typed arrays, the others with closing markers
    #[default]
    Auto,
    /// A count in front of every container
    Counted,
    /// A closing marker behind every container
    Plain,
}

impl From<Containers> for ser::Containers {
    fn from(containers: Containers) -> Self {
        match containers {
            Containers::Auto => Self::Auto,
            Containers::Counted => Self::Counted,
            Containers::Plain => Self::Plain,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Lengths {
    /// The smallest that fits, int8 before uint8
    #[default]
    Smallest,
    /// uint8 where it fits, then the next larger
    Uint8First,
    /// Always int32
    Int32,
    /// Always int64, as XGBoost wants it
    Int64,
}

impl From<Lengths> for ser::Lengths {
    fn from(lengths: Lengths) -> Self {
        match lengths {
            Lengths::Smallest => Self::Smallest,
            Lengths::Uint8First => Self::Uint8First,
            Lengths::Int32 => Self::Int32,
            Lengths::Int64 => Self::Int64,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Integers {
    /// The smallest that fits
    #[default]
    Smallest,
    /// As wide as they were: JSON's are int64, UBJSON's keep their width
    Declared,
}

impl From<Integers> for ser::Integers {
    fn from(integers: Integers) -> Self {
        match integers {
            Integers::Smallest => Self::Smallest,
            Integers::Declared => Self::Declared,
        }
    }
}
