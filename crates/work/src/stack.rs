//! Room for recursion: readers, translators and interpreters recurse with the nesting of what they are given.

use std::cell::Cell;
use std::io::{Error, Result};
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Tried in this order; only what is used is ever touched.
const STACKS: [usize; 5] = [4 << 30, 1 << 30, 256 << 20, 64 << 20, 16 << 20];

/// What may be used of a thread that is not ours, whose stack may be as small as 2 MiB.
const SMALL: usize = 1 << 20;

thread_local! {
    /// Where the stack of a thread of ours began, and its size.
    static STACK: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
}

/// How many bytes of stack are left on this thread.
pub fn room() -> usize {
    STACK.get().map_or(SMALL, |(start, size)| size.saturating_sub(start.abs_diff(address())))
}

/// Where the stack is now.
#[inline(always)]
pub fn address() -> usize {
    let here = 0u8;
    std::ptr::from_ref(std::hint::black_box(&here)).addr()
}

/// Runs on a thread with a large stack: on this one if it has one already. Panics if no thread can be started.
pub fn on_large_stack<R: Send>(run: impl FnOnce() -> R + Send) -> R {
    with_room(run).unwrap_or_else(|problem| std::panic::panic_any(format!("no thread could be started: {problem}")))
}

/// The same, for whoever can go on without a thread. The panic of what runs goes on here.
pub fn with_room<R: Send>(run: impl FnOnce() -> R + Send) -> Result<R> {
    if STACK.get().is_some() {
        return Ok(run());
    }
    std::thread::scope(|scope| {
        let thread = spawn_with_room(scope, run)?;
        Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// The same beside this thread.
pub fn spawn_with_room<'s, R: Send + 's>(
    scope: &'s Scope<'s, '_>,
    run: impl FnOnce() -> R + Send + 's,
) -> Result<ScopedJoinHandle<'s, R>> {
    let stack = largest()?;
    Builder::new().stack_size(stack).spawn_scoped(scope, move || begun(stack, run))
}

fn begun<R>(stack: usize, run: impl FnOnce() -> R) -> R {
    STACK.set(Some((address(), stack)));
    run()
}

/// The largest stack that a thread can have now. What a thread is started with is gone if it cannot be: so it is asked for first.
pub(crate) fn largest() -> Result<usize> {
    let mut last = Error::other("no stack");
    for stack in STACKS {
        match Builder::new().stack_size(stack).spawn(|| {}) {
            Ok(thread) => {
                let _ = thread.join();
                return Ok(stack);
            }
            Err(problem) => last = problem,
        }
    }
    Err(last)
}

/// A thread with a large stack that nobody joins: what it finds out comes through a channel.
pub(crate) fn spawn(run: impl FnOnce() + Send + 'static) -> Result<()> {
    let stack = largest()?;
    Builder::new().stack_size(stack).spawn(move || begun(stack, run)).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(n: u64) -> u64 {
        let here = std::hint::black_box([n; 64]);
        if n == 0 { 0 } else { 1 + depth(here[0] - 1) }
    }

    #[test]
    fn there_is_room_for_deep_recursion() {
        assert_eq!(room(), SMALL);
        assert_eq!(on_large_stack(|| depth(200_000)), 200_000);
        assert!(on_large_stack(|| room() >= 15 << 20 && on_large_stack(room).abs_diff(room()) < 4096));
    }

    #[test]
    fn a_panic_goes_on_where_it_was_asked_for() {
        let caught = std::panic::catch_unwind(|| on_large_stack(|| std::panic::panic_any("broken")));
        assert_eq!(caught.err().and_then(|p| p.downcast_ref::<&str>().copied()), Some("broken"));
    }
}
