package glassbox;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The class specifies another one that nobody may edit: its methods are added to that class, and a
 * field or nested class declared here again only adds its annotations.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface SpecFor {
    /** The full name of the other class, such as {@code "java.util.TreeMap"}. */
    String value();
}
