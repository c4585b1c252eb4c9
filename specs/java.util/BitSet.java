import glassbox.*;

/**
 * BitSet of JDK 17. The invariant: `wordsInUse` words at the beginning of `words`, the last of them not 0, and 0 in the rest. Words are any
 * numbers of 64 bits; there are two of them at most, and indices go up to 64 and n more. Postconditions give every bit. Left out: ranges of
 * bits, other sets as arguments, conversions to arrays, streams.
 */
@SpecFor("java.util.BitSet")
class BitSetSpec {
    @NonNull @Owned @Length("1..2") @Range("-9223372036854775808..9223372036854775807") long[] words;
    @Range("0..2") int wordsInUse;
    boolean sizeIsSticky;

    @Check BitSetSpec() {}
    @Check @MayThrow(NegativeArraySizeException.class) BitSetSpec(@Range("-1..64+n") int nbits) {}
    @Check @MayThrow(IndexOutOfBoundsException.class) native void set(@Range("-1..64+n") int bitIndex);
    @Check @MayThrow(IndexOutOfBoundsException.class) native void clear(@Range("-1..64+n") int bitIndex);
    @Check @MayThrow(IndexOutOfBoundsException.class) native void flip(@Range("-1..64+n") int bitIndex);
    @Check @MayThrow(IndexOutOfBoundsException.class) native boolean get(@Range("-1..64+n") int bitIndex);
    @Check native void clear();
    @Check native boolean isEmpty();
    @Check native int size();

    @Declarative
    boolean repOk() {
        return 0 <= wordsInUse && wordsInUse <= words.length && (wordsInUse == 0 || words[wordsInUse - 1] != 0)
            && GlassBox.forall(wordsInUse, words.length, i -> words[i] == 0);
    }

    @Declarative
    long word(int index) {
        return index < words.length ? words[index] : 0;
    }

    /** Whether all words are as before, but for bits of one of them. */
    @Declarative
    boolean differs(BitSetSpec before, int index, long bits) {
        return GlassBox.forall(0, 4, i -> word(i) == (i == index ? before.word(i) ^ bits : before.word(i)));
    }

    @Post("set") @Declarative
    boolean wasSet(BitSetSpec before, int bitIndex) {
        int index = bitIndex / 64;
        return differs(before, index, ~before.word(index) & 1L << bitIndex);
    }

    @Post("clear(int)") @Declarative
    boolean wasCleared(BitSetSpec before, int bitIndex) {
        int index = bitIndex / 64;
        return differs(before, index, before.word(index) & 1L << bitIndex);
    }

    @Post("flip") @Declarative
    boolean wasFlipped(BitSetSpec before, int bitIndex) {
        return differs(before, bitIndex / 64, 1L << bitIndex);
    }

    @Post("get") @Declarative
    boolean got(BitSetSpec before, int bitIndex, boolean result) {
        return result == ((word(bitIndex / 64) & 1L << bitIndex) != 0);
    }

    @Post({"get", "isEmpty", "size"}) @Declarative
    boolean unchanged(BitSetSpec before) {
        return differs(before, 0, 0);
    }

    @Post("clear()") @Declarative
    boolean cleared(BitSetSpec before) {
        return wordsInUse == 0;
    }

    @Post("size") @Declarative
    boolean measured(BitSetSpec before, int result) {
        return result == 64 * words.length;
    }

    @Post("isEmpty") @Declarative
    boolean asked(BitSetSpec before, boolean result) {
        return result == (wordsInUse == 0);
    }
}
