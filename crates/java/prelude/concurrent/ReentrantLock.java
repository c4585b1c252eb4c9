package java.util.concurrent.locks;

/** With one thread, a count of how often it holds the lock. Nobody else could wake it: to wait is not supported. */
public class ReentrantLock implements Lock, java.io.Serializable {
    private int holds;
    private final boolean fair;

    public ReentrantLock() {
        fair = false;
    }

    public ReentrantLock(boolean fair) {
        this.fair = fair;
    }

    public void lock() {
        if (holds == Integer.MAX_VALUE) throw new Error("Maximum lock count exceeded");
        holds++;
    }

    public void lockInterruptibly() throws InterruptedException {
        lock();
    }

    public boolean tryLock() {
        lock();
        return true;
    }

    public void unlock() {
        if (holds == 0) throw new IllegalMonitorStateException();
        holds--;
    }

    public Condition newCondition() {
        return new Waiting(this);
    }

    public int getHoldCount() {
        return holds;
    }

    public boolean isHeldByCurrentThread() {
        return holds > 0;
    }

    public boolean isLocked() {
        return holds > 0;
    }

    public final boolean isFair() {
        return fair;
    }

    public final boolean hasQueuedThreads() {
        return false;
    }

    public final int getQueueLength() {
        return 0;
    }

    private static class Waiting implements Condition {
        private final ReentrantLock lock;

        Waiting(ReentrantLock lock) {
            this.lock = lock;
        }

        public native void await() throws InterruptedException;

        public native void awaitUninterruptibly();

        public native long awaitNanos(long nanosTimeout) throws InterruptedException;

        public void signal() {
            if (lock.holds == 0) throw new IllegalMonitorStateException();
        }

        public void signalAll() {
            if (lock.holds == 0) throw new IllegalMonitorStateException();
        }
    }
}
