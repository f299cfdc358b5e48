//! Memory for large tables: zeroed, on huge pages where the system gives them.

#![expect(unsafe_code, reason = "asks the system for huge pages, which no safe interface offers")]

use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// A type for which all-zero bytes are a valid value.
///
/// # Safety
/// They must be, dropping a value must do nothing, and it must not need more alignment than a page.
pub(crate) unsafe trait Zeroed: Sync {}

/// A boxed slice of zeroed values.
pub(crate) struct Pages<T: Zeroed> {
    start: NonNull<T>,
    len: usize,
}

// SAFETY: the pages are owned, and `T: Sync` may be shared and has nothing to drop.
unsafe impl<T: Zeroed> Send for Pages<T> {}
// SAFETY: a shared reference to it gives out only shared references to `T: Sync`.
unsafe impl<T: Zeroed> Sync for Pages<T> {}

impl<T: Zeroed> Pages<T> {
    /// `len` values, at least one.
    pub(crate) fn new(len: usize) -> Pages<T> {
        let len = len.max(1);
        let n_bytes = len.checked_mul(size_of::<T>()).expect("a table fits the address space");
        Pages { start: system::allocate(n_bytes).cast(), len }
    }
}

impl<T: Zeroed> Drop for Pages<T> {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with the same size; `T` has nothing to drop.
        unsafe { system::free(self.start.cast(), self.len * size_of::<T>()) }
    }
}

impl<T: Zeroed> Deref for Pages<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `len` values were allocated in `new`, aligned to a page, and zeros are values.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T: Zeroed> DerefMut for Pages<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and nobody else has a reference to the pages.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

/// Straight from the kernel: its pages are zeroed when they are first touched, so that a large table
/// for a small search costs nothing, and it can be asked for huge ones.
#[cfg(target_os = "linux")]
mod system {
    use std::alloc::{Layout, handle_alloc_error};
    use std::ptr::NonNull;

    pub(super) fn allocate(n_bytes: usize) -> NonNull<u8> {
        let (protection, flags) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping touches no memory in use.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), n_bytes, protection, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            handle_alloc_error(Layout::from_size_align(n_bytes, 1).unwrap_or(Layout::new::<u8>()));
        }
        // SAFETY: advice about the mapping just made; if it is not taken, nothing is lost.
        unsafe { libc::madvise(start, n_bytes, libc::MADV_HUGEPAGE) };
        NonNull::new(start.cast()).expect("a mapping does not start at zero")
    }

    /// # Safety
    /// The pages must come from `allocate` with the same size, and not be used any more.
    pub(super) unsafe fn free(start: NonNull<u8>, n_bytes: usize) {
        // SAFETY: the caller vouches for it.
        unsafe { libc::munmap(start.as_ptr().cast(), n_bytes) };
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
    use std::ptr::NonNull;

    fn layout(n_bytes: usize) -> Layout {
        Layout::from_size_align(n_bytes, 4096).expect("a table fits the address space")
    }

    pub(super) fn allocate(n_bytes: usize) -> NonNull<u8> {
        // SAFETY: the layout is not empty: a table has at least one value.
        let start = unsafe { alloc_zeroed(layout(n_bytes)) };
        NonNull::new(start).unwrap_or_else(|| handle_alloc_error(layout(n_bytes)))
    }

    /// # Safety
    /// The pages must come from `allocate` with the same size, and not be used any more.
    pub(super) unsafe fn free(start: NonNull<u8>, n_bytes: usize) {
        // SAFETY: the caller vouches for it.
        unsafe { dealloc(start.as_ptr(), layout(n_bytes)) }
    }
}
