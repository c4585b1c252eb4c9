package java.lang.invoke;

/** A field that is read and written by its name: that is not supported. */
public class VarHandle {
    VarHandle() {}

    public native Object get(Object... args);

    public native void set(Object... args);

    public native Object getVolatile(Object... args);

    public native void setVolatile(Object... args);

    public native Object getOpaque(Object... args);

    public native void setOpaque(Object... args);

    public native Object getAcquire(Object... args);

    public native void setRelease(Object... args);

    public native boolean compareAndSet(Object... args);

    public native boolean weakCompareAndSet(Object... args);

    public native Object compareAndExchange(Object... args);

    public native Object getAndSet(Object... args);

    public native Object getAndAdd(Object... args);

    public static void fullFence() {}

    public static void acquireFence() {}

    public static void releaseFence() {}

    public static void loadLoadFence() {}

    public static void storeStoreFence() {}
}
