// Bug: after the front is taken, the head moves to the slot before it. Smallest size: 3. Operation: poll. Kind: abstraction.

import glassbox.*;
import java.util.NoSuchElementException;

public class Queue {
    // One length for each size: --size 1..8 has them all, and where a position is in the array is then easy to tell.
    @NonNull @Owned @Length("n..n") Object[] items = new Object[2];
    @Range("0..n-1") int head;
    @Range("0..n") int count;

    public boolean add(Object x) {
        if (count == items.length) grow();
        items[slot(count)] = x;
        count++;
        return true;
    }

    public Object poll() {
        if (count == 0) return null;
        Object x = items[head];
        items[head] = null;
        head = slot(items.length - 1);
        count--;
        return x;
    }

    public Object remove() throws NoSuchElementException {
        if (count == 0) throw new NoSuchElementException();
        return poll();
    }

    public Object peek() {
        return count == 0 ? null : items[head];
    }

    public boolean isEmpty() {
        return count == 0;
    }

    public int size() {
        return count;
    }

    public void clear() {
        items = new Object[2];
        head = 0;
        count = 0;
    }

    private void grow() {
        Object[] more = new Object[2 * items.length];
        int atTheEnd = items.length - head;
        System.arraycopy(items, head, more, 0, atTheEnd);
        System.arraycopy(items, 0, more, atTheEnd, head);
        items = more;
        head = 0;
    }

    /** Where the element at position i from the front is, or goes. */
    @Declarative
    private int slot(int i) {
        int slot = head + i;
        return slot < items.length ? slot : slot - items.length;
    }

    @Declarative
    boolean repOk() {
        return 0 <= head && head < items.length && 0 <= count && count <= items.length;
    }

    @Declarative
    @Abstraction
    AbsQueue abstraction() {
        AbsQueue.Cell cells = null;
        // One more than a start state has: an add may need it.
        for (int i = GlassBox.size(); i >= 0; i--) {
            boolean present = i < count;
            cells = new AbsQueue.Cell(present, present ? items[slot(i)] : null, cells);
        }
        return new AbsQueue(cells);
    }
}
