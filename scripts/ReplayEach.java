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
 * afterwards. One line each on standard output: a number, and `abstraction`, `invariant`, `postcondition`, `order`, the name of an
 * exception, or `nothing`.
 * Arguments: a folder for classes, the folder of the package glassbox. On standard input, separated by tabs:
 * <pre>
 * case    number  folders joined by `+`  [Module=Abstraction, which has its place]
 * size    n
 * object  name  class
 * array   name  class  length
 * field   name  field  value       (of an array: the index)
 * post    method                   (the postcondition that breaks)
 * call    class  method  arguments…
 * orders  class  name of a  name of b  method  arguments…  |  method  arguments…
 * </pre>
 * With a module replaced, the call runs once more with the module itself, filled with what the abstraction has, if it is a map or a set.
 * That is told, too: `original`, the number, and what was wrong, or why it could not be made.
 */
class ReplayEach {
    private final URLClassLoader loader;
    private final Map<String, Object> objects = new HashMap<>();
    /** The state before, for a postcondition. */
    private ReplayEach before;
    private String post;

    private ReplayEach(URLClassLoader loader) {
        this.loader = loader;
    }

    /** With the classes of these folders. Nothing of one case is left for the next. */
    private static ReplayEach of(JavaCompiler javac, Path glassbox, Path own, String folders, String replaced) throws Exception {
        compile(javac, List.of("-cp", glassbox.toString(), "-d", own.toString()), folders, replaced, own.resolve("sources"));
        URL[] urls = {own.toUri().toURL(), glassbox.toUri().toURL()};
        URLClassLoader loader = new URLClassLoader(urls);
        loader.setDefaultAssertionStatus(true);
        ReplayEach replay = new ReplayEach(loader);
        replay.before = new ReplayEach(loader);
        return replay;
    }

    /** A line that makes a part of the state. */
    private void make(String[] parts) throws Exception {
        switch (parts[0]) {
            case "object" -> objects.put(parts[1], allocate(type(parts[2])));
            case "array" -> {
                Class<?> element = type(parts[2].substring(0, parts[2].length() - 2));
                objects.put(parts[1], Array.newInstance(element, Integer.parseInt(parts[3])));
            }
            case "field" -> set(parts[1], parts[2], parts[3]);
            default -> throw new IllegalArgumentException(parts[0]);
        }
    }

