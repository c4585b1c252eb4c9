import glassbox.*;
public class OpenSet {
    @NonNull @Length("n..n") @Range("-1..n") int[] keys = new int[3];
    @Range("0..n") int size;
    @Declarative int find(int k) {
        int i = k % keys.length;
        while (keys[i] != -1 && keys[i] != k) i = (i + 1) % keys.length;
        return i;
    }
    @Declarative boolean repOk() {
        int used = 0;
        for (int i = 0; i < keys.length; i++) if (keys[i] != -1) used++;
        if (used != size || size >= keys.length) return false;
        for (int i = 0; i < keys.length; i++) if (keys[i] != -1 && find(keys[i]) != i) return false;
        return true;
    }
    @Check public boolean add(@Range("0..n") int k) {
        int i = find(k);
        if (keys[i] == k) return false;
        if (size == keys.length - 1) return false;
        keys[i] = k; size++; return true;
    }
    @Check public boolean contains(@Range("0..n") int k) { return keys[find(k)] == k; }
}
