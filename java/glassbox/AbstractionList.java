package glassbox;

/**
 * A linked list to write abstractions with: a map is a list of pairs. It is compared up to order.
 *
 * <p>A list that is made from a tree, a chain or an array has one node for each place, and nodes of empty places are
 * not present: so it has the same length for all states of a module, and they can be checked together. {@link #head}
 * and {@link Node#next} skip such nodes, as one expects of a list; but to skip is to tell states apart. A loop over
 * {@link #first} and {@link Node#after} that asks {@link Node#isPresent} in one strict expression
 * ({@code p.isPresent() & p.data() == x}) runs fewer of them.
 */
public class AbstractionList<E> {
    /** What has a place in a tree or a chain, and stands for an element of the list. */
    public interface Source<E> {
        /** The element: an object of the module, or a new one that this call makes. */
        @Declarative
        E abstraction();
    }

    /** A node of a binary tree. */
    public interface TreeSource<E> extends Source<E> {
        @Declarative
        TreeSource<E> left();

        @Declarative
        TreeSource<E> right();
    }

    /** A node of a chain. */
    public interface ChainSource<E> extends Source<E> {
        @Declarative
        ChainSource<E> next();
    }

    /** An element that says itself what it is equal to. Others are compared by {@code ==}. */
    public interface Element {
        @Declarative
        boolean equalTo(Object x);
    }

    public static class Node<E> {
        boolean present;
        E data;
        @Tree Node<E> after;

        @Declarative
        Node(boolean present, E data, Node<E> after) {
            this.present = present;
            this.data = data;
            this.after = after;
        }

        @Declarative
        public E data() {
            return data;
        }

        /** The next node that is present, or null. */
        public Node<E> next() {
            return present(after);
        }

        /** The next node, present or not, or null. */
        @Declarative
        public Node<E> after() {
            return after;
        }

        @Declarative
        public boolean isPresent() {
            return present;
        }

        /** Takes the element out of the list that this node is in. */
        public void remove() {
            present = false;
        }
    }

    @Tree Node<E> first;

    @Declarative
    public AbstractionList() {}

    @Declarative
    private AbstractionList(Node<E> first) {
        this.first = first;
    }

    /** The first node that is present, or null. */
    public Node<E> head() {
        return present(first);
    }

    /** The first node, present or not, or null. */
    @Declarative
    public Node<E> first() {
        return first;
    }

    static <E> Node<E> present(Node<E> p) {
        while (p != null && !p.present) p = p.after;
        return p;
    }

    public void add(E data) {
        Node<E> added = new Node<>(true, data, null);
        Node<E> last = first;
        if (last == null) {
            first = added;
        } else {
            // At the end, so that the other nodes keep their places.
            while (last.after != null) last = last.after;
            last.after = added;
        }
    }

    /** Takes one occurrence of the element out, if there is one, and says whether there was. */
    public boolean remove(Object data) {
        for (Node<E> p = first; p != null; p = p.after) {
            if (p.present & areSame(p.data, data)) {
                p.remove();
                return true;
            }
        }
        return false;
    }

    @Declarative
    public boolean isEmpty() {
        return isEmpty(first);
    }

    @Declarative
    public int size() {
        return count(first);
    }

    @Declarative
    public boolean repOk() {
        return true;
    }

    /** Whether both have the same elements, each as often as the other, in any order. */
    @Declarative
    public boolean equalTo(AbstractionList<E> list) {
        return areAsOften(first, list.first, first, list.first) && areAsOften(list.first, first, list.first, first);
    }

    /**
     * Whether each element from p on is in both lists equally often. Where the nodes at the same place are alike,
     * nothing is counted: an element that is not equally often in both is at some place of one list and not at that of
     * the other.
     */
    @Declarative
    static boolean areAsOften(Node<?> p, Node<?> at, Node<?> list, Node<?> other) {
        return p == null
            || (!p.present || holds(at, p.data) || count(list, p.data) == count(other, p.data))
                && areAsOften(p.after, at == null ? null : at.after, list, other);
    }

