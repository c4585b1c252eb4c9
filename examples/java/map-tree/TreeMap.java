// A map from ints to objects as a red-black tree with parent pointers, in the style of java.util.TreeMap.
// The invariant is order, parent pointers, colours, black height and the number of entries; what the map holds is said
// by its abstraction: every operation must do what it does on an AbsIntMap.

import glassbox.*;

public class TreeMap {
    static final boolean RED = false;
    static final boolean BLACK = true;

    static class Entry {
        @Range("0..2*n") int key;
        Object value;
        @Tree Entry left;
        @Tree Entry right;
        Entry parent;
        boolean color = BLACK;

        Entry(int key, Object value, Entry parent) {
            this.key = key;
            this.value = value;
            this.parent = parent;
        }
    }

    @Tree Entry root;
    @Range("0..n") int size;

    public boolean isEmpty() {
        return size == 0;
    }

    public void clear() {
        root = null;
        size = 0;
    }

    public int size() {
        return size;
    }

    public boolean containsKey(@Range("0..2*n") int key) {
        return find(key) != null;
    }

    public Object get(@Range("0..2*n") int key) {
        Entry e = find(key);
        return e == null ? null : e.value;
    }

    public Object put(@Range("0..2*n") int key, Object value) {
        Entry e = root;
        if (e == null) {
            root = new Entry(key, value, null);
            size = 1;
            return null;
        }
        Entry parent;
        do {
            parent = e;
            if (key < e.key) {
                e = e.left;
            } else if (key > e.key) {
                e = e.right;
            } else {
                Object old = e.value;
                e.value = value;
                return old;
            }
        } while (e != null);

        e = new Entry(key, value, parent);
        if (key < parent.key)
            parent.left = e;
        else
            parent.right = e;
        fixAfterInsertion(e);
        size++;
        return null;
    }

    public Object remove(@Range("0..2*n") int key) {
        Entry e = find(key);
        if (e == null) return null;
        Object old = e.value;
        delete(e);
        return old;
    }

    private Entry find(int key) {
        Entry e = root;
        while (e != null) {
            if (key < e.key)
                e = e.left;
            else if (key > e.key)
                e = e.right;
            else
                return e;
        }
        return null;
    }

    private void delete(Entry e) {
        size--;
        // With two children, the entry takes over its successor, which is deleted in its stead.
        if (e.left != null && e.right != null) {
            Entry successor = leftmost(e.right);
            e.key = successor.key;
            e.value = successor.value;
            e = successor;
        }

        Entry child = e.left != null ? e.left : e.right;
        if (child != null) {
            child.parent = e.parent;
            replaceInParent(e, child);
            if (e.color == BLACK) fixAfterDeletion(child);
        } else if (e.parent == null) {
            root = null;
        } else {
            // The leaf stands for the missing black node until the colours are right again.
            if (e.color == BLACK) fixAfterDeletion(e);
            replaceInParent(e, null);
        }
    }

    private static Entry leftmost(Entry e) {
        while (e.left != null) e = e.left;
        return e;
    }

    private void replaceInParent(Entry e, Entry by) {
        Entry parent = e.parent;
        if (parent == null)
            root = by;
        else if (e == parent.left)
            parent.left = by;
        else
            parent.right = by;
    }

    private void rotateLeft(Entry e) {
        Entry up = e.right;
        e.right = up.left;
        if (up.left != null) up.left.parent = e;
        up.parent = e.parent;
        replaceInParent(e, up);
        up.left = e;
        e.parent = up;
    }

    private void rotateRight(Entry e) {
        Entry up = e.left;
        e.left = up.right;
        if (up.right != null) up.right.parent = e;
        up.parent = e.parent;
        replaceInParent(e, up);
        up.right = e;
        e.parent = up;
    }

    /** e is a new leaf; going up, it is a red entry whose parent may be red as well. */
    private void fixAfterInsertion(Entry e) {
        e.color = RED;
        while (colorOf(parentOf(e)) == RED) {
            Entry parent = parentOf(e);
            Entry grandparent = parentOf(parent);
            if (parent == leftOf(grandparent)) {
                Entry uncle = rightOf(grandparent);
                if (colorOf(uncle) == RED) {
                    setColor(parent, BLACK);
                    setColor(uncle, BLACK);
                    setColor(grandparent, RED);
                    e = grandparent;
                } else {
                    if (e == rightOf(parent)) {
                        e = parent;
                        rotateLeft(e);
                    }
                    setColor(parentOf(e), BLACK);
                    setColor(grandparent, RED);
                    rotateRight(grandparent);
                }
            } else {
                Entry uncle = leftOf(grandparent);
                if (colorOf(uncle) == RED) {
                    setColor(parent, BLACK);
                    setColor(uncle, BLACK);
                    setColor(grandparent, RED);
                    e = grandparent;
                } else {
                    if (e == leftOf(parent)) {
                        e = parent;
                        rotateRight(e);
                    }
                    setColor(parentOf(e), BLACK);
                    setColor(grandparent, RED);
                    rotateLeft(grandparent);
                }
            }
        }
        setColor(root, BLACK);
    }

