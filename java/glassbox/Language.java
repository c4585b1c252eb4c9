package glassbox;

/**
 * A program in the middle of its evaluation. Its language is sound if every well-typed program
 * that is not final takes a step (progress) and is well-typed afterwards (preservation).
 */
public interface Language {
    /** Whether the type rules accept this program. */
    @Declarative
    boolean wellTyped();

    /** Whether this program is fully evaluated. */
    @Declarative
    boolean isFinalState();

    /** Evaluates this program by one step. */
    void smallStep() throws StuckException;
}
