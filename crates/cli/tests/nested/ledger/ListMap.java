// A map of ints as a sorted list.

import glassbox.*;

public class ListMap implements IntMap {
    static class Entry {
        @Range("0..2*n") int key;
        Object value;
        @Tree Entry next;
    }

    @Tree Entry first;

    public Object get(@Range("0..2*n") int key) {
        Entry e = first;
        while (e != null && e.key < key) e = e.next;
        return e != null && e.key == key ? e.value : null;
    }

    public Object put(@Range("0..2*n") int key, Object value) {
        Entry before = null;
        Entry e = first;
        while (e != null && e.key < key) {
            before = e;
            e = e.next;
        }
        if (e != null && e.key == key) {
            Object old = e.value;
            e.value = value;
            return old;
        }
        Entry added = new Entry();
        added.key = key;
        added.value = value;
        added.next = e;
        if (before == null)
            first = added;
        else
            before.next = added;
        return null;
    }

    public Object remove(@Range("0..2*n") int key) {
        Entry before = null;
        Entry e = first;
        while (e != null && e.key < key) {
            before = e;
            e = e.next;
        }
        if (e == null || e.key != key) return null;
        if (before == null)
            first = e.next;
        else
            before.next = e.next;
        return e.value;
    }

    @Declarative
    public boolean repOk() {
        return isSorted(first);
    }

    @Declarative
    static boolean isSorted(Entry e) {
        return e == null || e.next == null || e.key < e.next.key && isSorted(e.next);
    }

    @Declarative @Abstraction
    public AbsIntMap abstraction() {
        return new AbsIntMap(cells(first, GlassBox.size() + 1));
    }

    @Declarative
    static AbsIntMap.Cell cells(Entry e, int places) {
        if (places == 0) return null;
        boolean there = e != null;
        return new AbsIntMap.Cell(there, there ? e.key : 0, there ? e.value : null,
            cells(there ? e.next : null, places - 1));
    }
}
