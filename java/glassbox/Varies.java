package glassbox;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The static field has any value within its bounds at the start of every operation, as a field of an
 * object has. Without it, and without {@code @Range}, {@code @Length}, {@code @OneOf} or
 * {@code @NonNull}, a static field starts as its initialiser left it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Varies {}
