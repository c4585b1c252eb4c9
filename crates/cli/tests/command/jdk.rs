//! Classes of the JDK, as shipped, against the specifications that come with the command; and copies of them with one fault each.
//!
//! Needs the sources of JDK 17 (Debian: openjdk-17-source), which `scripts/test` installs.

use crate::{Ran, glassbox, root};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};

/// One change to the source of a class: the first place with the text gets another. It is found by an operation, at a size.
struct Fault {
    /// The specification that finds it.
    class: &'static str,
    /// The class that is changed.
    file: &'static str,
    from: &'static str,
    to: &'static str,
    method: &'static str,
    size: u32,
}

const fn fault(class: &'static str, from: &'static str, to: &'static str, method: &'static str, size: u32) -> Fault {
    fault_in(class, class, from, to, method, size)
}

const fn fault_in(
    class: &'static str,
    file: &'static str,
    from: &'static str,
    to: &'static str,
    method: &'static str,
    size: u32,
) -> Fault {
    Fault { class, file, from, to, method, size }
}

/// Each class, with a size at which all its operations are verified quickly.
const VERIFIED: &[(&str, u32)] = &[
    ("ArrayDeque", 3),
    ("ArrayList", 5),
    ("BitSet", 2),
    ("Collections", 3),
    ("Collections.UnmodifiableSet", 3),
    ("ComparableTimSort", 4),
    ("HashMap", 1),
    ("HashMap.TreeNode", 8),
    ("HashSet", 2),
    ("Hashtable", 3),
    ("IdentityHashMap", 1),
    ("LinkedHashMap", 3),
    ("LinkedHashSet", 1),
    ("LinkedList", 7),
    ("PriorityQueue", 3),
    ("Stack", 5),
    ("TreeMap", 3),
    ("TreeMap.AscendingSubMap", 3),
    ("TreeMap.KeyIterator", 3),
    ("TreeSet", 3),
    ("Vector", 5),
];

