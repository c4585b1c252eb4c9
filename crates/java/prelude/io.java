package java.io;

public interface Serializable {}

public interface Closeable extends AutoCloseable {}
