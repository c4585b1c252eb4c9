package java.io;

/** Serialization is not modelled. */
public class ObjectOutputStream {
    private ObjectOutputStream() {}
}
