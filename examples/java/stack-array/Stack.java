// A stack of objects in an array that grows, in the style of java.util.Stack.
// What it holds is said by its abstraction: every operation must do what it does on an AbsStack.

import glassbox.*;
import java.util.NoSuchElementException;

public class Stack {
    @NonNull @Owned @Length("0..n") Object[] items = new Object[2];
    @Range("0..n") int count;

    public void push(Object x) {
        if (count == items.length) grow();
        items[count++] = x;
    }

    public Object pop() throws NoSuchElementException {
        Object x = peek();
        items[--count] = null;
        return x;
    }

    public Object peek() throws NoSuchElementException {
        if (count == 0) throw new NoSuchElementException();
        return items[count - 1];
    }

    public boolean isEmpty() {
        return count == 0;
    }

    public int size() {
        return count;
    }

    public void clear() {
        items = new Object[2];
        count = 0;
    }

    private void grow() {
        Object[] more = new Object[2 * count + 1];
        System.arraycopy(items, 0, more, 0, count);
        items = more;
    }

    @Declarative
    boolean repOk() {
        return 0 <= count && count <= items.length;
    }

    @Declarative
    @Abstraction
    AbsStack abstraction() {
        AbsStack.Cell cells = null;
        // One more than a start state has: a push may need it.
        for (int depth = GlassBox.size(); depth >= 0; depth--) {
            boolean present = depth < count;
            cells = new AbsStack.Cell(present, present ? items[count - 1 - depth] : null, cells);
        }
        return new AbsStack(cells);
    }
}
