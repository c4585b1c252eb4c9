import glassbox.*;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;

// What declarative code goes through by `for`, in the order of the iterator: woven in beside the specifications of these classes.

// Along what trees and chains are made of: other references, such as that to a parent, may be any before a state is known to be valid.

@SpecFor("java.util.HashMap")
class ElementsOfHashMap<K, V> implements Elements {
    Node<K, V>[] table;

    static class Node<K, V> {
        Node<K, V> next;
    }

    @Declarative
    public Object element(int number) {
        return nthOf(table, 0, number);
    }

    @Declarative
    static <K, V> Node<K, V> nthOf(Node<K, V>[] table, int bin, int number) {
        if (table == null || bin >= table.length) return null;
        int here = length(table[bin]);
        return number < here ? nth(table[bin], number) : nthOf(table, bin + 1, number - here);
    }

    @Declarative
    static <K, V> Node<K, V> nth(Node<K, V> e, int number) {
        return e == null || number == 0 ? e : nth(e.next, number - 1);
    }

    @Declarative
    static <K, V> int length(Node<K, V> e) {
        return e == null ? 0 : 1 + length(e.next);
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
        return nthAfter(head, number);
    }

    @Declarative
    static <K, V> Entry<K, V> nthAfter(Entry<K, V> e, int number) {
        return e == null || number == 0 ? e : nthAfter(e.after, number - 1);
    }
}

@SpecFor("java.util.TreeMap")
class ElementsOfTreeMap<K, V> implements Elements {
    Entry<K, V> root;

    static class Entry<K, V> {
        Entry<K, V> left;
        Entry<K, V> right;
    }

    @Declarative
    public Object element(int number) {
        return nth(root, number);
    }

    @Declarative
    static <K, V> Entry<K, V> nth(Entry<K, V> e, int number) {
        if (e == null) return null;
        int before = entries(e.left);
        return number < before ? nth(e.left, number) : number == before ? e : nth(e.right, number - before - 1);
    }

    @Declarative
    static <K, V> int entries(Entry<K, V> e) {
        return e == null ? 0 : 1 + entries(e.left) + entries(e.right);
    }
}

@SpecFor("java.util.Hashtable")
class ElementsOfHashtable<K, V> implements Elements {
    Entry<?, ?>[] table;

    static class Entry<K, V> {
        Entry<K, V> next;
    }

    @Declarative
    public Object element(int number) {
        return nthDown(table, table.length - 1, number);
    }

    /** In this bin and those before it. */
    @Declarative
    static Entry<?, ?> nthDown(Entry<?, ?>[] table, int bin, int number) {
        if (bin < 0) return null;
        int here = length(table[bin]);
        return number < here ? nth(table[bin], number) : nthDown(table, bin - 1, number - here);
    }

    @Declarative
    static Entry<?, ?> nth(Entry<?, ?> e, int number) {
        return e == null || number == 0 ? e : nth(e.next, number - 1);
    }

    @Declarative
    static int length(Entry<?, ?> e) {
        return e == null ? 0 : 1 + length(e.next);
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