const FAULTS: &[Fault] = &[
    fault(
        "LinkedList",
        "if (o.equals(x.item)) {\n                    unlink(x);",
        "if (o == x.item) {\n                    unlink(x);",
        "remove(Object)",
        2,
    ),
    fault("LinkedList", "l.next = newNode;", "l.next = l;", "add(E)", 2),
    fault("LinkedList", "pred.next = newNode;\n        size++;", "pred.next = newNode;", "add(int,E)", 3),
    fault("LinkedList", "next.prev = prev;", "next.prev = x;", "remove(int)", 3),
    fault(
        "LinkedList",
        "for (int i = size - 1; i > index; i--)",
        "for (int i = size - 1; i > index + 1; i--)",
        "get",
        3,
    ),
    fault(
        "ArrayList",
        "if (o.equals(es[i])) {\n                    return i;",
        "if (o == es[i]) {\n                    return i;",
        "indexOf",
        2,
    ),
    fault("ArrayList", "es[size = newSize] = null;", "size = newSize;", "remove(int)", 2),
    fault(
        "ArrayList",
        "elementData, index + 1,\n                         s - index);",
        "elementData, index + 1,\n                         s - index - 1);",
        "add(int,E)",
        3,
    ),
    fault(
        "ArrayList",
        "System.arraycopy(es, i + 1, es, i, newSize - i);",
        "System.arraycopy(es, i + 1, es, i, newSize - i - 1);",
        "remove(int)",
        4,
    ),
    fault(
        "Vector",
        "if (o.equals(elementData[i]))\n                    return i;",
        "if (o == elementData[i])\n                    return i;",
        "indexOf",
        2,
    ),
    fault(
        "Vector",
        "elementCount--;\n        elementData[elementCount] = null;",
        "elementCount--;",
        "removeElementAt",
        2,
    ),
    fault(
        "Vector",
        "elementData[index] = obj;\n        elementCount = s + 1;",
        "elementData[index] = obj;",
        "insertElementAt",
        2,
    ),
    fault("Vector", "elementData[s] = e;", "elementData[0] = e;", "add", 2),
    fault("Stack", "removeElementAt(len - 1);", "removeElementAt(0);", "pop", 2),
    fault("Stack", "return size() - i;", "return size() - i - 1;", "search", 2),
    fault("Stack", "return elementAt(len - 1);", "return elementAt(0);", "peek", 2),
    fault(
        "ArrayDeque",
        "if (o.equals(es[i])) {\n                        delete(i);",
        "if (o == es[i]) {\n                        delete(i);",
        "removeFirstOccurrence",
        2,
    ),
    fault(
        "ArrayDeque",
        "if (head == (tail = inc(tail, es.length)))\n            grow(1);",
        "tail = inc(tail, es.length);",
        "addLast",
        2,
    ),
    fault("ArrayDeque", "head = inc(h, es.length);", "head = h + 1;", "pollFirst", 2),
    fault(
        "ArrayDeque",
        "System.arraycopy(es, h, es, h + 1, front);",
        "System.arraycopy(es, h, es, h, front);",
        "removeFirstOccurrence",
        4,
    ),
    // The first of two that are equal, with another between them.
    fault(
        "ArrayDeque",
        "for (int i = tail, end = head, to = (i >= end) ? end : 0;\n                 ; i = es.length, to = end) {\n                for (i--; i > to - 1; i--)",
        "for (int i = head, end = tail, to = (i <= end) ? end : es.length;\n                 ; i = 0, to = end) {\n                for (; i < to; i++)",
        "removeLastOccurrence",
        3,
    ),
    fault("TreeMap", "rotateLeft(parentOf(parentOf(x)));", "rotateRight(parentOf(parentOf(x)));", "put", 7),
    fault("TreeMap", "l.right.parent = p;", "", "remove", 15),
    fault("TreeMap", "p.value = s.value;", "", "remove", 3),
    fault("TreeMap", "if (p.color == BLACK)\n                fixAfterDeletion(replacement);", "", "remove", 7),
    fault("TreeMap", "size++;\n        modCount++;", "modCount++;", "put", 2),
    fault("PriorityQueue", "if (o.equals(es[i]))", "if (o == es[i])", "remove", 2),
    fault(
        "PriorityQueue",
        "if (key.compareTo((T) c) <= 0)\n                break;",
        "if (key.compareTo((T) c) >= 0)\n                break;",
        "poll",
        3,
    ),
    fault(
        "PriorityQueue",
        "Object e = es[parent];\n            if (key.compareTo((T) e) >= 0)",
        "Object e = es[parent];\n            if (key.compareTo((T) e) <= 0)",
        "offer",
        3,
    ),
    fault(
        "Hashtable",
        "if ((entry.hash == hash) && entry.key.equals(key)) {\n                V old",
        "if ((entry.hash == hash) && entry.key == key) {\n                V old",
        "put",
        2,
    ),
    fault("Hashtable", "prev.next = e.next;", "prev.next = null;", "remove", 4),
    fault(
        "Hashtable",
        "int index = (e.hash & 0x7FFFFFFF) % newCapacity;",
        "int index = (e.hash & 0x7FFFFFFF) % oldCapacity;",
        "put",
        2,
    ),
    fault("Hashtable", "count--;", "", "remove", 2),
    // Enumerations and iterators: an entry of a bin is left out, or what an iterator removes is another one than it gave.
    fault(
        "Hashtable",
        "entry = e.next;\n                return type",
        "entry = null;\n                return type",
        "nextElement",
        2,
    ),
    fault(
        "Hashtable",
        "type == KEYS ? (T)e.key : (type == VALUES",
        "type == KEYS ? (T)e.key : (type != VALUES",
        "next",
        1,
    ),
    fault("Hashtable", "if (e == lastReturned) {", "if (e != null) {", "removeAndNext", 2),
    fault(
        "Hashtable",
        "expectedModCount++;\n                        lastReturned = null;",
        "expectedModCount++;",
        "endOfRemove",
        1,
    ),
    fault(
        "Hashtable",
        "if (Hashtable.this.modCount != expectedModCount)",
        "if (Hashtable.this.modCount < expectedModCount)",
        "endOfNext",
        1,
    ),
    // Two values change places when the table grows: sums are as before.
    fault(
        "Hashtable",
        "e.next = (Entry<K,V>)newMap[index];",
        "e.next = (Entry<K,V>)newMap[index]; if (e.next != null) { V v = e.value; e.value = e.next.value; e.next.value = v; }",
        "put",
        5,
    ),
    fault(
        "HashMap",
        "((k = e.key) == key || (key != null && key.equals(k))))\n                        break;",
        "((k = e.key) == key))\n                        break;",
        "put",
        2,
    ),
    fault("HashMap", "hiTail.next = null;", "", "put", 2),
    fault("HashMap", "p.next = node.next;", "p.next = null;", "remove", 3),
    fault("HashMap", "tab[index] = node.next;", "tab[index] = null;", "remove", 2),
    fault("HashSet", "return map.put(e, PRESENT)==null;", "return map.put(e, PRESENT)!=null;", "add", 2),
    fault("HashSet", "return map.remove(o)==PRESENT;", "return map.remove(o)!=null && map.isEmpty();", "remove", 2),
    fault("HashSet", "return map.containsKey(o);", "return map.containsValue(o);", "contains", 2),
    fault("TreeSet", "return m.put(e, PRESENT)==null;", "return m.put(e, PRESENT)!=null;", "add", 2),
    fault("TreeSet", "return m.remove(o)==PRESENT;", "return m.remove(o)==null;", "remove", 2),
    fault("TreeSet", "return m.firstKey();", "return m.lastKey();", "first", 2),
    fault("TreeSet", "return m.floorKey(e);", "return m.lowerKey(e);", "floor", 2),
    // Two values change places: sums are as before, what the map holds is not.
    fault(
        "TreeMap",
        "Entry<K,V> r = p.right;\n            p.right = r.left;",
        "Entry<K,V> r = p.right;\n            V v = p.value; p.value = r.value; r.value = v;\n            p.right = r.left;",
        "put",
        3,
    ),
    fault("LinkedHashMap", "last.after = p;", "", "put", 1),
    fault("LinkedHashMap", "a.before = b;", "a.before = a;", "remove(Object)", 2),
    fault("LinkedHashMap", "tail = p;\n            ++modCount", "++modCount", "getByAccess", 2),
    fault_in("LinkedHashMap", "HashMap", "p.next = node.next;", "p.next = null;", "removeByAccess", 3),
    fault(
        "LinkedHashMap",
        "super.clear();\n        head = tail = null;",
        "super.clear();\n        head = null;",
        "clear",
        1,
    ),
    fault("LinkedHashMap", "value.equals(v)", "value == v", "containsValue", 1),
    fault_in("LinkedHashSet", "LinkedHashMap", "last.after = p;", "", "add", 1),
    fault_in("LinkedHashSet", "LinkedHashMap", "a.before = b;", "a.before = a;", "remove(Object)", 2),
    fault_in("LinkedHashSet", "HashSet", "return map.remove(o)==PRESENT;", "return map.remove(o)==null;", "remove", 1),
    fault_in(
        "LinkedHashSet",
        "HashSet",
        "map = new LinkedHashMap<>(initialCapacity, loadFactor);",
        "map = new HashMap<>(initialCapacity, loadFactor);",
        "LinkedHashSet",
        1,
    ),
    // A new element becomes the first one.
    fault_in(
        "LinkedHashSet",
        "LinkedHashMap",
        "LinkedHashMap.Entry<K,V> last = tail;\n        tail = p;\n        if (last == null)\n            head = p;\n        else {\n            p.before = last;\n            last.after = p;\n        }",
        "LinkedHashMap.Entry<K,V> last = head;\n        head = p;\n        if (last == null)\n            tail = p;\n        else {\n            p.after = last;\n            last.before = p;\n        }",
        "add",
        1,
    ),
    fault_in(
        "LinkedHashSet",
        "HashMap",
        "((k = p.key) == key || (key != null && key.equals(k))))\n                e = p;",
        "((k = p.key) == key))\n                e = p;",
        "add",
        1,
    ),
    fault(
        "IdentityHashMap",
        "closeDeletion(i);\n                return oldValue;",
        "return oldValue;",
        "remove(Object)",
        2,
    ),
    fault("IdentityHashMap", "return (i + 2 < len ? i + 2 : 0);", "return (i + 4 < len ? i + 4 : 0);", "get", 2),
    fault("IdentityHashMap", "tab[d + 1] = tab[i + 1];", "", "remove(Object)", 2),
    fault(
        "BitSet",
        "words[wordIndex] &= ~(1L << bitIndex);\n\n        recalculateWordsInUse();",
        "words[wordIndex] &= ~(1L << bitIndex);",
        "clear(int)",
        2,
    ),
    fault("BitSet", "words[wordIndex] |= (1L << bitIndex);", "words[wordIndex] |= (1 << bitIndex);", "set(int)", 2),
    fault("BitSet", "words[wordIndex] ^= (1L << bitIndex);", "words[wordIndex] |= (1L << bitIndex);", "flip(int)", 2),
    // Iterators, and the counts of changes that they rely on.
    fault("ArrayList", "lastRet = -1;\n                expectedModCount = modCount;", "lastRet = -1;", "remove()", 1),
    fault("ArrayList", "cursor = lastRet;\n                lastRet = -1;", "cursor = lastRet;", "remove()", 1),
    fault("ArrayList", "cursor = i + 1;\n            return (E)", "return (E)", "next", 1),
    fault("ArrayList", "modCount++;\n        add(e, elementData, size);", "add(e, elementData, size);", "add(E)", 1),
    fault(
        "ArrayList",
        "final void checkForComodification() {\n            if (modCount != expectedModCount)",
        "final void checkForComodification() {\n            if (modCount > expectedModCount)",
        "endOfNext",
        1,
    ),
    fault(
        "Vector",
        "Vector.this.remove(lastRet);\n                expectedModCount = modCount;",
        "Vector.this.remove(lastRet);",
        "remove()",
        1,
    ),
    fault("LinkedList", "lastReturned = null;\n            expectedModCount++;", "lastReturned = null;", "remove()", 1),
    fault(
        "LinkedList",
        "next = lastNext;\n            else\n                nextIndex--;",
        "next = lastNext;\n            nextIndex--;",
        "remove()",
        1,
    ),
    fault("LinkedList", "next = next.next;\n            nextIndex++;", "next = next.next;", "next", 1),
    fault("ArrayDeque", "cursor = inc(lastRet = cursor, es.length);", "cursor = (lastRet = cursor) + 1;", "next", 1),
    fault("ArrayDeque", "if (leftShifted)", "if (!leftShifted)", "remove()", 1),
    fault(
        "ArrayDeque",
        "postDelete(delete(lastRet));\n            lastRet = -1;",
        "postDelete(delete(lastRet));",
        "remove()",
        1,
    ),
    fault("PriorityQueue", "lastRet = -1;\n                if (moved == null)", "if (moved == null)", "remove()", 1),
    fault(
        "PriorityQueue",
        "if (moved == null)\n                    cursor--;",
        "if (moved == null)\n                    ;",
        "remove()",
        1,
    ),
    fault("HashMap", "current = null;\n            removeNode(p.hash", "removeNode(p.hash", "endOfRemove", 1),
    fault(
        "HashMap",
        "removeNode(p.hash, p.key, null, false, false);\n            expectedModCount = modCount;",
        "removeNode(p.hash, p.key, null, false, false);",
        "endOfRemove",
        1,
    ),
    fault(
        "HashMap",
        "if ((next = (current = e).next) == null && (t = table) != null) {",
        "if ((next = (current = e).next) == null && (t = table) != null && index == 0) {",
        "next",
        1,
    ),
    fault_in(
        "TreeMap.KeyIterator",
        "TreeMap",
        "if (lastReturned.left != null && lastReturned.right != null)\n                next = lastReturned;",
        "",
        "remove()",
        3,
    ),
    fault_in(
        "TreeMap.KeyIterator",
        "TreeMap",
        "deleteEntry(lastReturned);\n            expectedModCount = modCount;",
        "deleteEntry(lastReturned);",
        "remove()",
        1,
    ),
    fault_in(
        "TreeMap.KeyIterator",
        "TreeMap",
        "next = successor(e);\n            lastReturned = e;",
        "next = e.right;\n            lastReturned = e;",
        "next",
        2,
    ),
    fault("TreeMap", "size++;\n        modCount++;", "size++;", "put", 1),
    fault("HashMap", "++modCount;\n        if (++size > threshold)", "if (++size > threshold)", "put", 1),
    fault("PriorityQueue", "forgetMeNot.add(moved);", "", "remove()", 6),
    // `equals`, `hashCode` and views.
    fault_in(
        "ArrayList",
        "ArrayList",
        "if (!Objects.equals(es[i], otherEs[i]))",
        "if (es[i] != otherEs[i])",
        "equals",
        1,
    ),
    fault_in(
        "ArrayList",
        "ArrayList",
        "hashCode = 31 * hashCode + (e == null ? 0 : e.hashCode());",
        "hashCode = 31 + (e == null ? 0 : e.hashCode());",
        "hashCode",
        2,
    ),
    fault_in(
        "LinkedList",
        "AbstractList",
        "if (!(o1==null ? o2==null : o1.equals(o2)))",
        "if (!(o1 == o2))",
        "equals",
        1,
    ),
    fault_in(
        "LinkedList",
        "AbstractList",
        "return !(e1.hasNext() || e2.hasNext());",
        "return !e1.hasNext();",
        "equals",
        1,
    ),
    fault_in(
        "Vector",
        "AbstractList",
        "if (!(o1==null ? o2==null : o1.equals(o2)))",
        "if (o1 != null && !o1.equals(o2))",
        "equals",
        1,
    ),
    fault_in("HashMap", "AbstractMap", "if (!value.equals(m.get(key)))", "if (value != m.get(key))", "isEqual", 1),
    fault_in("HashMap", "AbstractMap", "if (m.size() != size())\n            return false;", "", "isEqual", 1),
    fault_in(
        "HashMap",
        "HashMap",
        "return removeNode(hash(key), key, null, false, true) != null;",
        "return removeNode(hash(key), key, null, true, true) != null;",
        "remove(Object)",
        1,
    ),
    fault_in(
        "HashMap",
        "HashMap",
        "return removeNode(hash(key), key, value, true, true) != null;",
        "return removeNode(hash(key), key, value, false, true) != null;",
        "removePair",
        1,
    ),
    fault_in(
        "HashMap",
        "HashMap",
        "return candidate != null && candidate.equals(e);",
        "return candidate != null;",
        "containsPair",
        1,
    ),
    fault_in(
        "HashMap",
        "HashMap",
        "return Objects.hashCode(key) ^ Objects.hashCode(value);",
        "return Objects.hashCode(key);",
        "hash",
        1,
    ),
    fault_in("TreeMap", "AbstractMap", "if (m.size() != size())\n            return false;", "", "isEqual", 1),
    fault_in("TreeMap", "AbstractMap", "h += entry.hashCode();", "h = entry.hashCode();", "hash", 2),
    fault("TreeMap", "return keyHash ^ valueHash;", "return keyHash;", "hash", 1),
    fault_in("TreeSet", "AbstractSet", "return containsAll(c);", "return true;", "isEqual", 1),
    fault_in("TreeSet", "AbstractSet", "if (c.size() != size())\n            return false;", "", "isEqual", 1),
    fault_in("TreeSet", "AbstractSet", "h += obj.hashCode();", "h = obj.hashCode();", "hash", 2),
    fault_in("HashSet", "AbstractSet", "return containsAll(c);", "return true;", "isEqual", 1),
    fault_in("HashSet", "AbstractSet", "if (c.size() != size())\n            return false;", "", "isEqual", 1),
    fault_in("HashSet", "AbstractSet", "h += obj.hashCode();", "h = obj.hashCode();", "hash", 2),
    fault(
        "HashMap",
        "public final boolean contains(Object o) { return containsValue(o); }",
        "public final boolean contains(Object o) { return containsKey(o); }",
        "contains",
        1,
    ),
    fault(
        "HashMap",
        "class Values extends AbstractCollection<V> {\n        public final int size()                 { return size; }",
        "class Values extends AbstractCollection<V> {\n        public final int size()                 { return isEmpty() ? 0 : 1; }",
        "size",
        2,
    ),
    fault(
        "HashMap",
        "public final void clear()               { HashMap.this.clear(); }\n        public final Iterator<V> iterator()",
        "public final void clear()               {}\n        public final Iterator<V> iterator()",
        "clear",
        1,
    ),
    // Views, and sorting.
    fault_in("TreeMap.AscendingSubMap", "TreeMap", "if (c < 0 || (c == 0 && !loInclusive))", "if (c < 0)", "get", 1),
    fault_in(
        "TreeMap.AscendingSubMap",
        "TreeMap",
        "return inRange(key) && m.containsKey(key);",
        "return m.containsKey(key);",
        "containsKey",
        1,
    ),
    fault_in(
        "TreeMap.AscendingSubMap",
        "TreeMap",
        "if (!inRange(key))\n                throw new IllegalArgumentException(\"key out of range\");\n            return m.put(key, value);",
        "return m.put(key, value);",
        "put",
        1,
    ),
    fault_in(
        "TreeMap.AscendingSubMap",
        "TreeMap",
        "TreeMap.Entry<K,V> e = m.getFloorEntry(key);\n            return (e == null || tooLow(e.key)) ? null : e;",
        "return m.getFloorEntry(key);",
        "floorKey",
        1,
    ),
    fault_in(
        "TreeMap.AscendingSubMap",
        "TreeMap",
        "return !inRange(key) ? null : m.remove(key);",
        "return m.remove(key);",
        "remove",
        1,
    ),
    fault_in(
        "TreeMap.AscendingSubMap",
        "TreeMap",
        "subLowest()       { return absHighest(); }",
        "subLowest()       { return absLowest(); }",
        "firstKey",
        2,
    ),
    fault_in(
        "TreeMap.AscendingSubMap",
        "TreeMap",
        "subFloor(K key)   { return absCeiling(key); }",
        "subFloor(K key)   { return absHigher(key); }",
        "floorKey",
        1,
    ),
    fault_in(
        "TreeMap.AscendingSubMap",
        "TreeMap",
        "subHigher(K key)  { return absLower(key); }",
        "subHigher(K key)  { return absFloor(key); }",
        "higherKey",
        1,
    ),
    fault("ComparableTimSort", "if (pivot.compareTo(a[mid]) < 0)", "if (pivot.compareTo(a[mid]) <= 0)", "sorted", 3),
    fault("ComparableTimSort", "left = mid + 1;", "left = mid + 2;", "sorted", 3),
    fault(
        "ComparableTimSort",
        "if (((Comparable) a[runHi++]).compareTo(a[lo]) < 0) { // Descending",
        "if (((Comparable) a[runHi++]).compareTo(a[lo]) <= 0) { // Descending",
        "sorted",
        2,
    ),
    fault("ComparableTimSort", "a[left] = pivot;", "a[right] = a[left];", "sorted", 3),
    // Merges: equal ones change their order; a run of three is lost; the last one is not where it belongs.
    fault(
        "ComparableTimSort",
        "if (((Comparable) a[cursor2]).compareTo(tmp[cursor1]) < 0) {",
        "if (((Comparable) a[cursor2]).compareTo(tmp[cursor1]) <= 0) {",
        "mergeAt",
        5,
    ),
    fault(
        "ComparableTimSort",
        "if (key.compareTo(a[base + m]) > 0)\n                lastOfs = m + 1;",
        "if (key.compareTo(a[base + m]) >= 0)\n                lastOfs = m + 1;",
        "mergeAt",
        5,
    ),
    fault("ComparableTimSort", "runLen[i + 1] = runLen[i + 2];", "", "mergeForceCollapse", 4),
    fault("ComparableTimSort", "a[dest] = tmp[cursor2];", "a[dest + 1] = tmp[cursor2];", "mergeAt", 5),
    fault(
        "Collections",
        "public boolean contains(Object o)          {return c.contains(o);}",
        "public boolean contains(Object o)          {return !c.isEmpty();}",
        "contains",
        1,
    ),
    fault(
        "Collections",
        "public void clear() {\n            throw new UnsupportedOperationException();",
        "public void clear() {\n            c.clear();",
        "refusesClear",
        1,
    ),
    fault(
        "Collections",
        "public E get(int index) {return list.get(index);}",
        "public E get(int index) {return list.get(0);}",
        "get",
        1,
    ),
    fault(
        "Collections",
        "public E set(int index, E element) {\n            throw new UnsupportedOperationException();",
        "public E set(int index, E element) {\n            return null;",
        "refusesSet",
        1,
    ),
    fault(
        "Collections",
        "public V get(Object key)                 {return m.get(key);}",
        "public V get(Object key)                 {return m.remove(key);}",
        "get",
        1,
    ),
    fault_in(
        "Collections.UnmodifiableSet",
        "Collections",
        "public boolean contains(Object o)          {return c.contains(o);}",
        "public boolean contains(Object o)          {return !c.isEmpty();}",
        "contains",
        1,
    ),
    fault_in(
        "Collections.UnmodifiableSet",
        "Collections",
        "public boolean remove(Object o) {\n            throw new UnsupportedOperationException();",
        "public boolean remove(Object o) {\n            return c.remove(o);",
        "refusesRemove",
        1,
    ),
    fault_in(
        "Collections.UnmodifiableSet",
        "Collections",
        "public int hashCode()           {return c.hashCode();}",
        "public int hashCode()           {return c.size();}",
        "hashCode",
        1,
    ),
    // Iterators of the list through a LinkedHashMap.
    fault(
        "LinkedHashMap",
        "current = e;\n            next = e.after;",
        "current = e;\n            next = e.before;",
        "next",
        2,
    ),
    fault("LinkedHashMap", "current = null;\n            removeNode(p.hash", "removeNode(p.hash", "remove()", 1),
    fault(
        "LinkedHashMap",
        "removeNode(p.hash, p.key, null, false, false);\n            expectedModCount = modCount;",
        "removeNode(p.hash, p.key, null, false, false);",
        "remove()",
        1,
    ),
    fault(
        "IdentityHashMap",
        "// back up index to revisit new contents after deletion\n            index = deletedSlot;",
        "",
        "remove()",
        2,
    ),
    fault("IdentityHashMap", "expectedModCount = ++modCount;", "++modCount;", "remove()", 1),
    fault(
        "IdentityHashMap",
        "lastReturnedIndex = index;\n            index += 2;",
        "lastReturnedIndex = index;",
        "next",
        1,
    ),
    // Results.
    fault(
        "LinkedList",
        "final Node<E> f = first;\n        if (f == null)\n            throw new NoSuchElementException();\n        return f.item;",
        "final Node<E> f = last;\n        if (f == null)\n            throw new NoSuchElementException();\n        return f.item;",
        "getFirst",
        2,
    ),
    fault("LinkedList", "result[i++] = x.item;", "result[i] = x.item;", "toArray", 2),
    fault("Vector", "return elementCount == 0;", "return elementData.length == 0;", "isEmpty", 1),
    fault("IdentityHashMap", "if (tab[i] == value && tab[i - 1] != null)", "if (tab[i] == value)", "containsValue", 1),
    // Bins that are trees.
    fault_in("HashMap.TreeNode", "HashMap", "hd.treeify(tab);", ";", "putAndGet", 8),
    fault_in(
        "HashMap.TreeNode",
        "HashMap",
        "if (pred == null)\n                tab[index] = first = succ;\n            else\n                pred.next = succ;",
        "if (pred == null)\n                tab[index] = first = succ;",
        "putAndRemove",
        8,
    ),
    fault_in(
        "HashMap.TreeNode",
        "HashMap",
        "if ((rl = p.right = r.left) != null)\n                    rl.parent = p;",
        "rl = p.right = r.left;",
        "put",
        8,
    ),
    fault_in("HashMap.TreeNode", "HashMap", "xp.next = x;", "", "putBoth", 8),
    fault_in(
        "HashMap.TreeNode",
        "HashMap",
        "else if ((pk = p.key) == k || (k != null && k.equals(pk)))\n                    return p;",
        "else if ((pk = p.key) == k)\n                    return p;",
        "putAndGet",
        8,
    ),
];

