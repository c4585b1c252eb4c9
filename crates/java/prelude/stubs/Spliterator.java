package java.util;

/** Streams are not modelled. */
public interface Spliterator<T> {}
