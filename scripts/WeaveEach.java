import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Compiles classes of the JDK together with specifications beside them (`@SpecFor`), each by itself: to `folder/Name/classes`, and the
 * package glassbox to `folder/glassbox`, for `java --patch-module java.base=…`. The code is that of the JDK's sources; what a specification adds stands behind the members of the class,
 * and fields and classes that it declares again are not private, since specifications of one file look into each other's classes. What is
 * only declared again is left out. Names are found by javac and not by Glassbox, so that both are compared.
 * Arguments: a folder for everything that is made, the JDK's src.zip, the folder of the package glassbox, a Java program that is to run with
 * them (compiled to `folder/run`), and the files of specifications.
 */
class WeaveEach {
    private static final Pattern SPEC_FOR = Pattern.compile("@SpecFor\\(\"([\\w.]+)\"\\)");
    private static final JavaCompiler JAVAC = ToolProvider.getSystemJavaCompiler();

    /** A file, parsed. */
    private static final class Parsed {
        final String text;
        final CompilationUnitTree unit;
        final SourcePositions positions;

        Parsed(String text) throws IOException {
            this.text = text;
            JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///A.java"), JavaFileObject.Kind.SOURCE) {
                @Override public CharSequence getCharContent(boolean ignoreErrors) {
                    return text;
                }
            };
            JavacTask task = (JavacTask) JAVAC.getTask(null, null, null, List.of("-proc:none"), null, List.of(file));
            unit = task.parse().iterator().next();
            positions = Trees.instance(task).getSourcePositions();
        }

        int start(Tree tree) {
            return (int) positions.getStartPosition(unit, tree);
        }

        int end(Tree tree) {
            return (int) positions.getEndPosition(unit, tree);
        }