/// The sources of an installed JDK 17.
fn src_zip() -> PathBuf {
    let installed = std::fs::read_dir("/usr/lib/jvm").expect("JDKs are installed").filter_map(|e| Some(e.ok()?.path()));
    let is_17 = |home: &PathBuf| {
        std::fs::read_to_string(home.join("release")).is_ok_and(|text| text.contains("JAVA_VERSION=\"17"))
    };
    let zips = installed.filter(is_17).map(|home| home.join("lib/src.zip"));
    zips.filter(|zip| zip.is_file()).min().expect("the sources of JDK 17: openjdk-17-source")
}

fn source(class: &str) -> String {
    // Its list has 15,000 entries: read once.
    static ARCHIVE: LazyLock<Mutex<zip::ZipArchive<File>>> = LazyLock::new(|| {
        let file = File::open(src_zip()).expect("the archive opens");
        Mutex::new(zip::ZipArchive::new(file).expect("an archive"))
    });
    let mut archive = ARCHIVE.lock().expect("no panic");
    let mut text = String::new();
    let entry = format!("java.base/java/util/{class}.java");
    archive.by_name(&entry).expect("the class is there").read_to_string(&mut text).expect("text");
    text
}

fn check(class: &str, size: u32, more: &[&str]) -> Ran {
    let (spec, size, zip) = (format!("java.util.{class}"), size.to_string(), src_zip().display().to_string());
    // The other engine would run beside it, and the programs of other tests too.
    let mut arguments = vec!["check", "--spec", &spec, "--size", &size, "--engine", "glassbox"];
    arguments.extend(more);
    arguments.extend(["--source-path", &zip]);
    glassbox(&arguments)
}

