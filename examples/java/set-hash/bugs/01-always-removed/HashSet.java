// Bug: removing an element that is not there says that it was there. Smallest size: 1. Operation: remove. Kind: abstraction.

import glassbox.*;

public class HashSet {
    @Max("1")
    static class HashMap {
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

        boolean isEmpty() {
            return size == 0;
        }

        void clear() {
            for (int i = 0; i < table.length; i++) table[i] = null;
            size = 0;
        }

        boolean containsKey(int key) {
            for (Entry e = table[binOf(key)]; e != null; e = e.next) {
                if (e.key == key) return true;
            }
            return false;
        }

        Object put(int key, Object value) {
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

        Object remove(int key) {
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
    }

    /** What the map holds for every element. */
    static final Object THERE = new Object();

    @NonNull HashMap map = new HashMap();

    public boolean add(@Range("0..n-1") int x) {
        return map.put(x, THERE) == null;
    }

    public boolean remove(@Range("0..n-1") int x) {
        map.remove(x);
        return true;
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
        return map.repOk() && GlassBox.forall(0, HashMap.BINS, bin -> valuesAreThere(map.table[bin]));
    }

    @Declarative
    static boolean valuesAreThere(HashMap.Entry e) {
        return e == null || e.value != null && valuesAreThere(e.next);
    }

    @Declarative
    @Abstraction
    AbsIntSet abstraction() {
        // Elements are below n and unique, so that no chain is longer.
        int longest = (GlassBox.size() + HashMap.BINS - 1) / HashMap.BINS;
        AbsIntSet.Cell cells = null;
        for (int bin = HashMap.BINS - 1; bin >= 0; bin--) cells = chain(map.table[bin], longest, cells);
        return new AbsIntSet(cells);
    }

    /** A cell for each of so many places in the chain from e on, in front of the others. */
    @Declarative
    static AbsIntSet.Cell chain(HashMap.Entry e, int places, AbsIntSet.Cell others) {
        boolean present = e != null;
        return places == 0
            ? others
            : new AbsIntSet.Cell(present, present ? e.key : 0, chain(present ? e.next : null, places - 1, others));
    }
}
