//! Random numbers that only depend on the seed, so that every run can be repeated: an additive counter whose value is mixed by
//! two rounds of multiplication and shifts (the scheme known as SplitMix).

#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// At least 0 and less than `end`; 0 if there is no such number.
    pub fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { ((u128::from(self.bits()) * end as u128) >> 64) as usize }
    }

    /// At least 0 and less than 1, with 53 random bits.
    pub fn fraction(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn coin(&mut self) -> bool {
        self.bits() >> 63 == 1
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }
}
