//! Room for recursion: parsing, resolving and running recurse with the nesting of a program and its calls.

use std::cell::Cell;

/// Tried in this order; only what is used is ever touched.
const STACKS: [usize; 2] = [1 << 30, 256 << 20];

/// Nested evaluations for each megabyte of stack. Measured: less than 2 KiB for each, without optimisation as well.
const DEPTH_PER_MEGABYTE: usize = 200;

thread_local! {
    static DEEPEST: Cell<usize> = const { Cell::new(0) };
}

/// How many evaluations may be nested on this thread.
pub(crate) fn deepest() -> usize {
    DEEPEST.get().max(DEPTH_PER_MEGABYTE / 4)
}

/// Runs on a thread whose stack is large enough for calls within calls within calls.
pub fn on_large_stack<R: Send>(run: impl FnOnce() -> R + Send) -> R {
    if DEEPEST.get() > 0 {
        return run();
    }
    let mut run = Some(run);
    for stack in STACKS {
        let work = &mut run;
        let body = move || {
            DEEPEST.set((stack >> 20) * DEPTH_PER_MEGABYTE);
            work.take().map(|run| run())
        };
        let ended = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, body).ok()?;
            Some(thread.join())
        });
        match ended {
            Some(Ok(Some(result))) => return result,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            _ => {}
        }
    }
    // No thread to be had: not even a small one would be.
    std::panic::panic_any("no thread could be started: is the memory of the process limited?".to_string())
}
