package java.util.stream;

/** Streams are not modelled. */
public interface Stream<T> {}