    /** The paths through e have one black entry too few. */
    private void fixAfterDeletion(Entry e) {
        while (e != root && colorOf(e) == BLACK) {
            Entry parent = parentOf(e);
            if (e == leftOf(parent)) {
                Entry sibling = rightOf(parent);
                if (colorOf(sibling) == RED) {
                    setColor(sibling, BLACK);
                    setColor(parent, RED);
                    rotateLeft(parent);
                    sibling = rightOf(parent);
                }
                if (colorOf(leftOf(sibling)) == BLACK && colorOf(rightOf(sibling)) == BLACK) {
                    setColor(sibling, RED);
                    e = parent;
                } else {
                    if (colorOf(rightOf(sibling)) == BLACK) {
                        setColor(leftOf(sibling), BLACK);
                        setColor(sibling, RED);
                        rotateRight(sibling);
                        sibling = rightOf(parent);
                    }
                    setColor(sibling, colorOf(parent));
                    setColor(parent, BLACK);
                    setColor(rightOf(sibling), BLACK);
                    rotateLeft(parent);
                    e = root;
                }
            } else {
                Entry sibling = leftOf(parent);
                if (colorOf(sibling) == RED) {
                    setColor(sibling, BLACK);
                    setColor(parent, RED);
                    rotateRight(parent);
                    sibling = leftOf(parent);
                }
                if (colorOf(rightOf(sibling)) == BLACK && colorOf(leftOf(sibling)) == BLACK) {
                    setColor(sibling, RED);
                    e = parent;
                } else {
                    if (colorOf(leftOf(sibling)) == BLACK) {
                        setColor(rightOf(sibling), BLACK);
                        setColor(sibling, RED);
                        rotateLeft(sibling);
                        sibling = leftOf(parent);
                    }
                    setColor(sibling, colorOf(parent));
                    setColor(parent, BLACK);
                    setColor(leftOf(sibling), BLACK);
                    rotateRight(parent);
                    e = root;
                }
            }
        }
        setColor(e, BLACK);
    }

    // A missing entry is black and has no relatives.

    @Declarative
    private static boolean colorOf(Entry e) {
        return e == null ? BLACK : e.color;
    }

    @Declarative
    private static Entry parentOf(Entry e) {
        return e == null ? null : e.parent;
    }

    @Declarative
    private static Entry leftOf(Entry e) {
        return e == null ? null : e.left;
    }

    @Declarative
    private static Entry rightOf(Entry e) {
        return e == null ? null : e.right;
    }

    private static void setColor(Entry e, boolean color) {
        if (e != null) e.color = color;
    }

    @Declarative
    boolean repOk() {
        return isOrdered(root, null, null)
            && parentOf(root) == null
            && parentsAreRight(root)
            && colorOf(root) == BLACK
            && redHasNoRedChild(root)
            && isBalanced(root)
            && size == count(root);
    }

    @Declarative
    static boolean isOrdered(Entry e, Entry low, Entry high) {
        if (e == null) return true;
        if (low != null && low.key >= e.key) return false;
        if (high != null && high.key <= e.key) return false;
        return isOrdered(e.left, low, e) && isOrdered(e.right, e, high);
    }

    @Declarative
    static boolean parentsAreRight(Entry e) {
        if (e == null) return true;
        if (e.left != null && e.left.parent != e) return false;
        if (e.right != null && e.right.parent != e) return false;
        return parentsAreRight(e.left) && parentsAreRight(e.right);
    }

    @Declarative
    static boolean redHasNoRedChild(Entry e) {
        if (e == null) return true;
        if (e.color == RED && (colorOf(e.left) == RED || colorOf(e.right) == RED)) return false;
        return redHasNoRedChild(e.left) && redHasNoRedChild(e.right);
    }

    @Declarative
    static boolean isBalanced(Entry e) {
        if (e == null) return true;
        if (blackHeight(e.left) != blackHeight(e.right)) return false;
        return isBalanced(e.left) && isBalanced(e.right);
    }

    @Declarative
    static int blackHeight(Entry e) {
        return e == null ? 0 : blackHeight(e.left) + (e.color == BLACK ? 1 : 0);
    }

    @Declarative
    static int count(Entry e) {
        return e == null ? 0 : count(e.left) + count(e.right) + 1;
    }

    @Declarative
    @Abstraction
    AbsIntMap abstraction() {
        // One level more than a start state has: an insertion may need it. From 127 entries on rotations need another one.
        int height = heightOf(GlassBox.size()) + (GlassBox.size() < 127 ? 0 : 1);
        AbsIntMap.Cell cells = null;
        for (int depth = height; depth >= 0; depth--) cells = level(root, depth, cells);
        return new AbsIntMap(cells);
    }

    /** The height of a complete tree with so many places. */
    @Declarative
    static int heightOf(int places) {
        return places == 0 ? 0 : 1 + heightOf(places / 2);
    }

    /** A cell for each place at this depth below e, in front of the others. */
    @Declarative
    static AbsIntMap.Cell level(Entry e, int depth, AbsIntMap.Cell others) {
        boolean present = e != null;
        return depth == 0
            ? new AbsIntMap.Cell(present, present ? e.key : 0, present ? e.value : null, others)
            : level(present ? e.left : null, depth - 1, level(present ? e.right : null, depth - 1, others));
    }
}
