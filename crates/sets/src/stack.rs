//! Recursion over formulas of any depth: a deep formula is walked on a thread with a stack that fits.

/// What one level of the deepest recursion may take, generously: a level of a formula is a few frames.
const PER_LEVEL: usize = 4096;

/// Runs `work`, which recurses to about `depth` levels.
pub(crate) fn with_stack<R: Send>(depth: u32, work: impl FnOnce() -> R + Send) -> R {
    if (depth as usize).saturating_mul(PER_LEVEL) <= work::room() {
        return work();
    }
    let mut work = Some(work);
    let done = work::with_room(|| work.take().map(|work| work()));
    match (done, work) {
        (Ok(Some(result)), _) => result,
        // No thread to be had: try here.
        (_, Some(work)) => work(),
        (_, None) => unreachable!("work that was taken has given its result"),
    }
}
