//! A small generator of repeatable pseudo-random numbers (xorshift64*).

pub struct Random {
    state: u64,
}

impl Random {
    /// Starts a sequence; the same seed gives the same numbers on every machine.
    pub fn new(seed: u64) -> Self {
        // A state of zero would stay zero for ever.
        Self { state: seed | 1 << 63 }
    }

    pub fn next(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number from `0..limit`.
    pub fn below(&mut self, limit: u32) -> u32 {
        // The high half of the product is uniform enough for test data, and free of modulo bias
        // towards small numbers.
        let product = (self.next() >> 32) * u64::from(limit);
        (product >> 32) as u32
    }

    /// True once in `n` draws, on average.
    pub fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u32) as usize]
    }

    /// A fraction with two decimal places from `0.00..limit`.
    pub fn cents(&mut self, limit: u32) -> f64 {
        f64::from(self.below(limit * 100)) / 100.0
    }
}