#[test]
fn verified_as_shipped() {
    for (class, size) in VERIFIED {
        let ran = check(class, *size, &[]);
        assert_eq!(ran.status, 0, "{class}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn every_specification_has_faults_that_are_found() {
    for (class, _) in VERIFIED {
        let count = FAULTS.iter().filter(|f| f.class == *class).count();
        assert!(count >= 3, "{class} has {count} faults");
    }
    let specs = std::fs::read_dir(root().join("specs/java.util")).expect("specifications").count();
    assert_eq!(specs, VERIFIED.len());
}

#[test]
fn faults_are_found() {
    // Of each class two, and every fourth of the others; all of them with `ALL_MUTANTS` in the environment.
    let is_all = std::env::var_os("ALL_MUTANTS").is_some();
    let mut tried: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, Fault { class, file, from, to, method, size }) in FAULTS.iter().enumerate() {
        let text = source(file);
        assert!(text.contains(from), "{file} has no `{from}`");
        let tried = tried.entry(class).or_default();
        *tried += 1;
        if *tried > 2 && number % 4 != 0 && !is_all {
            continue;
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("jdk-{number}"));
        std::fs::create_dir_all(folder.join("java/util")).expect("a folder");
        std::fs::write(folder.join(format!("java/util/{file}.java")), text.replacen(from, to, 1)).expect("a file");
        let folder = folder.display().to_string();
        let ran = check(class, *size, &["--method", method, "--source-path", &folder]);
        assert_eq!(ran.status, 1, "{class}: `{from}` as `{to}`: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn what_is_not_there_is_named() {
    let expect = |arguments: &[&str], words: &[&str]| {
        let ran = glassbox(&[&["check"], arguments].concat());
        assert_eq!(ran.status, 2, "{}{}", ran.stdout, ran.stderr);
        words.iter().for_each(|w| assert!(ran.stderr.contains(w), "{w}: {}", ran.stderr));
    };
    expect(
        &["--spec", "java.util.TreeMapp"],
        &["no specification of `java.util.TreeMapp`", "did you mean `java.util.TreeMap`?"],
    );
    let spec = |text: &str| crate::java_file("Spec", text);
    let gone = spec("@SpecFor(\"java.util.NoSuchList\") class S { @Declarative boolean repOk() { return true; } }");
    expect(&[&gone], &["the source of `java.util.NoSuchList`, which this specifies, was not found", "src.zip"]);
    let field =
        spec("@SpecFor(\"java.util.Stack\") class S<E> { int nosuch; @Declarative boolean repOk() { return true; } }");
    expect(
        &[&field],
        &["`Stack` has no field `nosuch`, nor has a class that it extends", "another version of the library"],
    );
    let method = spec(
        "@SpecFor(\"java.util.Stack\") class S<E> { native int pop(int i); @Declarative boolean repOk() { return true; } }",
    );
    expect(&[&method], &["`Stack` has no method `pop(int)`"]);
    let again = spec(
        "@SpecFor(\"java.util.Stack\") class S<E> { boolean empty() { return true; } @Declarative boolean repOk() { return true; } }",
    );
    expect(&[&again], &["`Stack` has a method `empty` of its own", "declare it `native`"]);
    // What the original calls stays what it was: in the class itself, and above it.
    for (added, of) in [
        ("indexOf(Integer o)", "ArrayList"),
        ("containsAll(Object o)", "AbstractCollection"),
        ("hashCode()", "ArrayList"),
    ] {
        let text = format!(
            "@SpecFor(\"java.util.ArrayList\") class S<E> {{ public int {added} {{ return 0; }} @Declarative boolean repOk() {{ return true; }} }}"
        );
        let name = added.split('(').next().unwrap_or_default();
        expect(
            &[&spec(&text)],
            &[&format!("`{of}` has a method `{name}` of its own"), "code of the original would call it"],
        );
    }
    let ty = spec(
        "@SpecFor(\"java.util.ArrayList\") class S<E> { long size; @Declarative boolean repOk() { return true; } }",
    );
    expect(&[&ty], &["`size` is of type `int` in the original, not `long`"]);
    let built_in = spec("@SpecFor(\"java.lang.Math\") class S { @Declarative boolean repOk() { return true; } }");
    expect(&[&built_in], &["`java.lang.Math` is built in"]);
    let params = spec("@SpecFor(\"java.util.ArrayList\") class S<T> { @Declarative boolean repOk() { return true; } }");
    expect(&[&params], &["`S` has other type parameters than `ArrayList`", "write `<E>`"]);
}

/// Of a class within another; what may be thrown is said as in Java; a `final` field that is made at the beginning is not null.
#[test]
fn specifications_of_other_classes() {
    // The original's `equals` calls the `eq` of the class around, not that of the specification.
    let entry = "import java.util.Objects; @SpecFor(\"java.util.AbstractMap.SimpleEntry\") class S<K, V> {
        @OneOf(Integer.class) K key; @OneOf(Integer.class) V value; @Check native V setValue(@OneOf(Integer.class) V v);
        @Declarative boolean repOk() { return true; }
        @Check public native boolean equals(Object o);
        @Declarative static boolean eq(Object one, Object other) { return true; }
        @Post(\"equals\") @Declarative boolean isEqual(S<K, V> before, Object o, boolean result) {
            return !(o instanceof S) || result == (Objects.equals(key, ((S<?, ?>) o).key) && Objects.equals(value, ((S<?, ?>) o).value)); }
        @Post(\"setValue\") @Declarative boolean isSet(S<K, V> before, V v, V result) { return value == v && result == before.value; } }";
    let list = "@SpecFor(\"java.util.concurrent.CopyOnWriteArrayList\") class S<E> { @OneOf(Integer.class) @NonNull @Owned Object[] array;
        @Check native boolean add(@OneOf(Integer.class) E e); @Check native E remove(int index) throws IndexOutOfBoundsException;
        @Declarative boolean repOk() { return true; }
        @Post(\"remove\") @Declarative boolean isRemoved(S<E> before, int index, E result) {
            return result == before.array[index] && array.length == before.array.length - 1; } }";
    // A class of one's own is named, one that the original's package knows nothing of; locks are held by nobody at the beginning.
    let map = "import java.util.*; @SpecFor(\"java.util.EnumMap\") class S<K extends Enum<K>, V> {
        Class<K> keyType; K[] keyUniverse; @Owned @OneOf(Integer.class) Object[] vals; @Range(\"0..3\") int size;
        @Check native V put(@NonNull @OneOf(Color.class) K key, @NonNull @OneOf(Integer.class) V value);
        @Declarative boolean repOk() { return keyType == (Object) Color.class && keyUniverse != null && keyUniverse.length == 2 && vals != null
            && vals.length == 2 && GlassBox.forall(0, 2, i -> keyUniverse[i] == (Object) Color.values()[i])
            && size == (vals[0] == null ? 0 : 1) + (vals[1] == null ? 0 : 1); }
        @Post(\"put\") @Declarative boolean isPut(S<K, V> before, K key, V value) { return vals[((Color) (Object) key).ordinal()] == value; } }
        enum Color { RED, BLUE }";
    let queue = "import java.util.concurrent.locks.*; @SpecFor(\"java.util.concurrent.ArrayBlockingQueue\") @Max(\"1\") class S<E> {
        @OneOf(Integer.class) @NonNull @Owned @Length(\"1..n\") Object[] items; @Range(\"0..n\") int takeIndex, putIndex, count;
        @NonNull ReentrantLock lock; @NonNull Condition notEmpty, notFull; @Check native E poll(); @Check native boolean offer(@NonNull @OneOf(Integer.class) E e);
        @Declarative boolean repOk() { return 0 <= takeIndex && takeIndex < items.length && 0 <= count && count <= items.length
            && (takeIndex + count) % items.length == putIndex
            && GlassBox.forall(0, items.length, i -> (items[i] != null) == ((i - takeIndex + items.length) % items.length < count)); }
        @Post(\"poll\") @Declarative boolean isTaken(S<E> before, E result) { return result == before.items[before.takeIndex]; } }";
    for (text, from, to) in [
        (map, "== value;", "== (Object) size;"),
        (queue, "before.takeIndex]; }", "takeIndex]; }"),
        (entry, "value == v", "value == result"),
        (list, "before.array.length - 1", "before.array.length"),
        (list, " throws IndexOutOfBoundsException", ""),
    ] {
        let check = |text: &str| glassbox(&["check", &crate::java_file("Spec", text), "--size", "2"]);
        let ran = check(text);
        assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
        assert_eq!(check(&text.replacen(from, to, 1)).status, 1, "{to}");
    }
    let gone = entry.replacen("SimpleEntry", "NoEntry", 1);
    let ran = glassbox(&["check", &crate::java_file("Spec", &gone)]);
    assert!(ran.status == 2 && ran.stderr.contains("the source of `java.util.AbstractMap.NoEntry`"), "{}", ran.stderr);
}

#[test]
fn what_is_not_supported_names_the_calls_that_lead_there() {
    let text = "@SpecFor(\"java.util.ArrayList\") class S<E> { @NonNull @Owned Object[] elementData; @Range(\"0..0\") int modCount;
        @Check void streams() { stream(); }
        native java.util.stream.Stream<E> stream();
        @Declarative boolean repOk() { return true; } }";
    let ran = glassbox(&["check", &crate::java_file("Spec", text), "--size", "1"]);
    assert_eq!(ran.status, 2, "{}{}", ran.stdout, ran.stderr);
    for words in ["error[unsupported]", "StreamSupport", "`stream` is called here", "Spec.java"] {
        assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
    }
}

/// Classes that lead to half of the JDK: what runs do not get to costs nothing, and what they get to is named with its calls.
#[test]
fn only_what_is_reached_matters() {
    let check = |text: &str, size: &str| glassbox(&["check", &crate::java_file("Spec", text), "--size", size]);
    let empty =
        "@SpecFor(\"java.util.WeakHashMap\") class S<K, V> { @Range(\"0..0\") int size; @Check native int size();
        @Declarative boolean repOk() { return true; } }";
    let ran = check(empty, "2");
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let some = empty.replace("0..0", "0..1");
    let ran = check(&some, "2");
    assert_eq!(ran.status, 1, "its queue is null: {}{}", ran.stdout, ran.stderr);
    let joiner =
        "@SpecFor(\"java.util.StringJoiner\") class S { @Range(\"0..n\") int size; @NonNull @Owned String[] elts;
        @Check native String toString(); @Declarative boolean repOk() { return true; } }";
    let ran = check(joiner, "1");
    assert_eq!(ran.status, 2, "{}{}", ran.stdout, ran.stderr);
    for words in ["`JavaLangAccess.join` is not supported", "a run of this operation gets there"] {
        assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
    }
    // The reason for which an initialiser runs is given once.
    let drawn = "class C { int x; public int f() { return java.util.concurrent.ThreadLocalRandom.current().nextInt(9); } @Declarative boolean repOk() { return true; } }";
    let ran = check(drawn, "1");
    assert_eq!(ran.status, 2, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.stderr.matches("runs when `ThreadLocalRandom` is first used").count(), 1, "{}", ran.stderr);
    // Checked itself, it lacks what a static block would have set that only its serialization reads.
    let random = |at_most: &str| {
        format!(
            "import java.util.concurrent.atomic.*; @SpecFor(\"java.util.Random\") class S {{ @NonNull AtomicLong seed; @Check native int next(@Range(\"1..4\") int bits);
            @Declarative boolean repOk() {{ return true; }}
            @Post(\"next\") @Declarative boolean isNext(S before, int bits, int result) {{ return -(1 << bits) < result && result {at_most} 1 << bits; }} }}"
        )
    };
    assert_eq!(check(&random("<"), "2").status, 0);
    assert_eq!(check(&random("< -1 +"), "2").status, 1);
    let seeded = "class C { @Range(\"0..1\") int x; @Check int f() { return new java.util.Random(x).nextInt(100); } @Declarative boolean repOk() { return true; }
        @Post(\"f\") @Declarative boolean isDrawn(C before, int result) { return result == (x == 0 ? 60 : 85); } }";
    assert_eq!(check(seeded, "1").status, 0);
    // Dates need enums whose durations need `BigInteger`, but not the logarithms that this computes at the beginning.
    let date = |february: u32| {
        format!(
            "@SpecFor(\"java.time.LocalDate\") class S {{ @Range(\"1999..2004\") int year; @Range(\"1..12\") short month; @Range(\"1..31\") short day;
            @Check native int lengthOfMonth(); @Check native int getDayOfYear();
            @Declarative static int length(int y, int m) {{ return m == 2 ? (y % 4 == 0 ? {february} : 28) : m == 4 || m == 6 || m == 9 || m == 11 ? 30 : 31; }}
            @Declarative boolean repOk() {{ return 1 <= month && month <= 12 && 1 <= day && day <= length(year, month); }}
            @Post(\"lengthOfMonth\") @Declarative boolean isLength(S before, int result) {{ return result == length(year, month); }}
            @Post(\"getDayOfYear\") @Declarative boolean isDay(S before, int result) {{
                int days = day;
                for (int m = 1; m < 12; m++) if (m < month) days += length(year, m);
                return result == days; }} }}"
        )
    };
    assert_eq!(check(&date(29), "1").status, 0);
    assert_eq!(check(&date(30), "1").status, 1);
    // Of classes that no code makes objects of, no `equals` is in the way.
    let queue = "import java.util.concurrent.locks.*; @SpecFor(\"java.util.concurrent.ArrayBlockingQueue\") @Max(\"1\") class S<E> {
        @OneOf(Integer.class) @NonNull @Owned @Length(\"1..n\") Object[] items; @Range(\"0..0\") int takeIndex, putIndex, count;
        @NonNull ReentrantLock lock; @NonNull Condition notEmpty; @Check native boolean offer(@NonNull @OneOf(Integer.class) E e);
        @Declarative boolean repOk() { return true; }
        @Post(\"offer\") @Declarative boolean isThere(S<E> before, E e) { return items[0].equals(e); } }";
    assert_eq!(check(queue, "2").status, 0);
    // Beyond `java.*`; its package has a `Length` of its own.
    let bits = |at: &str| {
        format!(
            "@SpecFor(\"sun.security.util.BitArray\") class S {{
                @NonNull @Owned @Length(\"0..1+n/8\") @Range(\"-128..127\") byte[] repn; @Range(\"0..n\") int length;
                @Check @MayThrow(ArrayIndexOutOfBoundsException.class) native boolean get(@Range(\"-1..n\") int index);
                @Declarative boolean repOk() {{ return repn.length == (length + 7) / 8; }}
                @Post(\"get\") @Declarative boolean got(S before, int index, boolean result) {{
                    return result == ((repn[index / 8] >> {at} & 1) != 0); }} }}"
        )
    };
    assert_eq!(check(&bits("(7 - index % 8)"), "10").status, 0);
    assert_eq!(check(&bits("index % 8"), "10").status, 1);
    let constants = "class C { int f; @Post @Declarative boolean are(C before, int result) { return result == 36 + 0xdfff + 64; }
        public int f() { return Character.MAX_RADIX + Character.MAX_SURROGATE + Double.SIZE; } @Declarative boolean repOk() { return true; } }";
    assert_eq!(check(constants, "1").status, 0);
    let lang = "@SpecFor(\"java.lang.ThreadLocal\") class S<T> { native T get(); @Declarative boolean repOk() { return true; } }";
    let ran = check(lang, "1");
    assert!(!ran.stderr.contains("was not found"), "{}", ran.stderr);
}

/// A method of the specification in the place of a native one, or of one that does what is not supported.
#[test]
fn models_take_the_place_of_what_is_not_supported() {
    let text = |cas: &str| {
        format!(
            "@SpecFor(\"java.util.concurrent.atomic.AtomicInteger\") @Max(\"1\") class S {{
                @Range(\"0..n\") int value;
                @Check native boolean compareAndSet(@Range(\"0..n\") int expectedValue, @Range(\"0..n\") int newValue);
                @Declarative boolean repOk() {{ return true; }}
                @Post(\"compareAndSet\") @Declarative boolean isSet(S before, int old, int now, boolean result) {{
                    return result == (before.value == old) && value == (result ? now : before.value); }} }}
            @SpecFor(\"jdk.internal.misc.Unsafe\") class U {{
                @Model private int arrayBaseOffset0(Class<?> c) {{ return 0; }}
                @Model private int arrayIndexScale0(Class<?> c) {{ return 1; }}
                @Model public long objectFieldOffset(Class<?> c, String name) {{ return 0; }}
                {cas} }}"
        )
    };
    let check = |text: &str| glassbox(&["check", &crate::java_file("Spec", text), "--size", "2"]);
    let model = |test: &str| {
        text(&format!(
            "@Model public final boolean compareAndSetInt(Object o, long offset, int expected, int x) {{
                java.util.concurrent.atomic.AtomicInteger a = (java.util.concurrent.atomic.AtomicInteger) o;
                {test} a.set(x); return true; }}"
        ))
    };
    let ran = check(&model("if (a.get() != expected) return false;"));
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("`Unsafe.compareAndSetInt` does what its model"), "{}", ran.stdout);
    let ran = check(&model(""));
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    let ran = check(&text(""));
    assert_eq!(ran.status, 2, "{}{}", ran.stdout, ran.stderr);
    for words in ["`Unsafe.compareAndSetInt` is not supported", "`@Model` in a specification of its class"] {
        assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
    }
    let refused = |cas: &str, words: &str| {
        let ran = check(&text(cas));
        assert_eq!(ran.status, 2, "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
    };
    refused("public final int addressSize() { return 8; }", "mark it `@Model`");
    refused("@Model public int nosuch() { return 8; }", "`Unsafe` has no method `nosuch()`");
    refused("@Model public static int addressSize() { return 8; }", "`addressSize` is not static in the original");
    refused(
        "@Model public long addressSize() { return 8; }",
        "`addressSize` is of type `int` in the original, not `long`",
    );
    let elsewhere = "class C { @Model int f() { return 1; } @Declarative boolean repOk() { return true; } }";
    let ran = check(elsewhere);
    assert!(ran.status == 2 && ran.stderr.contains("`@Model` is for methods of a specification"), "{}", ran.stderr);
}

#[test]
fn the_object_around_an_inner_one_goes_by_its_name_in_java() {
    let text = "@SpecFor(\"java.util.ArrayList\") @Max(\"1\") class S<E> { @Range(\"0..0\") int modCount;
        @OneOf(Integer.class) @NonNull @Owned Object[] elementData; @Range(\"0..n\") int size;
        class Itr { @Range(\"0..n\") int cursor; @Check native boolean hasNext(); @Declarative boolean repOk() { return cursor > 0; }
            @Post(\"hasNext\") @Declarative boolean never(Itr before, boolean result) { return false; } }
        class ListItr { @Check native boolean hasPrevious(); } }";
    let ran = glassbox(&["check", &crate::java_file("Spec", text), "--size", "1"]);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    // Both a ListItr and the Itr that it is have an outer object: the same one.
    assert!(ran.stdout.contains("this: ListItr  ArrayList.this=arraylist1 cursor=1 "), "{}", ran.stdout);
    assert!(!ran.stdout.contains("ArrayList.this=arraylist1 ArrayList.this="), "{}", ran.stdout);
}

/// A class of one's own on the source path, with an invariant of its own: what the specification adds is its bounds.
#[test]
fn the_original_may_have_an_invariant_of_its_own() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("own-invariant");
    std::fs::create_dir_all(folder.join("p")).expect("a folder");
    let check = |most: &str| {
        let text = format!(
            "package p; import glassbox.*; public class Own {{ int count; public void up() {{ if (count < {most}) count++; }}
                @Declarative boolean repOk() {{ return 0 <= count && count <= 2; }} }}"
        );
        std::fs::write(folder.join("p/Own.java"), text).expect("a file");
        let spec = crate::java_file("Spec", "@SpecFor(\"p.Own\") class S { @Range(\"0..n\") int count; }");
        glassbox(&["check", &spec, "--source-path", &folder.display().to_string()])
    };
    let ran = check("2");
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("2 operations verified"), "{}", ran.stdout);
    assert_eq!(check("3").status, 1);
}

/// Code of one's own over classes of the JDK: verified, and found wrong after one change. Both engines.
#[test]
fn clients_of_the_library() {
    let check = |operation: &str| {
        let text = format!(
            "import glassbox.*; import java.util.*; import java.util.concurrent.*;
            public class Client {{ record Task(int id, int rank) {{}} int state; {operation}
                @Declarative boolean repOk() {{ return true; }} }}"
        );
        let file = crate::java_file("Client", &text);
        let engines = ["glassbox", "exhaustive"];
        engines.map(|engine| {
            glassbox(&[
                "check",
                &file,
                "--size",
                "2",
                "--engine",
                engine,
                "--source-path",
                &src_zip().display().to_string(),
            ])
        })
    };
    let each = |operation: &str, from: &str, to: &str| {
        for ran in check(operation) {
            assert_eq!(ran.status, 0, "{operation}: {}{}", ran.stdout, ran.stderr);
        }
        assert!(operation.contains(from), "{operation} has no {from}");
        for ran in check(&operation.replacen(from, to, 1)) {
            assert_eq!(ran.status, 1, "{from} as {to}: {}{}", ran.stdout, ran.stderr);
        }
    };
    // A cache that forgets what was used least recently; its load factor is that of the call.
    each(
        "@Check public boolean keeps(@Range(\"0..3\") int a, @Range(\"0..3\") int b, @Range(\"0..3\") int c) {
            LinkedHashMap<Integer, Integer> map = new LinkedHashMap<>(4, 0.75f, true) {
                @Override protected boolean removeEldestEntry(Map.Entry<Integer, Integer> e) { return size() > 2; } };
            map.put(a, 1); map.put(b, 2); map.get(a); map.put(c, 3);
            return map.size() <= 2 && (a == b || b == c || map.containsKey(a)); }
        @Post(\"keeps\") @Declarative boolean kept(Client before, int a, int b, int c, boolean result) { return result; }",
        "0.75f, true",
        "0.75f, false",
    );
    each(
        "@Check public int first(@Range(\"0..3\") int a, @Range(\"0..3\") int b) {
            PriorityQueue<Task> q = new PriorityQueue<>(Comparator.comparingInt(Task::rank).reversed().thenComparing(Task::id));
            q.add(new Task(1, b)); q.add(new Task(0, a)); return q.poll().id(); }
        @Post(\"first\") @Declarative boolean isFirst(Client before, int a, int b, int result) { return result == (a >= b ? 0 : 1); }",
        ".reversed()",
        "",
    );
    // The type of the lambda's parameter is that of the list's elements, which only the call around knows.
    each(
        "@Check public int least(@Range(\"0..3\") int a, @Range(\"0..3\") int b) {
            List<Task> l = new ArrayList<>(Arrays.asList(new Task(0, a), new Task(1, b)));
            l.sort(Comparator.comparingInt(t -> t.rank())); Comparator<? super Task> c = Comparator.comparing(t -> t.rank());
            return c.compare(l.get(0), l.get(1)) <= 0 ? l.get(0).id() : 2; }
        @Post(\"least\") @Declarative boolean isLeast(Client before, int a, int b, int result) { return result == (b < a ? 1 : 0); }",
        "comparingInt(t -> t.rank())",
        "comparingInt(t -> -t.rank())",
    );
    each(
        "@Check public int down(@Range(\"0..3\") int a, @Range(\"0..3\") int b, @Range(\"0..3\") int c) {
            List<Integer> l = new ArrayList<>(Arrays.asList(a, b, c)); l.sort(Comparator.reverseOrder());
            return l.get(0) * 100 + l.get(1) * 10 + l.get(2); }
        @Post(\"down\") @Declarative boolean isDown(Client before, int a, int b, int c, int r) {
            return r / 100 >= r / 10 % 10 && r / 10 % 10 >= r % 10 && r / 100 + r / 10 % 10 + r % 10 == a + b + c; }",
        "reverseOrder",
        "naturalOrder",
    );
    each(
        "@Check public int find(@NonNull @Length(\"0..3\") @Range(\"0..3\") int[] a, @Range(\"0..3\") int key) {
            int[] b = a.clone(); Arrays.sort(b); return Arrays.binarySearch(b, key); }
        @Post(\"find\") @Declarative boolean found(Client before, int[] a, int key, int result) {
            return result >= 0 == GlassBox.exists(0, a.length, i -> a[i] == key); }",
        "Arrays.sort(b);",
        "",
    );
    // Listeners that remove themselves while the others are being notified.
    each(
        "@Check public int told(@Range(\"0..3\") int count) {
            CopyOnWriteArrayList<int[]> all = new CopyOnWriteArrayList<>(); int told = 0;
            for (int i = 0; i < count; i++) all.add(new int[1]);
            for (int[] one : all) { told++; all.remove(one); }
            return told + all.size(); }
        @Post(\"told\") @Declarative boolean all(Client before, int count, int result) { return result == count; }",
        "all.remove(one);",
        "",
    );
    each(
        "@Check public int primes(@Range(\"2..12\") int most) {
            BitSet s = new BitSet(most + 1); s.set(2, most + 1);
            for (int p = 2; p * p <= most; p++) if (s.get(p)) for (int m = p * p; m <= most; m += p) s.clear(m);
            return s.cardinality(); }
        @Post(\"primes\") @Declarative boolean are(Client before, int most, int r) {
            return r == (most < 3 ? 1 : most < 5 ? 2 : most < 7 ? 3 : most < 11 ? 4 : 5); }",
        "p * p <= most",
        "p * p < most",
    );
}