    @Declarative
    static boolean holds(Node<?> p, Object data) {
        return p != null && p.present & areSame(p.data, data);
    }

    @Declarative
    static boolean areSame(Object x, Object y) {
        return x == y || x instanceof Element && ((Element) x).equalTo(y);
    }

    @Declarative
    static int count(Node<?> p, Object data) {
        return p == null ? 0 : (holds(p, data) ? 1 : 0) + count(p.after, data);
    }

    @Declarative
    static int count(Node<?> p) {
        return p == null ? 0 : (p.present ? 1 : 0) + count(p.after);
    }

    @Declarative
    static boolean isEmpty(Node<?> p) {
        return p == null || !p.present & isEmpty(p.after);
    }

    /**
     * The elements of a tree, breadth first: a complete tree of size n, and one level more for an insertion. Whatever is
     * further down comes after that.
     */
    @Declarative
    public static <E> AbstractionList<E> ofTree(TreeSource<E> root) {
        int height = heightOf(GlassBox.size());
        Node<E> nodes = below(root, height + 1, null);
        for (int depth = height; depth >= 0; depth--) nodes = level(root, depth, nodes);
        return new AbstractionList<>(nodes);
    }

    /** The elements of a chain: places for n, and one more for an insertion, and whatever comes after that. */
    @Declarative
    public static <E> AbstractionList<E> ofChain(ChainSource<E> head) {
        return new AbstractionList<>(chain(head, GlassBox.size() + 1, null));
    }

    /** The elements of chains, with places for so many nodes each, one chain after the other. */
    @Declarative
    public static <E> AbstractionList<E> ofChains(ChainSource<E>[] heads, int longest) {
        Node<E> nodes = null;
        for (int i = heads.length - 1; i >= 0; i--) nodes = chain(heads[i], longest, nodes);
        return new AbstractionList<>(nodes);
    }

    /** The first elements of an array, so many as count says: places for n, and one more for an insertion. */
    @Declarative
    public static <E> AbstractionList<E> ofArray(E[] elements, int count) {
        Node<E> nodes = null;
        for (int i = elements.length - 1; i > GlassBox.size(); i--) {
            boolean present = i < count;
            nodes = new Node<>(present, present ? elements[i] : null, nodes);
        }
        for (int i = GlassBox.size(); i >= 0; i--) {
            boolean present = i < count;
            nodes = new Node<>(present, present ? elements[i] : null, nodes);
        }
        return new AbstractionList<>(nodes);
    }

    /** The height of a complete tree with so many places. */
    @Declarative
    static int heightOf(int places) {
        return places == 0 ? 0 : 1 + heightOf(places / 2);
    }

    /** A node for each place at this depth below s, in front of the others. */
    @Declarative
    static <E> Node<E> level(TreeSource<E> s, int depth, Node<E> others) {
        boolean present = s != null;
        return depth == 0
            ? new Node<>(present, present ? s.abstraction() : null, others)
            : level(present ? s.left() : null, depth - 1, level(present ? s.right() : null, depth - 1, others));
    }

    /** What is so far below s or further, in front of the others. There is nothing there as a rule, and so no place for it. */
    @Declarative
    static <E> Node<E> below(TreeSource<E> s, int depth, Node<E> others) {
        if (s == null) return others;
        return depth > 0
            ? below(s.left(), depth - 1, below(s.right(), depth - 1, others))
            : new Node<>(true, s.abstraction(), below(s.left(), 0, below(s.right(), 0, others)));
    }

    /** The chain from s on without places for more, in front of the others. */
    @Declarative
    static <E> Node<E> rest(ChainSource<E> s, Node<E> others) {
        return s == null ? others : new Node<>(true, s.abstraction(), rest(s.next(), others));
    }

    /** A node for each of so many places in the chain from s on, in front of the others. */
    @Declarative
    static <E> Node<E> chain(ChainSource<E> s, int places, Node<E> others) {
        boolean present = s != null;
        return places == 0
            ? rest(s, others)
            : new Node<>(present, present ? s.abstraction() : null,
                chain(present ? s.next() : null, places - 1, others));
    }
}
