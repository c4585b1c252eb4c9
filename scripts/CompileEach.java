import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Compiles the package glassbox, then the sources of each folder by itself: examples and seeded bugs share class names.
 * In one JVM, since a start of javac costs more than what it compiles.
 * Arguments: a folder for classes, the folder of the package, the folders; folders that belong together joined by `+`.
 */
class CompileEach {
    public static void main(String[] arguments) throws IOException {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        Path classes = Path.of(arguments[0]);
        Path glassbox = classes.resolve("glassbox");
        boolean isFine = compile(javac, List.of("-d", glassbox.toString()), arguments[1]);
        for (int i = 2; i < arguments.length; i++) {
            // Classes of other folders are not in sight: nothing may lean on them.
            Path own = classes.resolve("folder-" + i);
            List<String> options = List.of("-cp", glassbox.toString(), "-d", own.toString());
            isFine &= compile(javac, options, arguments[i]);
        }
        if (!isFine) {
            System.exit(1);
        }
    }

    private static boolean compile(JavaCompiler javac, List<String> options, String folders) {
        List<String> all = new ArrayList<>(List.of("-Xlint:none"));
        all.addAll(options);
        for (String folder : folders.split("\\+")) {
            try (Stream<Path> files = Files.list(Path.of(folder))) {
                files.map(Path::toString).filter(name -> name.endsWith(".java")).sorted().forEach(all::add);
            } catch (IOException problem) {
                throw new UncheckedIOException(problem);
            }
        }
        return javac.run(null, null, null, all.toArray(String[]::new)) == 0;
    }
}
