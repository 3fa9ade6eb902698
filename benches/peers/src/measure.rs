//! Measures contenders side by side.
//!
//! Other programs on the machine, and the machine's own changes of speed, disturb a figure by far
//! more than the differences of interest. So the clock counts the thread's CPU time only; each
//! round gives every contender one slice, in an order that changes from round to round; and what
//! is reported is the median of the rounds' ratios to the first contender's slice.

use std::time::Duration;

use cpu_time::ThreadTime;

use crate::cells::{Cell, Contender, Operation, Wanted, Work};

#[derive(Debug, Clone, Copy)]
pub struct Plan {
    pub rounds: usize,
    /// How long a contender runs in each round, unless one run takes longer.
    pub slice: Duration,
}

pub struct Sample {
    pub name: &'static str,
    pub byte_len: usize,
    /// Median time of one run.
    pub nanoseconds: f64,
    /// Median of the ratios to the baseline.
    pub ratio: f64,
    /// Half of the range that holds the middle half of the ratios.
    pub spread: f64,
}

pub struct CellResult {
    pub payload: &'static str,
    pub operation: Operation,
    pub samples: Vec<Sample>,
    /// Who could not do the work, and why.
    pub failures: Vec<(&'static str, String)>,
}

struct Runner {
    name: &'static str,
    byte_len: usize,
    work: Work,
    iterations: u32,
    /// Nanoseconds of one run, round by round.
    times: Vec<f64>,
}

/// Measures those contenders of a cell that are wanted; the first is the baseline.
pub fn measure(cell: &Cell, wanted: Wanted<'_>, plan: Plan) -> CellResult {
    let mut runners = Vec::new();
    let mut failures = Vec::new();
    for Contender { name, work } in cell.contenders(wanted) {
        match work {
            Ok((work, byte_len)) => runners.push(calibrated(name, byte_len, work, plan)),
            Err(error) => failures.push((name, error.to_string())),
        }
    }
    for round in 0..plan.rounds {
        for position in 0..runners.len() {
            let runner = in_turn(&mut runners, round, position);
            let time = nanoseconds(&mut runner.work, runner.iterations);
            runner.times.push(time / f64::from(runner.iterations));
        }
    }
    let samples = runners.iter().map(|runner| sample(runner, &runners[0])).collect();
    CellResult {
        payload: cell.payload,
        operation: cell.operation,
        samples,
        failures,
    }
}

/// Rotates the order by one each round, and reverses every second one, so that nobody always
/// follows the same neighbour.
fn in_turn(runners: &mut [Runner], round: usize, position: usize) -> &mut Runner {
    let len = runners.len();
    let forward = (round + position) % len;
    &mut runners[if round.is_multiple_of(2) {
        forward
    } else {
        len - 1 - forward
    }]
}

fn calibrated(name: &'static str, byte_len: usize, mut work: Work, plan: Plan) -> Runner {
    let slice = plan.slice.as_nanos() as f64;
    let mut iterations = 1;
    let mut time = nanoseconds(&mut work, iterations);
    while time < slice / 4.0 {
        iterations *= 2;
        time = nanoseconds(&mut work, iterations);
    }
    let iterations = (f64::from(iterations) * slice / time).max(1.0) as u32;
    Runner {
        name,
        byte_len,
        work,
        iterations,
        times: Vec::with_capacity(plan.rounds),
    }
}

fn nanoseconds(work: &mut Work, iterations: u32) -> f64 {
    let start = ThreadTime::now();
    for _ in 0..iterations {
        work();
    }
    start.elapsed().as_nanos() as f64
}

fn sample(runner: &Runner, baseline: &Runner) -> Sample {
    let ratios = runner.times.iter().zip(&baseline.times).map(|(time, base)| time / base);
    let mut ratios: Vec<f64> = ratios.collect();
    let mut times = runner.times.clone();
    Sample {
        name: runner.name,
        byte_len: runner.byte_len,
        nanoseconds: quantile(&mut times, 0.5),
        ratio: quantile(&mut ratios, 0.5),
        spread: (quantile(&mut ratios, 0.75) - quantile(&mut ratios, 0.25)) / 2.0,
    }
}

/// The value at a fraction of the sorted range, between the two nearest.
fn quantile(values: &mut [f64], fraction: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let position = fraction * (values.len() - 1) as f64;
    let (below, above) = (values[position.floor() as usize], values[position.ceil() as usize]);
    below + (above - below) * position.fract()
}

#[cfg(test)]
mod tests {
    use super::quantile;

    #[test]
    fn median_of_an_even_number_of_values_lies_between_the_middle_two() {
        assert_eq!(quantile(&mut [4.0, 1.0, 3.0, 2.0], 0.5), 2.5);
        assert_eq!(quantile(&mut [9.0, 1.0, 5.0], 0.5), 5.0);
    }

    #[test]
    fn quartiles_are_those_of_the_sorted_values() {
        let mut values = [5.0, 4.0, 3.0, 2.0, 1.0];
        assert_eq!(quantile(&mut values, 0.25), 2.0);
        assert_eq!(quantile(&mut values, 0.75), 4.0);
    }
}
