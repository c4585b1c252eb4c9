// Bug: the greatest frequency is kept, but not the int that has it. Smallest size: 1. Operation: count. Kind: invariant.

import glassbox.*;

public class IntCounter {
    @Tree @NonNull TreeMap map = new TreeMap();
    @Range("0..7") int max_frequency = 0;
    @Range("0..2*n") int most_frequent_i = 0;

    public void count(@Range("0..2*n") int i) {
        Integer frequency = (Integer) map.get(i);
        if (frequency == null) frequency = 0;
        frequency = frequency + 1;
        map.put(i, frequency);

        if (frequency >= max_frequency) {
            max_frequency = frequency;
        }
    }

    public int get_most_frequent_i() {
        return most_frequent_i;
    }

    public int get_max_frequency() {
        return max_frequency;
    }

    // A bound of the check, not of the counter: no int comes more than seven times.
    @Pre("count") @Declarative
    boolean isBelowSeven(int i) {
        return frequencyOf(i) < 7;
    }

    @Post("count") @Declarative
    boolean isCounted(IntCounter before, int i) {
        return frequencyOf(i) == before.frequencyOf(i) + 1;
    }

    @Declarative
    boolean repOk() {
        return map.repOk()
            && map.abstraction().allEntries((i, frequency) -> isFrequency(frequency))
            && frequencyOf(most_frequent_i) == max_frequency;
    }

    @Declarative
    boolean isFrequency(Object value) {
        return value instanceof Integer && 1 <= (Integer) value && (Integer) value <= max_frequency;
    }

    /** 0 if it was never counted. */
    @Declarative
    int frequencyOf(int i) {
        Object frequency = map.abstraction().valueAt(i);
        return frequency == null ? 0 : (Integer) frequency;
    }
}
