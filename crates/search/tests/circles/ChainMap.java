import glassbox.*;
public class ChainMap {
    @Max("n") static class Node { @Range("0..n") int key; Node next; Node(int key, Node next) { this.key = key; this.next = next; } }
    @NonNull @Length("2..2") Node[] table = new Node[2];
    @Declarative boolean repOk() {
        int all = 0;
        for (int b = 0; b < table.length; b++) {
            int steps = 0;
            for (Node e = table[b]; e != null; e = e.next) {
                if (e.key % table.length != b) return false;
                for (Node f = e.next; f != null; f = f.next) if (f.key == e.key) return false;
                steps++;
            }
            all += steps;
        }
        return true;
    }
    @Check public void put(@Range("0..n") int key) {
        int b = key % table.length;
        for (Node e = table[b]; e != null; e = e.next) if (e.key == key) return;
        table[b] = new Node(key, table[b]);
    }
    @Check public void remove(@Range("0..n") int key) {
        int b = key % table.length; Node last = null;
        for (Node e = table[b]; e != null; e = e.next) {
            if (e.key == key) { if (last == null) table[b] = e.next; else last.next = e.next; return; }
            last = e;
        }
    }
}
