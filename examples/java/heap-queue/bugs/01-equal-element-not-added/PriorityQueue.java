// Bug: an element that is the least one already is not added. Smallest size: 1. Operation: add. Kind: abstraction.

import glassbox.*;
import java.util.NoSuchElementException;

public class PriorityQueue {
    // One length for each size: --size 1..8 has them all.
    @NonNull @Owned @Length("n..n") @Range("0..n-1") int[] items = new int[2];
    @Range("0..n") int count;

    public boolean add(@Range("0..n-1") int x) {
        if (count > 0 && items[0] == x) return false;
        if (count == items.length) grow();
        int i = count++;
        while (i > 0) {
            int parent = (i - 1) / 2;
            if (items[parent] <= x) break;
            items[i] = items[parent];
            i = parent;
        }
        items[i] = x;
        return true;
    }

    public int element() throws NoSuchElementException {
        if (count == 0) throw new NoSuchElementException();
        return items[0];
    }

    public int remove() throws NoSuchElementException {
        if (count == 0) throw new NoSuchElementException();
        int least = items[0];
        int x = items[--count];
        int i = 0;
        while (2 * i + 1 < count) {
            int child = 2 * i + 1;
            if (child + 1 < count && items[child + 1] < items[child]) child++;
            if (x <= items[child]) break;
            items[i] = items[child];
            i = child;
        }
        items[i] = x;
        return least;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    public int size() {
        return count;
    }

    public void clear() {
        items = new int[2];
        count = 0;
    }

    private void grow() {
        int[] more = new int[2 * count];
        System.arraycopy(items, 0, more, 0, count);
        items = more;
    }

    @Declarative
    boolean repOk() {
        return 0 <= count && count <= items.length
            && GlassBox.forall(1, count, i -> items[(i - 1) / 2] <= items[i]);
    }

    @Declarative
    @Abstraction
    AbsPriorityQueue abstraction() {
        AbsPriorityQueue.Cell cells = null;
        // One more than a start state has: an add may need it.
        for (int i = GlassBox.size(); i >= 0; i--) {
            boolean present = i < count;
            cells = new AbsPriorityQueue.Cell(present, present ? items[i] : 0, cells);
        }
        return new AbsPriorityQueue(cells);
    }
}
