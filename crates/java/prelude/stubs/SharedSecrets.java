package jdk.internal.access;

/** The library's way around its own `private`: as far as collections need it. */
public class SharedSecrets {
    private static final JavaLangAccess lang = new JavaLangAccess();

    private SharedSecrets() {}

    public static JavaLangAccess getJavaLangAccess() {
        return lang;
    }
}
