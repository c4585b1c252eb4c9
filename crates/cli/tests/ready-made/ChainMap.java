// The smallest map that is compared with AbsMap: a chain of entries, no two with equal keys.

import glassbox.*;
import java.util.Objects;

public class ChainMap {
    static class Entry {
        Object key, value;
        @Tree Entry next;
    }

    @Tree Entry first;

    public Object get(Object key) {
        for (Entry e = first; e != null; e = e.next) {
            if (Objects.equals(e.key, key)) return e.value;
        }
        return null;
    }

    public Object put(Object key, Object value) {
        for (Entry e = first; e != null; e = e.next) {
            if (Objects.equals(e.key, key)) {
                Object old = e.value;
                e.value = value;
                return old;
            }
        }
        Entry added = new Entry();
        added.key = key;
        added.value = value;
        added.next = first;
        first = added;
        return null;
    }

    @Declarative
    boolean repOk() {
        return keysAreUnique(first);
    }

    @Declarative
    static boolean keysAreUnique(Entry e) {
        return e == null || !has(e.next, e.key) && keysAreUnique(e.next);
    }

    @Declarative
    static boolean has(Entry e, Object key) {
        return e != null && (Objects.equals(e.key, key) || has(e.next, key));
    }

    // One place more than a start state uses: put adds an entry.
    @Declarative @Abstraction
    AbsMap abstraction() {
        return new AbsMap(cells(first, GlassBox.size() + 1));
    }

    @Declarative
    static AbsMap.Cell cells(Entry e, int places) {
        if (places == 0) return null;
        boolean there = e != null;
        return new AbsMap.Cell(there, there ? e.key : null, there ? e.value : null,
            cells(there ? e.next : null, places - 1));
    }
}
