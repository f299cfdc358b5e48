//! Moves and flips in plain 64-bit arithmetic, for any CPU.

/// The columns b to g: a disc there can be flipped along a row or a diagonal, one on the rim not.
const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// For each square, the squares beyond it in four directions, towards higher indices
/// (east, south, south-east, south-west) and towards lower ones (west, north, north-west,
/// north-east).
static RAYS: [Rays; 64] = rays();

#[derive(Clone, Copy)]
struct Rays {
    up: [u64; 4],
    down: [u64; 4],
}

const fn rays() -> [Rays; 64] {
    const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];
    let mut rays = [Rays { up: [0; 4], down: [0; 4] }; 64];
    let mut index = 0;
    while index < 64 {
        let mut i = 0;
        while i < 4 {
            let (dx, dy) = STEPS[i];
            rays[index as usize].up[i] = ray(index, dx, dy);
            rays[index as usize].down[i] = ray(index, -dx, -dy);
            i += 1;
        }
        index += 1;
    }
    rays
}

const fn ray(index: i32, dx: i32, dy: i32) -> u64 {
    let (mut x, mut y) = (index % 8 + dx, index / 8 + dy);
    let mut ray = 0;
    while x >= 0 && x < 8 && y >= 0 && y < 8 {
        ray |= 1 << (y * 8 + x);
        x += dx;
        y += dy;
    }
    ray
}

/// The empty squares from which the player outflanks at least one run of opponent's discs.
#[inline]
pub(crate) fn moves(p: u64, o: u64) -> u64 {
    let inner = o & INNER_COLUMNS;
    (along::<1>(p, inner) | along::<8>(p, o) | along::<7>(p, inner) | along::<9>(p, inner))
        & !(p | o)
}

/// The squares just beyond a run of `o` that starts next to `p`, both ways along one line.
#[inline]
fn along<const STEP: u32>(p: u64, o: u64) -> u64 {
    let mut up = o & p << STEP;
    let mut down = o & p >> STEP;
    // A run has at most six discs; each doubling extends what has been found by its own length.
    up |= o & up << STEP;
    down |= o & down >> STEP;
    let (pairs_up, pairs_down) = (o & o << STEP, o & o >> STEP);
    up |= pairs_up & up << (2 * STEP);
    down |= pairs_down & down >> (2 * STEP);
    up |= pairs_up & up << (2 * STEP);
    down |= pairs_down & down >> (2 * STEP);
    up << STEP | down >> STEP
}

/// The opponent's discs that a player's disc on the square `index` (below 64) turns over.
#[inline]
pub(crate) fn flips(p: u64, o: u64, index: u8) -> u64 {
    let rays = &RAYS[usize::from(index & 63)];
    let mut flips = 0;
    for ray in rays.up {
        // The nearest square of the ray that is not the opponent's decides: ours, or no flips.
        let end = ray & !o;
        let bracket = end & end.wrapping_neg() & p;
        // Below the bracket; nothing if there is none.
        flips |= ray & bracket.wrapping_sub(u64::from(bracket != 0));
    }
    for ray in rays.down {
        let end = ray & !o;
        let bracket = (1_u64 << 63).checked_shr(end.leading_zeros()).unwrap_or(0) & p;
        // Above the bracket; nothing if there is none.
        flips |= ray & (bracket << 1).wrapping_neg();
    }
    flips
}
