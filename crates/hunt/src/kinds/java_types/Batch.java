import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Compiles a class whose test methods are a line each, without the lines that `javac` refuses, and runs the rest. A line
 * for each test method: its name, then its value, or the exception that escaped, or `-` and why it was refused.
 */
public class Batch {
    public static void main(String[] args) throws Exception {
        List<String> lines = new ArrayList<>(Files.readAllLines(Path.of(args[0])));
        Map<String, byte[]> classes = new HashMap<>();
        Map<Integer, String> refused = new HashMap<>();
        // What types do not tell, the second round does: whether a statement can be reached.
        for (int round = 0; round < 3; round++) {
            Map<Integer, String> wrong = compile(String.join("\n", lines), classes);
            if (wrong.isEmpty()) {
                break;
            }
            for (Map.Entry<Integer, String> one : wrong.entrySet()) {
                refused.put(one.getKey(), name(lines.get(one.getKey() - 1)) + " - " + one.getValue());
                lines.set(one.getKey() - 1, "");
            }
        }
        ClassLoader loader = new ClassLoader() {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                byte[] bytes = classes.get(name);
                if (bytes == null) {
                    throw new ClassNotFoundException(name);
                }
                return defineClass(name, bytes, 0, bytes.length);
            }
        };
        Class<?> tests = loader.loadClass("T");
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            if (refused.containsKey(i + 1)) {
                out.append(refused.get(i + 1)).append('\n');
            } else if (lines.get(i).contains("static long t")) {
                out.append(run(tests, name(lines.get(i)))).append('\n');
            }
        }
        System.out.print(out);
    }

    static String name(String line) {
        int at = line.indexOf("static long t");
        return at < 0 ? "?" : line.substring(at + 12, line.indexOf('(', at));
    }

    static String run(Class<?> tests, String name) throws Exception {
        var method = tests.getDeclaredMethod(name);
        method.setAccessible(true);
        try {
            return name + " " + method.invoke(null);
        } catch (InvocationTargetException e) {
            return name + " " + e.getCause().getClass().getSimpleName();
        }
    }

    /** The lines with errors, each with the first. */
    static Map<Integer, String> compile(String text, Map<String, byte[]> classes) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        JavaFileManager memory =
            new ForwardingJavaFileManager<JavaFileManager>(compiler.getStandardFileManager(found, null, null)) {
                @Override
                public JavaFileObject getJavaFileForOutput(
                        Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
                    return new SimpleJavaFileObject(URI.create("mem:///" + name.replace('.', '/') + kind.extension), kind) {
                        @Override
                        public OutputStream openOutputStream() {
                            return new ByteArrayOutputStream() {
                                @Override
                                public void close() {
                                    classes.put(name, toByteArray());
                                }
                            };
                        }
                    };
                }
            };
        JavaFileObject source =
            new SimpleJavaFileObject(URI.create("mem:///T.java"), JavaFileObject.Kind.SOURCE) {
                @Override
                public CharSequence getCharContent(boolean ignore) {
                    return text;
                }
            };
        List<String> options = List.of("-nowarn", "-proc:none", "-g:none", "-Xmaxerrs", "10000");
        compiler.getTask(null, memory, found, options, null, List.of(source)).call();
        Map<Integer, String> wrong = new HashMap<>();
        for (Diagnostic<?> d : found.getDiagnostics()) {
            if (d.getKind() == Diagnostic.Kind.ERROR) {
                wrong.putIfAbsent((int) d.getLineNumber(), d.getMessage(null).split("\n")[0]);
            }
        }
        return wrong;
    }
}
