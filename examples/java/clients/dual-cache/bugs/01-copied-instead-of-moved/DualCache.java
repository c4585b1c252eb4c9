// Bug: a value is put into the temporary map, but stays in the permanent one. Smallest size: 1. Operation: demote. Kind: invariant.

import glassbox.*;

public class DualCache {
    @Tree @NonNull TreeMap permanent = new TreeMap();
    @Tree @NonNull TreeMap temporary = new TreeMap();
    boolean isEnabled;

    public Object lookup(@Range("0..2*n") int key) {
        Object value = permanent.get(key);
        if (value == null) value = temporary.get(key);
        if (value == null) {
            value = compute(key);
            if (isEnabled)
                temporary.put(key, value);
            else
                permanent.put(key, value);
        }
        return value;
    }

    public void remove(@Range("0..2*n") int key) {
        permanent.remove(key);
        temporary.remove(key);
    }

    public void enableTemporary() {
        isEnabled = true;
    }

    public void disableTemporary() {
        temporary.clear();
        isEnabled = false;
    }

    public void promote(@Range("0..2*n") int key) {
        Object value = temporary.remove(key);
        if (value != null) permanent.put(key, value);
    }

    public void demote(@Range("0..2*n") int key) {
        if (!isEnabled) return;
        Object value = permanent.get(key);
        if (value != null) temporary.put(key, value);
    }

    /** Stands for something that takes long: one of eight values. */
    @Declarative
    static int compute(int key) {
        return key & 7;
    }

    @Post("lookup") @Declarative
    boolean isFound(DualCache before, int key, Object result) {
        return isComputed(key, result) && isCached(key);
    }

    @Post("remove") @Declarative
    boolean isRemoved(DualCache before, int key) {
        return !isCached(key);
    }

    @Post({"promote", "demote"}) @Declarative
    boolean isKept(DualCache before, int key) {
        return isCached(key) == before.isCached(key);
    }

    @Post("promote") @Declarative
    boolean isPromoted(DualCache before, int key) {
        return !temporary.abstraction().hasKey(key);
    }

    @Post("demote") @Declarative
    boolean isDemoted(DualCache before, int key) {
        return !isEnabled || !permanent.abstraction().hasKey(key);
    }

    @Declarative
    boolean repOk() {
        return permanent.repOk()
            && temporary.repOk()
            && permanent.abstraction().allEntries((key, value) -> isComputed(key, value))
            && temporary.abstraction().allEntries((key, value) ->
                isEnabled && isComputed(key, value) && !permanent.abstraction().hasKey(key));
    }

    @Declarative
    static boolean isComputed(int key, Object value) {
        // The range is for the start states: they hold the numbers that a number is compared with.
        return value instanceof Integer && 0 <= (Integer) value && (Integer) value <= 7
            && (Integer) value == compute(key);
    }

    @Declarative
    boolean isCached(int key) {
        return permanent.abstraction().hasKey(key) || temporary.abstraction().hasKey(key);
    }
}
