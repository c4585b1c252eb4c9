//! Room for recursion: the interpreter recurses with the calls of a program and with the nesting of its expressions.
//!
//! [`on_large_stack`] runs something on a thread with room for deep recursion; [`Guard`] tells when what there is is almost used
//! up, on such a thread or on any other.

use std::cell::Cell;

/// Tried in this order; only what is used is ever touched.
const STACKS: [usize; 3] = [512 << 20, 128 << 20, 16 << 20];

/// Kept free for whatever is called between two looks at the guard.
const RESERVE: usize = 128 << 10;

/// What is used of a thread that is not ours, whose stack may be as small as 2 MiB.
const SMALL: usize = 512 << 10;

thread_local! {
    /// 0: not a thread of ours.
    static BUDGET: Cell<usize> = const { Cell::new(0) };
}

/// Where the stack began, and how far it may go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    start: usize,
    budget: usize,
}

impl Guard {
    pub(crate) fn new() -> Guard {
        let budget = BUDGET.get();
        Guard { start: address(), budget: if budget > 0 { budget - RESERVE } else { SMALL } }
    }

    #[inline(always)]
    pub(crate) fn is_used_up(&self) -> bool {
        self.start.abs_diff(address()) > self.budget
    }
}

#[inline(always)]
fn address() -> usize {
    let here = 0u8;
    std::ptr::from_ref(std::hint::black_box(&here)).addr()
}

/// Runs on a thread with a large stack; if none can be started, here.
pub fn on_large_stack<R: Send>(run: impl FnOnce() -> R + Send) -> R {
    if BUDGET.get() > 0 {
        return run();
    }
    let mut run = Some(run);
    for stack in STACKS {
        let work = &mut run;
        let body = move || {
            BUDGET.set(stack);
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
    match run {
        Some(run) => run(),
        None => unreachable!("a thread that was started has given its result"),
    }
}
