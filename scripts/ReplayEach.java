import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Runs counterexamples on this JVM: makes the state, runs the operation on the object and on its abstraction, and says what is wrong
 * afterwards. One line each on standard output: a number, and `abstraction`, `invariant`, the name of an exception, or `nothing`.
 * Arguments: a folder for classes, the folder of the package glassbox. On standard input, separated by tabs:
 * <pre>
 * case    number  folders joined by `+`
 * size    n
 * object  name  class
 * array   name  class  length
 * field   name  field  value       (of an array: the index)
 * call    class  method  arguments…
 * </pre>
 */
class ReplayEach {
    private final URLClassLoader loader;
    private final Map<String, Object> objects = new HashMap<>();

    private ReplayEach(URLClassLoader loader) {
        this.loader = loader;
    }

    public static void main(String[] arguments) throws Exception {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        Path classes = Path.of(arguments[0]);
        Path glassbox = classes.resolve("glassbox");
        compile(javac, List.of("-d", glassbox.toString()), arguments[1]);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        ReplayEach replay = null;
        String number = null;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] parts = line.split("\t", -1);
            switch (parts[0]) {
                case "case" -> {
                    number = parts[1];
                    Path own = classes.resolve("case-" + number);
                    compile(javac, List.of("-cp", glassbox.toString(), "-d", own.toString()), parts[2]);
                    URL[] urls = {own.toUri().toURL(), glassbox.toUri().toURL()};
                    // Nothing of one case is left for the next.
                    URLClassLoader loader = new URLClassLoader(urls);
                    loader.setDefaultAssertionStatus(true);
                    replay = new ReplayEach(loader);
                }
                case "size" -> System.setProperty("glassbox.size", parts[1]);
                case "object" -> replay.objects.put(parts[1], replay.allocate(replay.type(parts[2])));
                case "array" -> {
                    Class<?> element = replay.type(parts[2].substring(0, parts[2].length() - 2));
                    replay.objects.put(parts[1], Array.newInstance(element, Integer.parseInt(parts[3])));
                }
                case "field" -> replay.set(parts[1], parts[2], parts[3]);
                case "call" -> System.out.println(number + "\t" + replay.call(parts));
                default -> throw new IllegalArgumentException(line);
            }
        }
    }

    private static void compile(JavaCompiler javac, List<String> options, String folders) throws IOException {
        List<String> all = new ArrayList<>(List.of("-Xlint:none", "-proc:none", "-nowarn"));
        all.addAll(options);
        List<String> names = new ArrayList<>();
        for (String folder : folders.split("\\+")) {
            try (Stream<Path> files = Files.list(Path.of(folder))) {
                for (Path file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
                    // What is in an earlier folder is meant.
                    if (!names.contains(file.getFileName().toString())) {
                        names.add(file.getFileName().toString());
                        all.add(file.toString());
                    }
                }
            }
        }
        if (javac.run(null, null, null, all.toArray(String[]::new)) != 0) {
            throw new IllegalStateException("javac refuses " + folders);
        }
    }

    private Class<?> type(String name) throws ClassNotFoundException {
        switch (name) {
            case "int": return int.class;
            case "boolean": return boolean.class;
            case "long": return long.class;
            case "byte": return byte.class;
            case "short": return short.class;
            case "char": return char.class;
            case "Object": return Object.class;
            default: return Class.forName(name.replace('.', '$'), true, loader);
        }
    }

    /** Without any constructor: the state is what the counterexample says. */
    private Object allocate(Class<?> type) throws Exception {
        Class<?> unsafe = Class.forName("sun.misc.Unsafe");
        Field field = unsafe.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        return unsafe.getMethod("allocateInstance", Class.class).invoke(field.get(null), type);
    }

    private void set(String name, String field, String text) throws Exception {
        Object object = objects.get(name);
        if (object.getClass().isArray()) {
            Array.set(object, Integer.parseInt(field), value(object.getClass().getComponentType(), text));
            return;
        }
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            try {
                Field found = type.getDeclaredField(field);
                found.setAccessible(true);
                found.set(object, value(found.getType(), text));
                return;
            } catch (NoSuchFieldException next) {
                continue;
            }
        }
        throw new NoSuchFieldException(field);
    }

    private Object value(Class<?> type, String text) throws Exception {
        if (text.equals("null")) return null;
        if (type == int.class) return Integer.parseInt(text);
        if (type == long.class) return Long.parseLong(text);
        if (type == byte.class) return Byte.parseByte(text);
        if (type == short.class) return Short.parseShort(text);
        if (type == char.class) return text.charAt(1);
        if (type == boolean.class) return Boolean.parseBoolean(text);
        if (type.isEnum()) {
            for (Object constant : type.getEnumConstants()) {
                if (((Enum<?>) constant).name().equals(text)) return constant;
            }
        }
        if (!objects.containsKey(text)) {
            if (text.matches("-?\\d+")) return Integer.valueOf(text);
            // A plain object that the state does not say anything about.
            objects.put(text, new Object());
        }
        return objects.get(text);
    }

    private String call(String[] parts) throws Exception {
        Class<?> type = type(parts[1]);
        int count = parts.length - 3;
        Object object = objects.get("this");
        if (object == null) {
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                if (constructor.getParameterCount() == count) {
                    constructor.setAccessible(true);
                    Object[] given = new Object[count];
                    for (int i = 0; i < count; i++) given[i] = value(constructor.getParameterTypes()[i], parts[3 + i]);
                    try {
                        object = constructor.newInstance(given);
                    } catch (InvocationTargetException thrown) {
                        return thrown.getCause().getClass().getSimpleName();
                    }
                }
            }
            return isValid(object) ? "nothing" : "invariant";
        }
        Method method = find(type, parts[2], count);
        Object[] given = new Object[count];
        for (int i = 0; i < count; i++) given[i] = value(method.getParameterTypes()[i], parts[3 + i]);
        if (!isValid(object)) return "a state that is not valid";
        Method function = find(type, "abstraction", 0);
        Object model = function == null ? null : function.invoke(object);
        Object ours = invoke(method, object, given);
        if (!isValid(object)) return "invariant";
        if (model == null) return ours instanceof Throwable thrown ? thrown.getClass().getSimpleName() : "nothing";
        Method counterpart = find(model.getClass(), parts[2], count);
        Object theirs = invoke(counterpart, model, given);
        boolean isSame = ours instanceof Throwable && theirs instanceof Throwable
            ? ours.getClass() == theirs.getClass()
            : method.getReturnType().isPrimitive() ? java.util.Objects.equals(ours, theirs) : ours == theirs;
        Method equal = find(model.getClass(), "equalTo", 1);
        return isSame && (boolean) equal.invoke(model, function.invoke(object)) ? "nothing" : "abstraction";
    }

    /** What it returns, or what it throws. */
    private static Object invoke(Method method, Object object, Object[] given) throws IllegalAccessException {
        try {
            return method.invoke(object, given);
        } catch (InvocationTargetException thrown) {
            return thrown.getCause();
        }
    }

    private boolean isValid(Object object) throws Exception {
        Method invariant = find(object.getClass(), "repOk", 0);
        if (invariant == null) invariant = find(object.getClass(), "wellTyped", 0);
        return invariant == null || Boolean.TRUE.equals(invoke(invariant, object, new Object[0]));
    }

    private static Method find(Class<?> type, String name, int count) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Method method : c.getDeclaredMethods()) {
                if (method.getName().equals(name) && method.getParameterCount() == count && !method.isBridge()) {
                    method.setAccessible(true);
                    return method;
                }
            }
        }
        return null;
    }
}
