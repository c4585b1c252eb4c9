// Bug: a thread does not wait for the lock but takes it from the other one. Smallest size: 2. Operation: smallStep. Kind: preservation.

import glassbox.*;

public class TwoThreads implements NondeterministicLanguage {
    static final int LOCK = 0;
    static final int UNLOCK = 1;
    static final int WORK = 2;

    static class Instruction {
        @Range("0..2") int kind;
        @Tree Instruction next;
    }

    static final int NOBODY = 2;

    @Tree Instruction first;
    @Tree Instruction second;
    @Range("0..2") int owner;

    @Declarative
    public boolean wellTyped() {
        return wellTyped(first, owner == 0) && wellTyped(second, owner == 1);
    }

    @Declarative
    static boolean wellTyped(Instruction i, boolean holdsLock) {
        if (i == null) return !holdsLock;
        if (i.kind == LOCK) return !holdsLock && wellTyped(i.next, true);
        if (i.kind == UNLOCK) return holdsLock && wellTyped(i.next, false);
        return holdsLock && wellTyped(i.next, true);
    }

    @Declarative
    public boolean isFinalState() {
        return first == null && second == null;
    }

    public void smallStep(@Range("0..1") int thread) throws StuckException {
        Instruction i = thread == 0 ? first : second;
        GlassBox.assume(i != null);
        if (i.kind == LOCK) {
            owner = thread;
        } else {
            if (owner != thread) throw new StuckException();
            if (i.kind == UNLOCK) owner = NOBODY;
        }
        if (thread == 0)
            first = i.next;
        else
            second = i.next;
    }
}
