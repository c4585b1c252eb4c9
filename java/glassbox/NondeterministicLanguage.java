package glassbox;

/** A {@link Language} in which several steps may be possible at once, as with threads. */
public interface NondeterministicLanguage {
    /** Whether the type rules accept this program. */
    @Declarative
    boolean wellTyped();

    /** Whether this program is fully evaluated. */
    @Declarative
    boolean isFinalState();

    /**
     * Evaluates this program by one step. The implementation bounds the choice with
     * {@link Range} and cuts off a choice that is not enabled with {@link GlassBox#assume}.
     * A program that is not final needs a choice that is enabled: without one it is stuck,
     * as with a {@link StuckException}.
     *
     * @param choice which of the possible steps to take
     */
    void smallStep(int choice) throws StuckException;
}
