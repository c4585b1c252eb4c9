package glassbox;

/** A collection or a map of the library as declarative code goes through it: its elements or entries by number, in the order of its iterator. */
public interface Elements {
    @Declarative
    Object element(int number);
}
