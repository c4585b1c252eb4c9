package java.util.concurrent.atomic;

import glassbox.Declarative;
import java.util.function.LongUnaryOperator;
import java.util.function.LongBinaryOperator;

/** With one thread, a number that changes. */
public class AtomicLong extends Number implements java.io.Serializable {
    private volatile long value;

    public AtomicLong(long initialValue) {
        value = initialValue;
    }

    public AtomicLong() {}

    @Declarative public final long get() {
        return value;
    }

    @Declarative public final long getPlain() {
        return value;
    }

    @Declarative public final long getOpaque() {
        return value;
    }

    @Declarative public final long getAcquire() {
        return value;
    }

    public final void set(long newValue) {
        value = newValue;
    }

    public final void lazySet(long newValue) {
        value = newValue;
    }

    public final void setPlain(long newValue) {
        value = newValue;
    }

    public final void setOpaque(long newValue) {
        value = newValue;
    }

    public final void setRelease(long newValue) {
        value = newValue;
    }

    public final long getAndSet(long newValue) {
        long old = value;
        value = newValue;
        return old;
    }

    public final boolean compareAndSet(long expectedValue, long newValue) {
        if (value != expectedValue) return false;
        value = newValue;
        return true;
    }

    public final long compareAndExchange(long expectedValue, long newValue) {
        long old = value;
        if (old == expectedValue) value = newValue;
        return old;
    }

    public final long getAndIncrement() {
        return value++;
    }

    public final long getAndDecrement() {
        return value--;
    }

    public final long getAndAdd(long delta) {
        long old = value;
        value += delta;
        return old;
    }

    public final long incrementAndGet() {
        return ++value;
    }

    public final long decrementAndGet() {
        return --value;
    }

    public final long addAndGet(long delta) {
        return value += delta;
    }

    public final long getAndUpdate(LongUnaryOperator updateFunction) {
        long old = value;
        value = updateFunction.applyAsLong(old);
        return old;
    }

    public final long updateAndGet(LongUnaryOperator updateFunction) {
        return value = updateFunction.applyAsLong(value);
    }

    public final long getAndAccumulate(long x, LongBinaryOperator accumulatorFunction) {
        long old = value;
        value = accumulatorFunction.applyAsLong(old, x);
        return old;
    }

    public final long accumulateAndGet(long x, LongBinaryOperator accumulatorFunction) {
        return value = accumulatorFunction.applyAsLong(value, x);
    }

    public String toString() {
        return Long.toString(value);
    }

    @Declarative public int intValue() {
        return (int) value;
    }

    @Declarative public long longValue() {
        return value;
    }

    public float floatValue() {
        return (float) value;
    }

    public double doubleValue() {
        return (double) value;
    }
}
