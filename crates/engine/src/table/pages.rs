//! Memory for a table: zeroed, on huge pages where the system gives them.

#![expect(unsafe_code, reason = "asks the system for huge pages, which no safe interface offers")]

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ops::Deref;
use std::ptr::NonNull;

/// A type for which all-zero bytes are a valid value.
///
/// # Safety
/// They must be, and dropping a value must do nothing.
pub(super) unsafe trait Zeroed: Sync {}

/// A boxed slice of zeroed values.
pub(super) struct Pages<T: Zeroed> {
    start: NonNull<T>,
    len: usize,
}

// SAFETY: the pages are owned, and `T: Sync` may be shared and has nothing to drop.
unsafe impl<T: Zeroed> Send for Pages<T> {}
// SAFETY: only shared references to `T: Sync` are given out.
unsafe impl<T: Zeroed> Sync for Pages<T> {}

/// The size of a huge page on x86-64 and aarch64; smaller tables need none.
const HUGE_PAGE: usize = 2 << 20;

impl<T: Zeroed> Pages<T> {
    /// `len` values, at least one.
    pub(super) fn new(len: usize) -> Pages<T> {
        let len = len.max(1);
        let layout = Pages::<T>::layout(len);
        // SAFETY: the layout is not empty, for `T` is not and `len` is at least one.
        let start = unsafe { allocate(layout) };
        let Some(start) = NonNull::new(start.cast()) else { handle_alloc_error(layout) };
        Pages { start, len }
    }

    fn layout(len: usize) -> Layout {
        let layout = Layout::array::<T>(len).expect("a table fits the address space");
        let align = if layout.size() < HUGE_PAGE { 64 } else { HUGE_PAGE };
        layout.align_to(align).expect("the alignment is a power of two").pad_to_align()
    }
}

/// Memory of this layout, zeroed; large blocks on huge pages if the system has some.
///
/// # Safety
/// The layout must not be empty.
#[cfg(target_os = "linux")]
unsafe fn allocate(layout: Layout) -> *mut u8 {
    if layout.size() < HUGE_PAGE {
        // SAFETY: the caller vouches for the layout.
        return unsafe { alloc_zeroed(layout) };
    }
    // SAFETY: as above. The advice must be given before the pages are first touched, so they are
    // not allocated zeroed but zeroed afterwards; all bytes are within the block.
    unsafe {
        let start = std::alloc::alloc(layout);
        if !start.is_null() {
            libc::madvise(start.cast(), layout.size(), libc::MADV_HUGEPAGE);
            start.write_bytes(0, layout.size());
        }
        start
    }
}

/// Memory of this layout, zeroed.
///
/// # Safety
/// The layout must not be empty.
#[cfg(not(target_os = "linux"))]
unsafe fn allocate(layout: Layout) -> *mut u8 {
    // SAFETY: the caller vouches for the layout.
    unsafe { alloc_zeroed(layout) }
}

impl<T: Zeroed> Drop for Pages<T> {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with the same layout; `T` has nothing to drop.
        unsafe { dealloc(self.start.as_ptr().cast(), Pages::<T>::layout(self.len)) }
    }
}

impl<T: Zeroed> Deref for Pages<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `len` values were allocated and zeroed in `new`, and zeros are valid values.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}
