package java.lang;

/** There is one object for each class. What a class has is not modelled. */
public final class Class<T> {
    private Class() {}

    public native String getName();

    public native String getSimpleName();

    public native String getTypeName();

    public native boolean isInstance(Object object);

    public native boolean isAssignableFrom(Class<?> other);

    public native boolean isInterface();

    public native boolean isArray();

    public native boolean isPrimitive();

    public native boolean isEnum();

    public native boolean isRecord();

    public native Class<? super T> getSuperclass();

    public native Class<?>[] getInterfaces();

    public native Class<?> getComponentType();

    public native int getModifiers();

    public native T[] getEnumConstants();

    public native boolean desiredAssertionStatus();

    public native T cast(Object object);
}
