package java.util.concurrent.atomic;

import glassbox.Declarative;
import java.util.function.IntUnaryOperator;
import java.util.function.IntBinaryOperator;

/** With one thread, a number that changes. */
public class AtomicInteger extends Number implements java.io.Serializable {
    private volatile int value;

    public AtomicInteger(int initialValue) {
        value = initialValue;
    }

    public AtomicInteger() {}

    @Declarative public final int get() {
        return value;
    }

    @Declarative public final int getPlain() {
        return value;
    }

    @Declarative public final int getOpaque() {
        return value;
    }

    @Declarative public final int getAcquire() {
        return value;
    }

    public final void set(int newValue) {
        value = newValue;
    }

    public final void lazySet(int newValue) {
        value = newValue;
    }

    public final void setPlain(int newValue) {
        value = newValue;
    }

    public final void setOpaque(int newValue) {
        value = newValue;
    }

    public final void setRelease(int newValue) {
        value = newValue;
    }

    public final int getAndSet(int newValue) {
        int old = value;
        value = newValue;
        return old;
    }

    public final boolean compareAndSet(int expectedValue, int newValue) {
        if (value != expectedValue) return false;
        value = newValue;
        return true;
    }

    public final int compareAndExchange(int expectedValue, int newValue) {
        int old = value;
        if (old == expectedValue) value = newValue;
        return old;
    }

    public final int getAndIncrement() {
        return value++;
    }

    public final int getAndDecrement() {
        return value--;
    }

    public final int getAndAdd(int delta) {
        int old = value;
        value += delta;
        return old;
    }

    public final int incrementAndGet() {
        return ++value;
    }

    public final int decrementAndGet() {
        return --value;
    }

    public final int addAndGet(int delta) {
        return value += delta;
    }

    public final int getAndUpdate(IntUnaryOperator updateFunction) {
        int old = value;
        value = updateFunction.applyAsInt(old);
        return old;
    }

    public final int updateAndGet(IntUnaryOperator updateFunction) {
        return value = updateFunction.applyAsInt(value);
    }

    public final int getAndAccumulate(int x, IntBinaryOperator accumulatorFunction) {
        int old = value;
        value = accumulatorFunction.applyAsInt(old, x);
        return old;
    }

    public final int accumulateAndGet(int x, IntBinaryOperator accumulatorFunction) {
        return value = accumulatorFunction.applyAsInt(value, x);
    }

    public String toString() {
        return Integer.toString(value);
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
