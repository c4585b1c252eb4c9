package java.util.concurrent.locks;

import glassbox.Declarative;
import glassbox.Range;

/** With one thread, a count of how often it holds the lock. Nobody else could wake it: to wait is not supported. */
public class ReentrantLock implements Lock, java.io.Serializable {
    @Range("0..0") private int holds;
    private final boolean fair;

    public ReentrantLock() {
        fair = false;
    }

    public ReentrantLock(boolean fair) {
        this.fair = fair;
    }

    public void lock() {
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
        return new Waiting();
    }

    @Declarative public int getHoldCount() {
        return holds;
    }

    @Declarative public boolean isHeldByCurrentThread() {
        return holds > 0;
    }

    @Declarative public boolean isLocked() {
        return holds > 0;
    }

    @Declarative public final boolean isFair() {
        return fair;
    }

    public final boolean hasQueuedThreads() {
        return false;
    }

    public final int getQueueLength() {
        return 0;
    }

    public boolean hasWaiters(Condition condition) {
        return false;
    }

    public int getWaitQueueLength(Condition condition) {
        return 0;
    }

    /** Whether its lock is held is not asked: a state cannot say which lock a condition belongs to. */
    private static class Waiting implements Condition {
        public native void await() throws InterruptedException;

        public native void awaitUninterruptibly();

        public native long awaitNanos(long nanosTimeout) throws InterruptedException;

        public void signal() {}

        public void signalAll() {}
    }
}
