package glassbox;

/** Evaluation cannot go on although the program is not finished: progress is lost. */
public class StuckException extends Exception {
    private static final long serialVersionUID = 1L;
}
