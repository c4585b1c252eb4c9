import glassbox.*;
public class Cursor {  // a list in arrays, with a free list
    @NonNull @Length("n..n") @Range("-1..n-1") int[] next = new int[2];
    @Range("-1..n-1") int used, free;
    @Declarative boolean repOk() {
        boolean[] seen = new boolean[next.length];
        int i = used;
        while (i != -1) { if (seen[i]) return false; seen[i] = true; i = next[i]; }
        i = free;
        while (i != -1) { if (seen[i]) return false; seen[i] = true; i = next[i]; }
        for (int k = 0; k < seen.length; k++) if (!seen[k]) return false;
        return true;
    }
    @Check public void alloc() { if (free == -1) return; int i = free; free = next[i]; next[i] = used; used = i; }
    @Check public void release() { if (used == -1) return; int i = used; used = next[i]; next[i] = free; free = i; }
}
