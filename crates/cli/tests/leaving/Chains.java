// The chains of a hash table hang on no tree edge: with the second entry of a bin the first is in no tree any more. `put` says so, `clear`
// and `replace` have nothing to say.
import glassbox.*;

class Chains {
    static class Entry {
        int key;
        Entry next;

        Entry(int key, Entry next) {
            this.key = key;
            this.next = next;
        }
    }

    @Tree @Length("2..2") @NonNull Entry[] table = new Entry[2];

    @Declarative
    boolean repOk() {
        return GlassBox.forall(0, 2, i -> isChain(table[i], i, GlassBox.size()));
    }

    @Declarative
    static boolean isChain(Entry e, int i, int left) {
        return e == null || left > 0 && (e.key & 1) == i && isChain(e.next, i, left - 1);
    }

    public void put(int key) {
        int i = key & 1;
        for (Entry e = table[i]; e != null; e = e.next) {
            if (e.key == key) return;
        }
        table[i] = new Entry(key, table[i]);
    }

    public void replace(int key) {
        table[key & 1] = new Entry(key, null);
    }

    public void clear() {
        table[0] = null;
        table[1] = null;
    }
}
