package java.util.concurrent.atomic;

import glassbox.Declarative;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/** With one thread, a value that changes. */
public class AtomicReference<V> implements java.io.Serializable {
    private volatile V value;

    public AtomicReference(V initialValue) {
        value = initialValue;
    }

    public AtomicReference() {}

    @Declarative public final V get() {
        return value;
    }

    @Declarative public final V getPlain() {
        return value;
    }

    @Declarative public final V getOpaque() {
        return value;
    }

    @Declarative public final V getAcquire() {
        return value;
    }

    public final void set(V newValue) {
        value = newValue;
    }

    public final void lazySet(V newValue) {
        value = newValue;
    }

    public final void setPlain(V newValue) {
        value = newValue;
    }

    public final void setOpaque(V newValue) {
        value = newValue;
    }

    public final void setRelease(V newValue) {
        value = newValue;
    }

    public final V getAndSet(V newValue) {
        V old = value;
        value = newValue;
        return old;
    }

    public final boolean compareAndSet(V expectedValue, V newValue) {
        if (value != expectedValue) return false;
        value = newValue;
        return true;
    }

    public final V compareAndExchange(V expectedValue, V newValue) {
        V old = value;
        if (old == expectedValue) value = newValue;
        return old;
    }

    public final V getAndUpdate(UnaryOperator<V> updateFunction) {
        V old = value;
        value = updateFunction.apply(old);
        return old;
    }

    public final V updateAndGet(UnaryOperator<V> updateFunction) {
        return value = updateFunction.apply(value);
    }

    public final V getAndAccumulate(V x, BinaryOperator<V> accumulatorFunction) {
        V old = value;
        value = accumulatorFunction.apply(old, x);
        return old;
    }

    public final V accumulateAndGet(V x, BinaryOperator<V> accumulatorFunction) {
        return value = accumulatorFunction.apply(value, x);
    }

    public String toString() {
        return String.valueOf(value);
    }
}
