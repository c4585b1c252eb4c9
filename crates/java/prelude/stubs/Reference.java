package java.lang.ref;

/** When the garbage collector takes what it refers to, nobody knows: to ask for that is not supported. */
public abstract class Reference<T> {
    Reference(T referent) {}

    Reference(T referent, ReferenceQueue<? super T> queue) {}

    public native T get();

    public final native boolean refersTo(T object);

    public native void clear();

    public native boolean isEnqueued();

    public native boolean enqueue();

    public static void reachabilityFence(Object object) {}
}
