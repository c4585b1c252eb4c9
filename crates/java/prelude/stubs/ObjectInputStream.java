package java.io;

/** Serialization is not modelled. */
public class ObjectInputStream {
    private ObjectInputStream() {}
}
