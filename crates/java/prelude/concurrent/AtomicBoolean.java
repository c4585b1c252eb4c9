package java.util.concurrent.atomic;

import glassbox.Declarative;

/** With one thread, a Boolean that changes. */
public class AtomicBoolean implements java.io.Serializable {
    private volatile boolean value;

    public AtomicBoolean(boolean initialValue) {
        value = initialValue;
    }

    public AtomicBoolean() {}

    @Declarative public final boolean get() {
        return value;
    }

    @Declarative public final boolean getPlain() {
        return value;
    }

    @Declarative public final boolean getOpaque() {
        return value;
    }

    @Declarative public final boolean getAcquire() {
        return value;
    }

    public final void set(boolean newValue) {
        value = newValue;
    }

    public final void lazySet(boolean newValue) {
        value = newValue;
    }

    public final void setPlain(boolean newValue) {
        value = newValue;
    }

    public final void setOpaque(boolean newValue) {
        value = newValue;
    }

    public final void setRelease(boolean newValue) {
        value = newValue;
    }

    public final boolean getAndSet(boolean newValue) {
        boolean old = value;
        value = newValue;
        return old;
    }

    public final boolean compareAndSet(boolean expectedValue, boolean newValue) {
        if (value != expectedValue) return false;
        value = newValue;
        return true;
    }

    public final boolean compareAndExchange(boolean expectedValue, boolean newValue) {
        boolean old = value;
        if (old == expectedValue) value = newValue;
        return old;
    }

    public String toString() {
        return String.valueOf(value);
    }
}
