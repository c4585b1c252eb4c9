// Bug: whether the element was there is asked after it is removed. Smallest size: 1. Operation: remove. Kind: abstraction.

import glassbox.*;

public class HashSet {
    /** What the map holds for every element. */
    static final Object THERE = new Object();

    @Tree @NonNull HashMap map = new HashMap();

    public boolean add(@Range("0..n-1") int x) {
        return map.put(x, THERE) == null;
    }

    public boolean remove(@Range("0..n-1") int x) {
        map.remove(x);
        return map.containsKey(x);
    }

    public boolean contains(@Range("0..n-1") int x) {
        return map.containsKey(x);
    }

    public boolean isEmpty() {
        return map.isEmpty();
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
