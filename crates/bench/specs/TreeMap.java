import glassbox.*;

/** What the specification of java.util.TreeMap says besides the invariant, of our own: the same work for both. */
@SpecFor("TreeMap")
class TreeMapSpec {
    static class Entry {
        @OneOf(Integer.class) @NonNull @Range("0..n") Object value;
    }

    native Object put(int key, @OneOf(Integer.class) @NonNull @Range("0..n") Object value);

    @Declarative
    static Entry lookUp(Entry e, int key) {
        return e == null || e.key == key ? e : lookUp(key < e.key ? e.left : e.right, key);
    }

    @Declarative
    static int keys(Entry e) {
        return e == null ? 0 : e.key + keys(e.left) + keys(e.right);
    }

    @Declarative
    static int values(Entry e) {
        return e == null ? 0 : valueOf(e.value) + values(e.left) + values(e.right);
    }

    @Declarative
    static int valueOf(Object value) {
        return (Integer) value;
    }

    @Post("put") @Declarative
    boolean wasPut(TreeMapSpec before, int key, Object value, Object result) {
        Entry now = lookUp(root, key);
        Entry old = lookUp(before.root, key);
        return now != null && now.value == value && result == (old == null ? null : old.value)
            && size == before.size + (old == null ? 1 : 0);
    }

    @Post("put") @Declarative
    boolean restStays(TreeMapSpec before, int key, Object value, Object result) {
        return keys(root) == keys(before.root) + (result == null ? key : 0)
            && values(root) == values(before.root) + valueOf(value) - (result == null ? 0 : valueOf(result));
    }

    @Post("remove") @Declarative
    boolean removed(TreeMapSpec before, int key, Object result) {
        Entry old = lookUp(before.root, key);
        return lookUp(root, key) == null && result == (old == null ? null : old.value)
            && size == before.size - (old == null ? 0 : 1);
    }

    @Post("remove") @Declarative
    boolean othersStay(TreeMapSpec before, int key, Object result) {
        return keys(root) == keys(before.root) - (result == null ? 0 : key)
            && values(root) == values(before.root) - (result == null ? 0 : valueOf(result));
    }

    @Post("get") @Declarative
    boolean got(TreeMapSpec before, int key, Object result) {
        Entry found = lookUp(root, key);
        return result == (found == null ? null : found.value);
    }

    @Post({"isEmpty", "get"}) @Declarative
    boolean unchanged(TreeMapSpec before) {
        return size == before.size && keys(root) == keys(before.root) && values(root) == values(before.root);
    }

    @Post("clear") @Declarative
    boolean cleared(TreeMapSpec before) {
        return root == null && size == 0;
    }
}
