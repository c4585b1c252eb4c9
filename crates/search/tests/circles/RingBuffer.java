import glassbox.*;
public class RingBuffer {
    @NonNull @Length("1..n") @Range("0..1") int[] data = new int[2];
    @Range("0..n-1") int head, tail;
    @Range("0..n") int count;
    @Declarative boolean repOk() {
        if (head >= data.length || tail >= data.length || count > data.length) return false;
        int steps = 0, i = head;
        while (i != tail) { i = (i + 1) % data.length; steps++; }
        return steps == count || steps == 0 && count == data.length;
    }
    @Check public void put(@Range("0..1") int x) {
        if (count == data.length) return;
        data[tail] = x; tail = (tail + 1) % data.length; count++;
    }
    @Check public int take() {
        if (count == 0) return -1;
        int x = data[head]; head = (head + 1) % data.length; count--; return x;
    }
}
