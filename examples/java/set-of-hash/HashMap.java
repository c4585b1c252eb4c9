// A map from ints to objects as a hash table with 16 chained bins, in the style of java.util.HashMap without resizing.
// The invariant is that keys are unique and in the right bin, and the number of entries; what the map holds is said by
// its abstraction: every operation must do what it does on an AbsIntMap.

import glassbox.*;

public class HashMap {
    static class Entry {
        @Range("0..n-1") int key;
        Object value;
        @Tree Entry next;

        Entry(int key, Object value, Entry next) {
            this.key = key;
            this.value = value;
            this.next = next;
        }
    }

    static final int BINS = 16;

    @Tree @NonNull @Length("16..16") Entry[] table = new Entry[BINS];
    @Range("0..n") int size;

    public boolean isEmpty() {
        return size == 0;
    }

    public void clear() {
        for (int i = 0; i < table.length; i++) table[i] = null;
        size = 0;
    }

    public boolean containsKey(@Range("0..n-1") int key) {
        for (Entry e = table[binOf(key)]; e != null; e = e.next) {
            if (e.key == key) return true;
        }
        return false;
    }

    public Object get(@Range("0..n-1") int key) {
        for (Entry e = table[binOf(key)]; e != null; e = e.next) {
            if (e.key == key) return e.value;
        }
        return null;
    }

    public Object put(@Range("0..n-1") int key, Object value) {
        int bin = binOf(key);
        for (Entry e = table[bin]; e != null; e = e.next) {
            if (e.key == key) {
                Object old = e.value;
                e.value = value;
                return old;
            }
        }
        table[bin] = new Entry(key, value, table[bin]);
        size++;
        return null;
    }

    public Object remove(@Range("0..n-1") int key) {
        int bin = binOf(key);
        Entry previous = null;
        Entry e = table[bin];
        while (e != null) {
            if (e.key == key) {
                if (previous == null)
                    table[bin] = e.next;
                else
                    previous.next = e.next;
                size--;
                return e.value;
            }
            previous = e;
            e = e.next;
        }
        return null;
    }

    @Declarative
    static int hash(int key) {
        return key ^ (key >>> 4);
    }

    @Declarative
    static int binOf(int key) {
        return hash(key) & (BINS - 1);
    }

    @Declarative
    boolean repOk() {
        if (table.length != BINS) return false;
        int entries = 0;
        for (int bin = 0; bin < BINS; bin++) {
            if (!allInBin(table[bin], bin)) return false;
            if (!keysAreUnique(table[bin])) return false;
            entries += count(table[bin]);
        }
        return size == entries;
    }

    @Declarative
    static boolean allInBin(Entry e, int bin) {
        return e == null || binOf(e.key) == bin && allInBin(e.next, bin);
    }

    @Declarative
    static boolean keysAreUnique(Entry e) {
        return e == null || !contains(e.next, e.key) && keysAreUnique(e.next);
    }

    @Declarative
    static boolean contains(Entry e, int key) {
        return e != null && (e.key == key || contains(e.next, key));
    }

    @Declarative
    static int count(Entry e) {
        return e == null ? 0 : 1 + count(e.next);
    }

    @Declarative
    @Abstraction
    AbsIntMap abstraction() {
        // Keys are below n and unique, so that no chain is longer.
        int longest = (GlassBox.size() + BINS - 1) / BINS;
        AbsIntMap.Cell cells = null;
        for (int bin = BINS - 1; bin >= 0; bin--) cells = chain(table[bin], longest, cells);
        return new AbsIntMap(cells);
    }

    /** A cell for each of so many places in the chain from e on, in front of the others. */
    @Declarative
    static AbsIntMap.Cell chain(Entry e, int places, AbsIntMap.Cell others) {
        boolean present = e != null;
        return places == 0
            ? others
            : new AbsIntMap.Cell(present, present ? e.key : 0, present ? e.value : null,
                chain(present ? e.next : null, places - 1, others));
    }
}
