import glassbox.*;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;

// What declarative code goes through by `for`, in the order of the iterator: woven in beside the specifications of these classes.

@SpecFor("java.util.HashMap")
class ElementsOfHashMap<K, V> implements Elements {
    Node<K, V>[] table;

    static class Node<K, V> {
        int hash;
        Node<K, V> next;
    }

    @Declarative
    public Object element(int number) {
        return nth(firstOfAll(0), number);
    }

    @Declarative
    final Node<K, V> nth(Node<K, V> e, int number) {
        return number == 0 ? e : nthAfter(nth(e, number - 1));
    }

    @Declarative
    final Node<K, V> nthAfter(Node<K, V> e) {
        return e.next != null ? e.next : firstOfAll((e.hash & table.length - 1) + 1);
    }

    @Declarative
    final Node<K, V> firstOfAll(int bin) {
        return bin >= table.length ? null : table[bin] != null ? table[bin] : firstOfAll(bin + 1);
    }
}

@SpecFor("java.util.LinkedHashMap")
class ElementsOfLinkedHashMap<K, V> implements Elements {
    Entry<K, V> head;

    static class Entry<K, V> {
        Entry<K, V> after;
    }

    @Declarative
    public Object element(int number) {
        return nthFrom(head, number);
    }

    @Declarative
    static <K, V> Entry<K, V> nthFrom(Entry<K, V> e, int number) {
        return number == 0 ? e : nthFrom(e, number - 1).after;
    }
}

@SpecFor("java.util.TreeMap")
class ElementsOfTreeMap<K, V> implements Elements {
    native Entry<K, V> getFirstEntry();
    static native <K, V> Entry<K, V> successor(Entry<K, V> t);

    static class Entry<K, V> {}

    @Declarative
    public Object element(int number) {
        return nthEntry(number);
    }

    @Declarative
    final Entry<K, V> nthEntry(int number) {
        return number == 0 ? getFirstEntry() : successor(nthEntry(number - 1));
    }
}

@SpecFor("java.util.HashSet")
class ElementsOfHashSet<E> implements Elements {
    HashMap<E, Object> map;

    @Declarative
    public Object element(int number) {
        return ((Map.Entry<?, ?>) ((Elements) (Object) map).element(number)).getKey();
    }
}

@SpecFor("java.util.TreeSet")
class ElementsOfTreeSet<E> implements Elements {
    NavigableMap<E, Object> m;

    @Declarative
    public Object element(int number) {
        return ((Map.Entry<?, ?>) ((Elements) (Object) m).element(number)).getKey();
    }
}

@SpecFor("java.util.ArrayDeque")
class ElementsOfArrayDeque<E> implements Elements {
    Object[] elements;
    int head;

    @Declarative
    public Object element(int number) {
        return elements[(head + number) % elements.length];
    }
}

@SpecFor("java.util.PriorityQueue")
class ElementsOfPriorityQueue<E> implements Elements {
    Object[] queue;

    @Declarative
    public Object element(int number) {
        return queue[number];
    }
}

@SpecFor("java.util.ArrayList")
class ElementsOfArrayList<E> implements Elements {
    public native E get(int index);

    @Declarative
    public Object element(int number) {
        return get(number);
    }
}

@SpecFor("java.util.LinkedList")
class ElementsOfLinkedList<E> implements Elements {
    public native E get(int index);

    @Declarative
    public Object element(int number) {
        return get(number);
    }
}

@SpecFor("java.util.Vector")
class ElementsOfVector<E> implements Elements {
    public native E get(int index);

    @Declarative
    public Object element(int number) {
        return get(number);
    }
}