        String of(Tree tree) {
            return text.substring(start(tree), end(tree));
        }
    }

    private final Parsed spec, original;
    /** Names of specifications, and the classes that they are for. */
    private final Map<String, String> names;
    /** What is put in, by where. */
    private final TreeMap<Integer, String> added = new TreeMap<>();
    /** Where `private` is taken away. */
    private final List<Integer> opened = new ArrayList<>();

    private WeaveEach(Parsed spec, Parsed original, Map<String, String> names) {
        this.spec = spec;
        this.original = original;
        this.names = names;
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]), glassbox = folder.resolve("glassbox");
        compile(List.of("-d", folder.resolve("run").toString()), List.of(Path.of(arguments[3])));
        List<Path> annotations = annotations(Path.of(arguments[2]), folder.resolve("annotations"));
        compile(List.of("--patch-module", "java.base=" + folder.resolve("annotations"), "-d", glassbox.toString()), annotations);
        try (FileSystem zip = FileSystems.newFileSystem(Path.of(arguments[1]))) {
            for (String file : List.of(arguments).subList(4, arguments.length)) {
                String name = Path.of(file).getFileName().toString().replaceAll("\\.java$", "");
                Path own = folder.resolve(name), sources = own.resolve("sources");
                String patch = "java.base=" + sources + java.io.File.pathSeparator + glassbox;
                // Strings are put together as the JDK itself does it: by code that needs no other class of java.base.
                compile(List.of("--patch-module", patch, "-XDstringConcat=inline", "-d", own.resolve("classes").toString()),
                    weave(Files.readString(Path.of(file)), zip, sources));
            }
        }
    }

    /** The package glassbox. There is a state before on this JVM: a copy knows what it is a copy of. */
    private static List<Path> annotations(Path glassbox, Path sources) throws IOException {
        List<Path> copies = new ArrayList<>();
        Path to = Files.createDirectories(sources.resolve("glassbox"));
        try (Stream<Path> files = Files.list(glassbox)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                String text = Files.readString(file).replace(
                    "return x == y;\n    }", "return original.apply(x) == original.apply(y);\n    }\n"
                        + "    public static java.util.function.UnaryOperator<Object> original = x -> x;");
                copies.add(Files.writeString(to.resolve(file.getFileName()), text));
            }
        }
        return copies;
    }

    private static List<Path> weave(String text, FileSystem zip, Path sources) throws IOException {
        Parsed spec = new Parsed(text);
        Map<String, String> names = new LinkedHashMap<>();
        Map<ClassTree, String> classes = new LinkedHashMap<>();
        for (Tree tree : spec.unit.getTypeDecls()) {
            if (!(tree instanceof ClassTree declared)) continue;
            Matcher of = SPEC_FOR.matcher(spec.of(declared.getModifiers()));
            if (!of.find()) throw new IllegalArgumentException(declared.getSimpleName() + " is for no class");
            // Of an abstraction only bounds are declared.
            if (of.group(1).startsWith("glassbox.")) continue;
            classes.put(declared, of.group(1));
            names.put(declared.getSimpleName().toString(), of.group(1).substring(of.group(1).lastIndexOf('.') + 1));
        }
        List<Path> woven = new ArrayList<>();
        for (Map.Entry<ClassTree, String> each : classes.entrySet()) {
            String path = each.getValue().replace('.', '/') + ".java";
            WeaveEach weaver = new WeaveEach(spec, new Parsed(Files.readString(zip.getPath("java.base", path))), names);
            Path file = sources.resolve(path);
            Files.createDirectories(file.getParent());
            woven.add(Files.writeString(file, weaver.weave(each.getKey(), each.getValue())));
        }
        return woven;
    }

    private String weave(ClassTree declared, String name) {
        for (Tree tree : original.unit.getTypeDecls()) {
            if (tree instanceof ClassTree of && name.endsWith("." + of.getSimpleName())) merge(of, declared);
        }
        StringBuilder imports = new StringBuilder();
        for (ImportTree each : spec.unit.getImports()) imports.append(' ').append(spec.of(each));
        added.put(original.end(original.unit.getPackage()), imports.toString());
        StringBuilder text = new StringBuilder(original.text);
        // As long, so that all stays where it is.
        for (int at : opened) text.replace(at, at + "private".length(), "       ");
        for (Map.Entry<Integer, String> each : added.descendingMap().entrySet()) text.insert(each.getKey(), each.getValue());
        return text.toString();
    }

    private void merge(ClassTree of, ClassTree declared) {
        StringBuilder text = new StringBuilder();
        for (Tree member : declared.getMembers()) {
            Tree known = find(of, member);
            if (known instanceof ClassTree nested) {
                isNotPrivate(nested, nested.getModifiers().getFlags());
                merge(nested, (ClassTree) member);
            } else if (known instanceof VariableTree field) {
                isNotPrivate(field, field.getModifiers().getFlags());
            } else if (isNew(member)) {
                text.append(renamed(spec.of(member))).append('\n');
            }
        }
        added.put(original.end(of) - 1, text.toString());
    }

    private static Tree find(ClassTree of, Tree member) {
        for (Tree known : of.getMembers()) {
            if (known instanceof ClassTree a && member instanceof ClassTree b && a.getSimpleName().contentEquals(b.getSimpleName())) return known;
            if (known instanceof VariableTree a && member instanceof VariableTree b && a.getName().contentEquals(b.getName())) return known;
        }
        return null;
    }

    /** Whether it is not one that the original declares or inherits. */
    private static boolean isNew(Tree member) {
        if (member instanceof VariableTree field) return field.getInitializer() != null;
        if (!(member instanceof MethodTree method)) return true;
        boolean isConstructor = method.getName().contentEquals("<init>");
        return method.getBody() != null && !(isConstructor && method.getBody().getStatements().isEmpty());
    }

    private void isNotPrivate(Tree member, java.util.Set<Modifier> flags) {
        if (!flags.contains(Modifier.PRIVATE)) return;
        opened.add(original.text.indexOf("private", original.start(member)));
    }

    private String renamed(String text) {
        for (Map.Entry<String, String> name : names.entrySet()) {
            text = text.replaceAll("\\b" + name.getKey() + "\\b", name.getValue());
        }
        return text;
    }

    private static void compile(List<String> options, List<Path> files) {
        List<String> all = new ArrayList<>(List.of("-Xlint:none", "-proc:none", "-nowarn"));
        all.addAll(options);
        for (Path file : files) all.add(file.toString());
        if (JAVAC.run(null, null, null, all.toArray(String[]::new)) != 0) throw new IllegalStateException("javac refuses " + files);
    }
}
