//! Recursion over formulas of any depth: a deep formula is walked on a thread with a stack that fits.

/// Deeper formulas leave the caller's stack.
const SHALLOW: u32 = 256;
/// What one level of the deepest recursion may take, generously: a level of a formula is a few frames.
const PER_LEVEL: usize = 4096;
const MOST: usize = 4 << 30;

/// Runs `work`, which recurses to about `depth` levels.
pub(crate) fn with_stack<R: Send>(depth: u32, work: impl FnOnce() -> R + Send) -> R {
    if depth <= SHALLOW {
        return work();
    }
    let size = (depth as usize).saturating_mul(PER_LEVEL).clamp(1 << 22, MOST);
    let mut work = Some(work);
    let done = std::thread::scope(|scope| {
        let run = || work.take().map(|work| work());
        let thread = std::thread::Builder::new().stack_size(size).spawn_scoped(scope, run).ok()?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    match (done, work) {
        (Some(result), _) => result,
        // No thread to be had: try here.
        (None, Some(work)) => work(),
        (None, None) => unreachable!("work that was taken has given its result"),
    }
}
