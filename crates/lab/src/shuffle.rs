//! A random order.

use obverse_engine::classic::Rng;

/// Puts `items` in a random order, every order equally likely (Fisher and Yates).
///
/// ```
/// use obverse_engine::classic::Rng;
/// use obverse_lab::shuffle;
///
/// let mut items = [1, 2, 3, 4, 5];
/// shuffle(&mut items, &mut Rng::new(1));
/// assert_ne!(items, [1, 2, 3, 4, 5]);
/// items.sort();
/// assert_eq!(items, [1, 2, 3, 4, 5]);
/// ```
pub fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for i in (1..items.len()).rev() {
        items.swap(i, rng.below(i as u64 + 1) as usize);
    }
}
