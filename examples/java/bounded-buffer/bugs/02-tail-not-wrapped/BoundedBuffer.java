// Bug: the item is put past the end of the array. Smallest size: 2. Operation: put. Kind: exception.

import glassbox.*;

public class BoundedBuffer {
    @NonNull @Length("n..n") @Range("0..2") int[] items;
    @Range("0..n-1") int head;
    @Range("0..n") int count;

    public BoundedBuffer(@Range("1..n") int capacity) {
        items = new int[capacity];
    }

    public void put(@Range("0..2") int item) {
        items[head + count] = item;
        count++;
    }

    public int take() {
        int item = items[head];
        head = (head + 1) % items.length;
        count--;
        return item;
    }

    @Declarative
    boolean repOk() {
        return 0 <= head && head < items.length && 0 <= count && count <= items.length;
    }

    @Declarative
    int at(int i) {
        return items[(head + i) % items.length];
    }

    @Declarative
    @Pre("put")
    boolean isNotFull() {
        return count < items.length;
    }

    @Declarative
    @Pre("take")
    boolean isNotEmpty() {
        return count > 0;
    }

    @Declarative
    @Post("put")
    boolean isAppended(BoundedBuffer before, int item) {
        return count == before.count + 1
            && at(before.count) == item
            && GlassBox.forall(0, before.count, i -> at(i) == before.at(i));
    }

    @Declarative
    @Post("take")
    boolean isTakenFromTheFront(BoundedBuffer before, int result) {
        return count == before.count - 1
            && result == before.at(0)
            && GlassBox.forall(0, count, i -> at(i) == before.at(i + 1));
    }
}
