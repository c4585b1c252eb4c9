// Bug: who is no member can leave. Smallest size: 1. Operation: leave. Kind: invariant or postcondition.
// Who is a member, who of them is away, and who has which desk: two sets, each built on a map, and another map.
// What is said about the modules is said about their abstractions: it means the same with abstractions in their place.

import glassbox.*;

public class Roster {
    @Tree @NonNull TreeSet members = new TreeSet();
    @Tree @NonNull TreeSet away = new TreeSet();
    @Tree @NonNull HashMap desks = new HashMap();

    public boolean add(@Range("0..n-1") int person) {
        return members.add(person);
    }

    public void remove(@Range("0..n-1") int person) {
        members.remove(person);
        away.remove(person);
        desks.remove(person);
    }

    public void leave(@Range("0..n-1") int person) {
        away.add(person);
    }

    public boolean comeBack(@Range("0..n-1") int person) {
        return away.remove(person);
    }

    public boolean seat(@Range("0..n-1") int person, @NonNull Object desk) {
        if (!members.contains(person) || away.contains(person)) return false;
        desks.put(person, desk);
        return true;
    }

    @Post("remove") @Declarative
    boolean isRemoved(Roster before, int person) {
        return !members.abstraction().has(person);
    }

    @Post("leave") @Declarative
    boolean hasLeft(Roster before, int person) {
        return away.abstraction().has(person) == before.members.abstraction().has(person);
    }

    @Declarative
    boolean repOk() {
        return members.repOk()
            && away.repOk()
            && desks.repOk()
            && away.abstraction().allElements(person -> members.abstraction().has(person))
            && desks.abstraction().allEntries((person, desk) ->
                desk != null && members.abstraction().has(person));
    }
}