    public static void main(String[] arguments) throws Exception {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        Path classes = Path.of(arguments[0]);
        Path glassbox = classes.resolve("glassbox");
        compile(javac, List.of("-d", glassbox.toString()), arguments[1], null, null);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        ReplayEach replay = null;
        String[] current = null;
        List<String[]> state = new ArrayList<>();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] parts = line.split("\t", -1);
            switch (parts[0]) {
                case "case" -> {
                    current = parts;
                    state.clear();
                    Path own = classes.resolve("case-" + parts[1]);
                    replay = of(javac, glassbox, own, parts[2], parts.length > 3 ? parts[3] : null);
                }
                case "size" -> System.setProperty("glassbox.size", parts[1]);
                case "post" -> replay.post = parts[1];
                case "orders" -> System.out.println(current[1] + "\t" + replay.orders(parts));
                case "call" -> {
                    System.out.println(current[1] + "\t" + replay.call(parts));
                    if (current.length > 3) {
                        Path own = classes.resolve("original-" + current[1]);
                        ReplayEach original = of(javac, glassbox, own, current[2], null);
                        original.post = replay.post;
                        String told = original.original(state, current[3].split("="), parts);
                        System.out.println("original\t" + current[1] + "\t" + told);
                    }
                }
                default -> {
                    state.add(parts);
                    replay.make(parts);
                    replay.before.make(parts);
                }
            }
        }
    }

    /** The same call with the module itself. */
    private String original(List<String[]> state, String[] replaced, String[] call) throws Exception {
        for (ReplayEach each : new ReplayEach[] {this, before}) {
            List<String> abstractions = new ArrayList<>();
            for (String[] parts : state) {
                if (parts[0].equals("object") && parts[2].equals(replaced[1])) abstractions.add(parts[1]);
                boolean isHeld = parts[0].equals("field") && abstractions.contains(parts[3]);
                each.make(isHeld ? new String[] {"field", parts[1], parts[2], "null"} : parts);
            }
            for (String[] parts : state) {
                if (!parts[0].equals("field") || !abstractions.contains(parts[3])) continue;
                Object module = each.filled(each.type(replaced[0]), each.objects.get(parts[3]));
                if (module == null) return "cannot be made";
                each.objects.put(parts[3], module);
                each.set(parts[1], parts[2], parts[3]);
            }
        }
        return call(call);
    }

    /** A new map or set with what a list of cells has. */
    private Object filled(Class<?> type, Object abstraction) throws Exception {
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        Object made = constructor.newInstance();
        Method put = find(type, "put", 2), add = find(type, "add", 1);
        if (put == null && add == null) return null;
        for (Object cell = get(abstraction, "first"); cell != null; cell = get(cell, "next")) {
            if (!Boolean.TRUE.equals(get(cell, "present"))) continue;
            if (put != null) put.invoke(made, get(cell, "key"), get(cell, "value"));
            else add.invoke(made, get(cell, "element"));
        }
        return made;
    }

    private static Object get(Object object, String field) throws Exception {
        Field found = object.getClass().getDeclaredField(field);
        found.setAccessible(true);
        return found.get(object);
    }

    /** Without the file of a class that is replaced: its name means the abstraction in all others, which are copied for that. */
    private static void compile(JavaCompiler javac, List<String> options, String folders, String replaced, Path copies) throws IOException {
        String[] pair = replaced == null ? null : replaced.split("=");
        List<String> all = new ArrayList<>(List.of("-Xlint:none", "-proc:none", "-nowarn"));
        all.addAll(options);
        List<String> names = new ArrayList<>();
        for (String folder : folders.split("\\+")) {
            try (Stream<Path> files = Files.list(Path.of(folder))) {
                for (Path file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
                    // What is in an earlier folder is meant.
                    String name = file.getFileName().toString();
                    if (names.contains(name) || pair != null && name.equals(pair[0] + ".java")) continue;
                    names.add(name);
                    if (pair != null) {
                        String text = Files.readString(file).replaceAll("\\b" + pair[0] + "\\b", pair[1]);
                        Files.createDirectories(copies);
                        file = Files.writeString(copies.resolve(name), text);
                    }
                    all.add(file.toString());
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
            default:
        }
        try {
            return Class.forName(name.replace('.', '$'), true, loader);
        } catch (ClassNotFoundException other) {
            return Class.forName("glassbox." + name.replace('.', '$'), true, loader);
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
        if (type == char.class) return text.startsWith("'") ? text.charAt(1) : (char) Integer.parseInt(text);
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
        // Within a method no invariant need hold, and there may be no object.
        boolean isBlock = parts[2].endsWith("$block");
        if (object == null && !isBlock) {
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
        if (isBlock) return thrown(invoke(method, object, given));
        if (!isValid(object)) return "a state that is not valid";
        if (post != null) {
            Object result = invoke(method, object, given);
            return isValid(object) ? isKept(type, object, given, result) ? thrown(result) : "postcondition" : "invariant";
        }
        Method function = find(type, "abstraction", 0);
        Object model = function == null ? null : function.invoke(object);
        Object ours = invoke(method, object, given);
        if (!isValid(object)) return "invariant";
        if (model == null) return thrown(ours);
        Method counterpart = find(model.getClass(), parts[2], count);
        Object theirs = invoke(counterpart, model, given);
        boolean isSame = ours instanceof Throwable && theirs instanceof Throwable
            ? ours.getClass() == theirs.getClass()
            : method.getReturnType().isPrimitive() ? java.util.Objects.equals(ours, theirs) : ours == theirs;
        Method equal = find(model.getClass(), "equalTo", 1);
        return isSame && (boolean) equal.invoke(model, function.invoke(object)) ? "nothing" : "abstraction";
    }

    private static String thrown(Object result) {
        return result instanceof Throwable thrown ? thrown.getClass().getSimpleName() : "nothing";
    }

    /** The postcondition takes the state before, the arguments, and the result; the last ones may be left out. */
    private boolean isKept(Class<?> type, Object object, Object[] given, Object result) throws Exception {
        List<Object> all = new ArrayList<>();
        all.add(before.objects.get("this"));
        all.addAll(java.util.Arrays.asList(given));
        all.add(result);
        for (int count = 1; count <= all.size(); count++) {
            Method found = find(type, post, count);
            if (found != null) return Boolean.TRUE.equals(invoke(found, object, all.subList(0, count).toArray()));
        }
        throw new NoSuchMethodException(post);
    }

    /** Both orders of two calls, or one call on both objects. */
    private String orders(String[] parts) throws Exception {
        Class<?> type = type(parts[1]);
        Object a = objects.get(parts[2]), b = objects.get(parts[3]);
        List<List<String>> calls = new ArrayList<>();
        calls.add(new ArrayList<>());
        for (int i = 4; i < parts.length; i++) {
            if (parts[i].equals("|")) calls.add(new ArrayList<>());
            else calls.get(calls.size() - 1).add(parts[i]);
        }
        if (!isValid(a) || !isValid(b)) return "a state that is not valid";
        if (!areEqual(a, b)) return "states that are not equal";
        Object[] ours = new Object[calls.size()], theirs = new Object[calls.size()];
        for (int i = 0; i < ours.length; i++) ours[i] = run(type, a, calls.get(i));
        for (int i = ours.length - 1; i >= 0; i--) theirs[i] = run(type, b, calls.get(i));
        for (int i = 0; i < ours.length; i++) {
            Object x = ours[i], y = theirs[i];
            boolean areThrown = x instanceof Throwable && y instanceof Throwable;
            boolean areSame = areThrown ? x.getClass() == y.getClass() : isValue(x) ? x.equals(y) : x == y;
            if (!areSame) return "order";
        }
        return areEqual(a, b) ? "nothing" : "order";
    }

    private Object run(Class<?> type, Object object, List<String> call) throws Exception {
        Method method = find(type, call.get(0), call.size() - 1);
        Object[] given = new Object[call.size() - 1];
        for (int i = 0; i < given.length; i++) given[i] = value(method.getParameterTypes()[i], call.get(1 + i));
        return invoke(method, object, given);
    }

    private static boolean isValue(Object x) {
        return x instanceof Number || x instanceof Boolean || x instanceof Character || x instanceof String;
    }

    /** By their abstractions, else by their shape. */
    private boolean areEqual(Object a, Object b) throws Exception {
        Method function = find(a.getClass(), "abstraction", 0);
        if (function == null) return haveSameShape(a, b, new java.util.IdentityHashMap<>());
        Object model = function.invoke(a);
        return (boolean) find(model.getClass(), "equalTo", 1).invoke(model, function.invoke(b));
    }

    private boolean haveSameShape(Object a, Object b, Map<Object, Object> seen) throws Exception {
        if (a == null || b == null || isValue(a)) return java.util.Objects.equals(a, b);
        if (a.getClass() != b.getClass()) return false;
        if (seen.containsKey(a)) return seen.get(a) == b;
        boolean isOurs = a.getClass().getClassLoader() == loader && !a.getClass().isEnum();
        if (!isOurs && !a.getClass().isArray()) return a == b;
        seen.put(a, b);
        if (a.getClass().isArray()) {
            if (Array.getLength(a) != Array.getLength(b)) return false;
            for (int i = 0; i < Array.getLength(a); i++) {
                if (!haveSameShape(Array.get(a, i), Array.get(b, i), seen)) return false;
            }
            return true;
        }
        for (Class<?> type = a.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (java.lang.reflect.Modifier.isStatic(field.getModifiers()) || field.isSynthetic()) continue;
                field.setAccessible(true);
                if (!haveSameShape(field.get(a), field.get(b), seen)) return false;
            }
        }
        return true;
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
