// A set of ints built on a map, in the style of java.util.TreeSet. What the set holds is said by its abstraction, which
// is made of the abstraction of the map: so it is the same with an AbsIntMap in the place of the map.

import glassbox.*;

public class TreeSet {
    /** What the map holds for every element. */
    static final Object THERE = new Object();

    @Tree @NonNull TreeMap map = new TreeMap();

    public boolean add(@Range("0..2*n") int x) {
        return map.put(x, THERE) == null;
    }

    public boolean remove(@Range("0..2*n") int x) {
        return map.remove(x) != null;
    }

    public boolean contains(@Range("0..2*n") int x) {
        return map.containsKey(x);
    }

    public boolean isEmpty() {
        return map.isEmpty();
    }

    public int size() {
        return map.size();
    }

    public void clear() {
        map.clear();
    }

    @Declarative
    boolean repOk() {
        return map.repOk() && map.abstraction().allEntries((x, there) -> there != null);
    }

    @Declarative
    @Abstraction
    AbsIntSet abstraction() {
        return map.abstraction().keys();
    }
}
