// Bug: an object that is published is locked as well. Smallest size: 1. Operation: smallStep. Kind: preservation.
// Two threads over a heap of three objects with locks; either may take the next step. A thread is a list of
// instructions, with one register:
//
//   lock o | unlock o | read o | write o | publish o
//
// An object is local to one thread, or shared. A thread is typed for each object by itself, with whether the object is
// local to it, is shared, and is held (its lock); each rule says what that is for the rest of the thread:
//   the end                         if it is not held
//   lock o       held               if it is shared and not held
//   unlock o     not held           if it is held
//   read o, write o                 if it is held or local
//   publish o    shared, not local  if it is local
//   lock p       the same           if it is not held, or p comes after o
//   others of p  the same
// A state is well-typed if both threads are, with what the heap says of all objects, and only shared ones are locked.
//
// Steps, where stuck means a race (a state in which both threads wait has no choice that is enabled: that is stuck, too):
//   lock o       waits while the other thread has the lock
//   unlock o     stuck unless the thread has the lock
//   read o       copies the object's value to the register, write o back; stuck unless the object is local to the
//                thread or the thread has its lock
//   publish o    the object is shared from now on; stuck unless it is local to the thread
// Locks are taken in the order of the objects: so there is always a thread that need not wait.

import glassbox.*;

public class HeapThreads implements NondeterministicLanguage {
    enum Kind { LOCK, UNLOCK, READ, WRITE, PUBLISH }

    static final int NOBODY = 2;
    static final int SHARED = 2;

    static class Instruction {
        @NonNull Kind kind;
        @Range("0..2") int object;
        @Tree Instruction next;
    }

    @Tree Instruction first, second;

    // By object: to which thread it is local, which thread has its lock, and its value.
    @NonNull @Owned @Length("3..3") @Range("0..2") int[] guards;
    @NonNull @Owned @Length("3..3") @Range("0..2") int[] owners;
    @NonNull @Owned @Length("3..3") @Range("0..n") int[] values;

    @NonNull @Owned @Length("2..2") @Range("0..n") int[] registers;

    @Declarative
    public boolean wellTyped() {
        return GlassBox.forall(0, 3, o -> (guards[o] == SHARED || owners[o] == NOBODY)
            && isTyped(first, o, guards[o] == 0, guards[o] == SHARED, owners[o] == 0)
            && isTyped(second, o, guards[o] == 1, guards[o] == SHARED, owners[o] == 1));
    }

    // One call for the rest, whatever the instruction is: a call for each would be too many.
    @Declarative
    static boolean isTyped(Instruction i, int o, boolean local, boolean shared, boolean held) {
        if (i == null) return !held;
        boolean locks = i.object == o && i.kind == Kind.LOCK;
        boolean unlocks = i.object == o && i.kind == Kind.UNLOCK;
        boolean publishes = i.object == o && i.kind == Kind.PUBLISH;
        boolean uses = i.object == o && (i.kind == Kind.READ || i.kind == Kind.WRITE);
        return GlassBox.implies(locks, shared)
            && GlassBox.implies(unlocks, held)
            && GlassBox.implies(uses, held || local)
            && GlassBox.implies(publishes, local)
            && GlassBox.implies(i.kind == Kind.LOCK, !held || i.object > o)
            && isTyped(i.next, o, local && !publishes, shared || publishes, (held || locks) && !unlocks);
    }

    @Declarative
    public boolean isFinalState() {
        return first == null && second == null;
    }

    public void smallStep(@Range("0..1") int thread) throws StuckException {
        Instruction i = thread == 0 ? first : second;
        GlassBox.assume(i != null);
        int o = i.object;
        if (i.kind == Kind.LOCK) {
            GlassBox.assume(owners[o] != 1 - thread);
            owners[o] = thread;
        } else if (i.kind == Kind.UNLOCK) {
            if (owners[o] != thread) throw new StuckException();
            owners[o] = NOBODY;
        } else if (i.kind == Kind.PUBLISH) {
            if (guards[o] != thread) throw new StuckException();
            guards[o] = SHARED;
            owners[o] = thread;
        } else {
            if (guards[o] != thread && owners[o] != thread) throw new StuckException();
            if (i.kind == Kind.READ)
                registers[thread] = values[o];
            else
                values[o] = registers[thread];
        }
        if (thread == 0)
            first = i.next;
        else
            second = i.next;
    }

    // As text, for counterexamples.

    public String toString() {
        String text = "";
        for (int o = 0; o < 3; o++) {
            text += "object " + o + ": " + (guards[o] == SHARED ? "shared" : "local to " + guards[o])
                + (owners[o] == NOBODY ? "" : ", locked by " + owners[o]) + ", value " + values[o] + "\n";
        }
        return text + "thread 0, register " + registers[0] + ":" + text(first) + "\nthread 1, register " + registers[1]
            + ":" + text(second);
    }

    private static String text(Instruction i) {
        return i == null ? "" : " " + i.kind + " " + i.object + ";" + text(i.next);
    }
}
