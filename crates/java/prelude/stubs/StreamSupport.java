package java.util.stream;

/** Streams are not modelled. */
public final class StreamSupport {
    private StreamSupport() {}
}
