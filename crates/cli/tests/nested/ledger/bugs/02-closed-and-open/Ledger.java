// Bug: a closed account stays open. Smallest size: 1. Operation: close. Kind: invariant or postcondition.
// Open and closed accounts: no number is in both maps. One map is known by its interface, the other one by its class.
// What is said about the maps is said about their abstractions: it means the same with AbsIntMaps in their place.

import glassbox.*;

public class Ledger {
    @Tree @NonNull IntMap open = new ListMap();
    @Tree @NonNull ListMap closed = new ListMap();

    public boolean open(@Range("0..2*n") int number, @NonNull Object owner) {
        if (closed.get(number) != null) return false;
        open.put(number, owner);
        return true;
    }

    public void close(@Range("0..2*n") int number) {
        Object owner = open.get(number);
        if (owner != null) closed.put(number, owner);
    }

    public boolean reopen(@Range("0..2*n") int number) {
        Object owner = closed.remove(number);
        if (owner == null) return false;
        open.put(number, owner);
        return true;
    }

    @Post("close") @Declarative
    boolean isClosed(Ledger before, int number) {
        return !open.abstraction().hasKey(number)
            && (before.open.abstraction().hasKey(number) || before.closed.abstraction().hasKey(number))
                == closed.abstraction().hasKey(number);
    }

    @Post("reopen") @Declarative
    boolean isReopened(Ledger before, int number, boolean result) {
        return !result || open.abstraction().valueAt(number) == before.closed.abstraction().valueAt(number);
    }

    @Declarative
    boolean repOk() {
        return open.repOk()
            && closed.repOk()
            && open.abstraction().allEntries((number, owner) ->
                owner != null && !closed.abstraction().hasKey(number))
            && closed.abstraction().allEntries((number, owner) -> owner != null);
    }
}