/// Classes of the JDK that use reflection or internal parts of the library.
#[test]
fn clients_of_lists_sets_and_enums() {
    let check = |operation: &str, engine: &str| {
        let text = format!(
            "import glassbox.*; import java.util.*;
            public class Client {{ enum Color {{ RED, GREEN {{ int weight() {{ return 2; }} }}, BLUE; int weight() {{ return 1; }} }}
                int state; {operation} @Declarative boolean repOk() {{ return true; }} }}"
        );
        let (file, zip) = (crate::java_file("Client", &text), src_zip().display().to_string());
        glassbox(&["check", &file, "--size", "2", "--engine", engine, "--source-path", &zip])
    };
    let each = |operation: &str, from: &str, to: &str| {
        for engine in ["glassbox", "exhaustive"] {
            let ran = check(operation, engine);
            assert_eq!(ran.status, 0, "{operation}: {}{}", ran.stdout, ran.stderr);
            assert!(operation.contains(from), "{operation} has no {from}");
            let ran = check(&operation.replacen(from, to, 1), engine);
            assert_eq!(ran.status, 1, "{from} as {to}: {}{}", ran.stdout, ran.stderr);
        }
    };
    each(
        "@Check public int f(@Range(\"0..3\") int a, @Range(\"0..3\") int b) {
            List<Integer> l = List.of(a, b, 2), m = List.copyOf(new ArrayList<>(l)); int s = 0; for (int x : m) s += x;
            Integer[] x = new LinkedList<>(l).toArray(new Integer[0]); x[0] = 9;
            try { l.add(1); return -1; } catch (UnsupportedOperationException e) { return s * 10 + l.get(0) + x.length; } }
        @Post(\"f\") @Declarative boolean ok(Client before, int a, int b, int r) { return r == (a + b + 2) * 10 + a + 3; }",
        "l.get(0)",
        "x[0]",
    );
    each(
        "@Check @SuppressWarnings(\"unchecked\") public int f(@Range(\"0..3\") int a) {
            HashMap<Integer, Integer> m = new HashMap<>(Map.of(a, 1)), c = (HashMap<Integer, Integer>) m.clone(); c.put(a, 5);
            ArrayList<Integer> l = new ArrayList<>(Set.of(a, 4)), d = (ArrayList<Integer>) l.clone(); d.add(7);
            return m.get(a) * 10 + l.size(); }
        @Post(\"f\") @Declarative boolean ok(Client before, int a, int r) { return r == 12; }",
        "(HashMap<Integer, Integer>) m.clone()",
        "m",
    );
    each(
        "@Check public int f(@NonNull Color c, @NonNull Color d) {
            EnumMap<Color, Integer> m = new EnumMap<>(Color.class); m.put(c, c.weight()); m.put(Color.valueOf(\"GREEN\"), 5);
            EnumSet<Color> s = EnumSet.complementOf(EnumSet.of(c)); s.removeIf(x -> x == d);
            int r = m.size() * 100; for (Color x : s) r += x.ordinal() + 1; return r; }
        @Post(\"f\") @Declarative boolean ok(Client before, Color c, Color d, int r) {
            return r == (c == Color.GREEN ? 100 : 200) + 5 - c.ordinal() - (c == d ? 0 : d.ordinal() + 1); }",
        "EnumSet.of(c)",
        "EnumSet.of(d)",
    );
    // One order of a `Set.of` is one of many.
    let first = "@Check public int f(@Range(\"0..3\") int a) { return Set.of(a, 5).iterator().next() >= 0 ? 1 : 0; }";
    let ran = check(first, "glassbox");
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("the others that Java may choose were not checked"), "{}", ran.stdout);
    // Constants of an enum of the library are among the objects that the code asks for.
    each(
        "@Check public int f(Object o) { return o instanceof java.math.RoundingMode ? 1 : 0; }
        @Post(\"f\") @Declarative boolean ok(Client before, Object o, int r) { return r <= 1; }",
        "r <= 1",
        "r < 1",
    );
    let never = "Map<Integer, Integer> map; @Check public int f() { return map.size(); }";
    let text =
        format!("import java.util.*; class C {{ {never} @Declarative boolean repOk() {{ return map != null; }} }}");
    let ran = glassbox(&["check", &crate::java_file("C", &text)]);
    assert_eq!(ran.status, 3, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("`map` is null in every start state"), "{}", ran.stdout);
}

/// What the JDK has and is not built in is not supported; what it has not is unknown.
#[test]
fn members_of_the_jdk_are_not_unknown() {
    let refused = |code: &str, words: &str| {
        let text = format!(
            "class C {{ int x; public void f() {{ {code} }} @Declarative boolean repOk() {{ return true; }} }}"
        );
        let ran =
            glassbox(&["check", &crate::java_file("C", &text), "--source-path", &src_zip().display().to_string()]);
        assert_eq!(ran.status, 2, "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
    };
    refused("Character.getName(x);", "error[unsupported]: `Character.getName` is not supported");
    refused("System.exit(x);", "`System.exit` is not supported");
    refused("new java.lang.ref.WeakReference<Object>(this).get();", "`Reference.get` is not supported");
    refused("\"a\".trim();", "`String.trim` is not supported");
    refused("\"a\".indexOf('a');", "`String.indexOf` is not supported");
    refused("new StringBuilder().length();", "`String.length` is not supported");
    refused("new StringBuilder().capacity();", "`StringBuilder.capacity` is not supported");
    refused("Object o = System.nosuch;", "`System` has no field `nosuch`");
    refused("Integer.nosuch(x);", "error[unknown-method]");
}

/// Nothing else of the class is refused, nor a run that does not get there. In declarative code it is an error at once.
#[test]
fn what_is_not_built_in_stops_only_runs_that_get_there() {
    let class = "class C { @Range(\"0..n\") int x; @Check void f() { if (x > LIMIT) System.exit(x); } @Check int g() { return x; }
        @Declarative boolean repOk() { return x >= 0; } }";
    let check = |text: String| {
        glassbox(&[
            "check",
            &crate::java_file("C", &text),
            "--size",
            "2",
            "--source-path",
            &src_zip().display().to_string(),
        ])
    };
    let ran = check(class.replace("LIMIT", "2"));
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let ran = check(class.replace("LIMIT", "1"));
    assert!(ran.status == 2 && ran.stdout.contains("✓ g()"), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("a run of this operation gets there"), "{}", ran.stderr);
    let ran = check(class.replace("x >= 0;", "x > 5 || Character.getName(x) != null;").replace("LIMIT", "2"));
    assert!(ran.status == 2 && !ran.stdout.contains('✓'), "{}{}", ran.stdout, ran.stderr);
}

/// A field by its name (`VarHandle`) stops what uses it, not its whole class.
#[test]
fn fields_by_their_names() {
    let spec = "@SpecFor(\"java.util.concurrent.atomic.AtomicReference\") class S<V> { V value; @Check native V get(); @Check native V getAndSet(V v);
        @Declarative boolean repOk() { return true; } @Post(\"get\") @Declarative boolean isGot(S<V> before, V result) { return result == value; } }";
    let ran = glassbox(&["check", &crate::java_file("Spec", spec), "--size", "1"]);
    assert!(ran.status == 2 && ran.stdout.contains("✓ get()"), "{}{}", ran.stdout, ran.stderr);
    for words in ["`VarHandle.getAndSet` is not supported", "a run of this operation gets there", "`@Model`"] {
        assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
    }
    let ran = glassbox(&[
        "check",
        &crate::java_file("Spec", &spec.replace("== value", "!= value")),
        "--size",
        "1",
        "--method",
        "get",
    ]);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
}

/// Numbers that change and locks, as a class without specifications has them.
#[test]
fn atomic_numbers_and_locks() {
    let class = "import java.util.concurrent.atomic.*; import java.util.concurrent.locks.*;
        class C { private final AtomicInteger next = new AtomicInteger(); private final AtomicReference<Integer> last = new AtomicReference<>();
        private final AtomicBoolean closed = new AtomicBoolean(); private final AtomicLong sum = new AtomicLong(); private final Lock lock = new ReentrantLock();
        @Check int take(@Range(\"0..3\") int k) { lock.lock();
            try { last.set(k); sum.addAndGet(k); closed.compareAndSet(false, true); return next.getAndIncrement(); } finally { lock.unlock(); } }
        @Post(\"take\") @Declarative boolean isTaken(C before, int k, int result) { return result == before.next.get() && next.get() == result + 1
            && last.get() == k && closed.get() && sum.get() == before.sum.get() + k; }
        @Declarative boolean repOk() { return true; } }";
    for (from, to, status) in [
        ("", "", 0),
        ("getAndIncrement", "incrementAndGet", 1),
        ("(false, true)", "(true, false)", 1),
        ("addAndGet(k)", "accumulateAndGet(k, Math::max)", 1),
        ("lock.lock();", "", 1),
        ("last.set(k);", "lock.newCondition().await();", 2),
    ] {
        let text = class.replacen(from, to, 1).replace("int k) {", "int k) throws InterruptedException {");
        let ran = glassbox(&["check", &crate::java_file("C", &text), "--size", "2"]);
        assert_eq!(ran.status, status, "{to}: {}{}", ran.stdout, ran.stderr);
    }
}

/// What shows a state may collect it in a list. What the library sets up for that would be in every state: only `@Show` asks for it.
#[test]
fn a_list_as_text() {
    let class = "class C { @Range(\"0..1\") int x; @Check void f() { x = 2; } @Declarative boolean repOk() { return x < 2; }
        @Show String text() { java.util.ArrayList<Integer> all = new java.util.ArrayList<>(); all.add(7); all.add(x); return \"x: \" + all; } }";
    for (text, shown) in
        [(class.to_string(), "x: [7, 0]"), (class.replace("@Show String text", "public String toString"), "")]
    {
        let ran = glassbox(&[
            "check",
            &crate::java_file("C", &text),
            "--size",
            "1",
            "--source-path",
            &src_zip().display().to_string(),
            "--json",
        ]);
        let report = crate::object(&ran);
        let example = &crate::items(&report)[0]["failures"][0]["example"];
        assert_eq!(example["shown_before"].as_str().unwrap_or(""), shown, "{report:#}");
    }
}

/// A static field whose initialiser is not supported is left out, and so is what that initialiser does to others.
#[test]
fn what_an_initialiser_left_out_would_have_done_is_missing() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("left-out");
    let text = "package p; public class Lib { INITIALISER int x; static native Object get();
            static Object make() { Other.mark = 1; Other.box[0] = 1; return get(); }
            public int mark() { return Other.mark; } public int box() { return Other.box[0]; } public int fine() { return Other.fine; } }
        class Other { static int mark; static int[] box = new int[1]; static int fine; }";
    let spec = "@SpecFor(\"p.Lib\") class S { @Range(\"0..1\") int x; @Check native int mark(); @Check native int box(); @Check native int fine();
        @Declarative boolean repOk() { return true; } @Post @Declarative boolean zero(S before, int r) { return r == 0; } }";
    let spec = crate::java_file("Spec", spec);
    for (initialiser, name) in [
        ("static Object helper = make();", "field"),
        ("static { make(); }", "block"),
        ("static { int[] made = {1}; Object o = make(); Other.mark = made[0]; }", "locals"),
    ] {
        let folder = folder.join(name);
        std::fs::create_dir_all(folder.join("p")).expect("a folder");
        std::fs::write(folder.join("p/Lib.java"), text.replace("INITIALISER", initialiser)).expect("a file");
        for (method, status) in [("mark", 2), ("box", 2), ("fine", 0)] {
            let ran = glassbox(&["check", &spec, "--method", method, "--source-path", &folder.display().to_string()]);
            assert_eq!(ran.status, status, "{name}, {method}: {}{}", ran.stdout, ran.stderr);
        }
    }
}

/// Members that a class inherits, also one within the original; what their annotations name is known where it is written.
#[test]
fn inherited_members_are_declared_again() {
    let check = |text: &str| glassbox(&["check", &crate::java_file("Spec", text), "--size", "1"]);
    let list = |member: &str, test: &str| {
        format!(
            "@SpecFor(\"java.util.ArrayList\") @Max(\"1\") class S<E> {{ @Range(\"0..0\") int modCount;
                @OneOf(Integer.class) @NonNull @Owned Object[] elementData; @Range(\"0..n\") int size;
                class ListItr {{ {member} @Check native boolean hasNext(); @Declarative boolean repOk() {{ return true; }}
                    @Post(\"hasNext\") @Declarative boolean in(ListItr before) {{ return {test}; }} }} }}"
        )
    };
    let ran = check(&list("@Range(\"0..0\") int cursor;", "cursor == 0"));
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(check(&list("@Range(\"0..1\") int cursor;", "cursor == 0")).status, 1);
    let ran = check(&list("int nosuch;", "true"));
    assert!(ran.status == 2 && ran.stderr.contains("`ArrayList.ListItr` has no field `nosuch`"), "{}", ran.stderr);
    let stack = "import java.math.RoundingMode;
        @SpecFor(\"java.util.Stack\") @Max(\"1\") class S<E> { @OneOf(RoundingMode.class) @NonNull @Owned Object[] elementData;
            @Range(\"0..n\") int elementCount; @Range(\"0..0\") int modCount; @Check native boolean empty();
            @Declarative boolean repOk() { return 0 <= elementCount && elementCount <= elementData.length; } }";
    let ran = check(stack);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
}

/// A class that no file is named after: in a folder, also one with the name of a class of `java.lang`; and `TaskQueue`, which is in the file of `Timer`.
#[test]
fn a_class_beside_another_in_its_file() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("beside");
    for package in ["p", "java/util"] {
        std::fs::create_dir_all(folder.join(package)).expect("a folder");
    }
    let write = |path: &str, text: &str| std::fs::write(folder.join(path), text).expect("a file");
    write(
        "p/Shop.java",
        "package p; /* class Till { */ public class Shop { class Record {} }
        @SuppressWarnings({\"x\"}) class Till { int count; int sell(int k) { count += k; return new Module().twice(count); } }",
    );
    write("p/More.java", "package p; class Module { int twice(int x) { return 2 * x; } }");
    let till =
        "@SpecFor(\"p.Till\") class S { @Range(\"0..n\") int count; @Check native int sell(@Range(\"1..2\") int k);
        @Declarative boolean repOk() { return count >= 0; }
        @Post(\"sell\") @Declarative boolean sold(S before, int k, int r) { return r == 2 * before.count + 2 * k; } }";
    let queue = "import glassbox.*; import java.util.TimerTask;
        @SpecFor(\"java.util.TaskQueue\") @Max(\"1\") class S {
            @NonNull @Owned @Length(\"n+2..n+2\") TimerTask[] queue; @Range(\"0..n\") int size;
            @Check native void add(@NonNull TimerTask task); @Check native void removeMin();
            @Declarative boolean repOk() { return 0 <= size && size < queue.length
                && GlassBox.forall(0, queue.length, i -> (queue[i] != null) == (1 <= i && i <= size))
                && GlassBox.forall(2, size + 1, i -> Due.of(queue[i / 2]) <= Due.of(queue[i])); }
            @Pre(\"removeMin\") @Declarative boolean isFilled() { return size > 0; }
            @Post(\"add\") @Declarative boolean isAdded(S before, TimerTask task) {
                return size == before.size + 1 && GlassBox.exists(1, size + 1, i -> queue[i] == task); } }
        @SpecFor(\"java.util.TimerTask\") class Due { @Range(\"0..2\") long nextExecutionTime;
            @Declarative static long of(TimerTask task) { return task.nextExecutionTime; } }
        class Task extends TimerTask { public void run() {} }";
    let check = |spec: &str| {
        let (file, path) = (crate::java_file("Spec", spec), folder.display().to_string());
        let zip = src_zip().display().to_string();
        glassbox(&["check", &file, "--size", "3", "--source-path", &path, "--source-path", &zip])
    };
    for spec in [till, queue] {
        let ran = check(spec);
        assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    }
    write("p/More.java", "package p; class Module { int twice(int x) { return x; } }");
    assert_eq!(check(till).status, 1);
    let (from, to) = ("(j = k << 1) <= size", "(j = k << 1) < size");
    let timer = source("Timer");
    assert!(timer.contains(from));
    write("java/util/Timer.java", &timer.replacen(from, to, 1));
    let ran = check(queue);
    write("java/util/Timer.java", &timer);
    assert!(ran.status == 1 && ran.stdout.contains("removeMin"), "{}{}", ran.stdout, ran.stderr);
    let ran = check(&till.replace("p.Till", "p.Record"));
    assert!(ran.status == 2 && ran.stderr.contains("the source of `p.Record`"), "{}{}", ran.stdout, ran.stderr);
}
