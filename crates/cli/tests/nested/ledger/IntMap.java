// What a ledger asks of a map.

import glassbox.*;

public interface IntMap {
    Object get(int key);

    Object put(int key, Object value);

    Object remove(int key);

    @Declarative
    boolean repOk();

    @Declarative
    AbsIntMap abstraction();
}
