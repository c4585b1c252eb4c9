package glassbox;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method has no parameters and returns a state as text: a counterexample shows it beside the drawing. Without it,
 * a {@code toString} of the class does so. Nothing else is done with the method; it must not change the state.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Show {}
