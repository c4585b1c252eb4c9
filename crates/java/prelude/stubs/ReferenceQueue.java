package java.lang.ref;

/** What the garbage collector has taken: nobody knows. */
public class ReferenceQueue<T> {
    public ReferenceQueue() {}

    public native Reference<? extends T> poll();

    public native Reference<? extends T> remove() throws InterruptedException;

    public native Reference<? extends T> remove(long timeout) throws InterruptedException;
}
