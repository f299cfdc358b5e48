//! How vectors turn with the board.
//!
//! Added up as they are, vectors could tell which patterns there are, but not how they lie: whether an edge
//! adjoins a corner or is opposite to it. So only the first [`N_STILL`] coordinates of a vector are the same
//! however its window lies; the others turn with the board. They come in four lanes that behave as the functions
//! x² − y², xy, x and y do, with the middle of the board as origin: the ways in which something on a square
//! board can change under its symmetries (but for one that was of no use). When the vectors of all windows have
//! been turned and added up, the square of a coordinate, and for x and y the sum of both squares, is the same
//! for symmetric boards.
//!
//! A shape is its own mirror image. If the mirror is upright, the shape is *straight*; the others are *slanted*,
//! mirrored at a diagonal, and for these the last two lanes are measured along the diagonals, (x + y) / 2 and
//! (x − y) / 2. Then the vector of a mirrored pattern differs by the signs of some lanes alone.

use std::ops::{Add, Neg, Sub};

/// How many coordinates of a vector do not turn.
pub const N_STILL: usize = 32;

/// How many coordinates behave in the same way.
pub const LANE: usize = 8;

/// How many groups of windows lie in the same way.
pub const N_GROUPS: usize = 8;

/// The coordinates that turn: x² − y², xy, x, y.
pub type Lanes<T> = [[T; LANE]; 4];

/// What each group of windows says, turned the right way and added up.
///
/// The first four groups are those of straight shapes in turns 0, 2, 4 and 6, the others those of slanted
/// shapes in turns 0 to 3.
#[inline]
pub fn join<T>(groups: &[Lanes<T>; N_GROUPS]) -> Lanes<T>
where
    T: Copy + Default + Add<Output = T> + Sub<Output = T>,
{
    let [a, b, c, d, e, f, g, h] = groups;
    let mut joined = [[T::default(); LANE]; 4];
    for i in 0..LANE {
        joined[0][i] =
            a[0][i] + b[0][i] - c[0][i] - d[0][i] + e[0][i] + f[0][i] + g[0][i] + h[0][i];
        joined[1][i] =
            a[1][i] - b[1][i] + c[1][i] - d[1][i] + e[1][i] - f[1][i] - g[1][i] + h[1][i];
        let rising = e[2][i] - f[3][i] + g[3][i] - h[2][i];
        let falling = e[3][i] - f[2][i] + g[2][i] - h[3][i];
        joined[2][i] = a[2][i] + b[2][i] + c[3][i] - d[3][i] + rising + falling;
        joined[3][i] = a[3][i] - b[3][i] + c[2][i] + d[2][i] + rising - falling;
    }
    joined
}

/// How something changes with what each group says that changes so with what they say joined: the way back
/// from [`join`].
pub fn part<T>(joined: &Lanes<T>) -> [Lanes<T>; N_GROUPS]
where
    T: Copy + Default + Add<Output = T> + Sub<Output = T> + Neg<Output = T>,
{
    let [cross, product, x, y] = joined;
    let plus: [T; LANE] = std::array::from_fn(|i| x[i] + y[i]);
    let minus: [T; LANE] = std::array::from_fn(|i| x[i] - y[i]);
    let no = |lane: &[T; LANE]| lane.map(T::neg);
    [
        [*cross, *product, *x, *y],
        [*cross, no(product), *x, no(y)],
        [no(cross), *product, *y, *x],
        [no(cross), no(product), *y, no(x)],
        [*cross, *product, plus, minus],
        [*cross, no(product), no(&minus), no(&plus)],
        [*cross, no(product), minus, plus],
        [*cross, *product, no(&plus), no(&minus)],
    ]
}

/// Which lanes of the vector change their signs if a pattern is mirrored, by the turn that is the mirror of its
/// shape.
pub(super) const fn mirrored(turn: u8) -> [bool; 4] {
    match turn {
        1 => [false, true, true, false],
        3 => [false, false, true, true],
        4 => [true, false, false, true],
        7 => [true, false, true, false],
        _ => panic!("no shape has such a mirror"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parting_is_the_way_back_from_joining() {
        // The sum of all products is the same whether a group's lanes are joined or the others parted.
        let numbers = |seed: i32| -> Lanes<i32> {
            std::array::from_fn(|lane| {
                std::array::from_fn(|i| (seed * 37 + lane as i32 * 11 + i as i32 * 5) % 19 - 9)
            })
        };
        let product = |a: &Lanes<i32>, b: &Lanes<i32>| -> i32 {
            a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| a * b).sum()
        };
        let groups: [Lanes<i32>; N_GROUPS] = std::array::from_fn(|group| numbers(group as i32));
        let slope = numbers(100);
        let parts = part(&slope);
        let parted: i32 = groups.iter().zip(&parts).map(|(group, part)| product(group, part)).sum();
        assert_eq!(product(&join(&groups), &slope), parted);
    }
}
