package jdk.internal.access;

public final class JavaLangAccess {
    JavaLangAccess() {}

    public <E extends Enum<E>> E[] getEnumConstantsShared(Class<E> type) {
        return type.getEnumConstants();
    }

    public native String join(String prefix, String suffix, String delimiter, String[] elements, int size);
}
