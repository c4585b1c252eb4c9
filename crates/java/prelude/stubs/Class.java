package java.lang;

/** Classes as values are not modelled. */
public final class Class<T> {
    private Class() {}

    public native String getName();

    public native boolean isInstance(Object object);

    public native T cast(Object object);
}
