import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
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
 * field   name  field  value       (of an array: the index; `next of Node` is declared in Node)
 * post    method                   (the postcondition that breaks)
 * call    class  method  arguments…
 * orders  class  name of a  name of b  method  arguments…  |  method  arguments…
 * </pre>
 * A case of the folder `-` is about classes that this JVM has: `WeaveEach` gives them their specifications. There may be, too,
 * <pre>
 * box     name  class  number
 * plain   name  number             (an Object, and the last bits of its identity hash code)
 * string  name  text               (another one each time)
 * class   name  type
 * static  name  class  field  [the same bits]
 * run     class  method  specifications before  specifications after  arguments…
 * </pre>
 * `run` is told with everything: whether specifications hold, what is returned or thrown, and the state afterwards as a text. Methods have
 * their parameters (`put(Object,Object)`, `<init>()`); a specification also what it is given, `wasPut(TreeMap,Object,Object,Object):before,0,1,result`.
 * With a module replaced, the call runs once more with the module itself, filled with what the abstraction has, if it is a map or a set.
 * That is told, too: `original`, the number, and what was wrong, or why it could not be made.
 */
class ReplayEach {
    private final URLClassLoader loader;
    private final Map<String, Object> objects = new HashMap<>();
    /** What static fields hold, and their names. */
    private final Map<Object, String> held = new IdentityHashMap<>();
    /** The state before, for a postcondition. */
    private ReplayEach before;
    private String post;

    private ReplayEach(URLClassLoader loader) {
        this.loader = loader;
    }

    /** With the classes of these folders. Nothing of one case is left for the next. */
    private static ReplayEach of(JavaCompiler javac, Path glassbox, Path own, String folders, String replaced) throws Exception {
        if (folders.equals("-")) {
            ReplayEach replay = new ReplayEach(null);
            replay.before = new ReplayEach(null);
            return replay;
        }
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
        // Without arguments, nothing is compiled.
        JavaCompiler javac = arguments.length == 0 ? null : ToolProvider.getSystemJavaCompiler();
        Path classes = arguments.length == 0 ? Path.of("") : Path.of(arguments[0]);
        Path glassbox = classes.resolve("glassbox");
        if (javac != null) compile(javac, List.of("-d", glassbox.toString()), arguments[1], null, null);
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
                case "run" -> System.out.println(current[1] + "\t" + replay.run(parts));
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
                case "box", "plain", "string", "class", "static" -> {
                    // These are shared with the state before.
                    replay.share(parts);
                    replay.before.objects.put(parts[1], replay.objects.get(parts[1]));
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
        if (loader == null) {
            String within = name.replace('.', '$');
            for (String in : new String[] {"java.util.", "java.lang.", "glassbox."}) {
                try {
                    return Class.forName(in + within);
                } catch (ClassNotFoundException next) {
                    continue;
                }
            }
            throw new ClassNotFoundException(name);
        }
        try {
            return Class.forName(name.replace('.', '$'), true, loader);
        } catch (ClassNotFoundException other) {
            return Class.forName("glassbox." + name.replace('.', '$'), true, loader);
        }
    }

    /** Without any constructor: the state is what the counterexample says. */
    private Object allocate(Class<?> type) throws Exception {
        Object unsafe = unsafe();
        return unsafe.getClass().getMethod("allocateInstance", Class.class).invoke(unsafe, type);
    }

    private static Object unsafe() throws Exception {
        Field field = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
        field.setAccessible(true);
        return field.get(null);
    }

    private void set(String name, String field, String text) throws Exception {
        Object object = objects.get(name);
        if (object.getClass().isArray()) {
            Array.set(object, Integer.parseInt(field), value(object.getClass().getComponentType(), text));
            return;
        }
        String[] of = field.split(" of ");
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            if (of.length > 1 && !simple(type).equals(of[1])) continue;
            try {
                Field found = type.getDeclaredField(of[0]);
                found.setAccessible(true);
                if (type.isRecord())
                    put(object, found, value(found.getType(), text));
                else
                    found.set(object, value(found.getType(), text));
                return;
            } catch (NoSuchFieldException next) {
                continue;
            }
        }
        throw new NoSuchFieldException(field);
    }

    /** Sets a field of a record, which reflection refuses: needs --add-opens java.base/jdk.internal.misc=ALL-UNNAMED. */
    private static void put(Object object, Field field, Object value) throws Exception {
        Class<?> type = Class.forName("jdk.internal.misc.Unsafe");
        Object unsafe = type.getMethod("getUnsafe").invoke(null);
        Object offset = type.getMethod("objectFieldOffset", Field.class).invoke(unsafe, field);
        Class<?> of = field.getType().isPrimitive() ? field.getType() : Object.class;
        String name = of.getSimpleName();
        String put = of == Object.class ? "putReference" : "put" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
        type.getMethod(put, Object.class, long.class, of).invoke(unsafe, object, offset, value);
    }

    private Object value(Class<?> type, String text) throws Exception {
        if (text.equals("null")) return null;
        if (type == int.class) return Integer.parseInt(text);
        if (type == long.class) return Long.parseLong(text);
        if (type == byte.class) return Byte.parseByte(text);
        if (type == short.class) return Short.parseShort(text);
        if (type == char.class) return text.startsWith("'") ? text.charAt(1) : (char) Integer.parseInt(text);
        if (type == boolean.class) return Boolean.parseBoolean(text);
        // By their bits.
        if (type == float.class) return Float.intBitsToFloat(Integer.parseInt(text));
        if (type == double.class) return Double.longBitsToDouble(Long.parseLong(text));
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
        if (!isValid(object) || type.isInstance(ours) && !isValid(ours)) return "invariant";
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
        if (function == null) return haveSameShape(a, b, new IdentityHashMap<>());
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

    /** One operation on classes of this JVM, and all there is to say about it. */
    private String run(String[] parts) throws Exception {
        Map<Object, Object> originals = new IdentityHashMap<>();
        before.objects.forEach((name, copy) -> originals.put(copy, objects.get(name)));
        UnaryOperator<Object> original = copy -> originals.getOrDefault(copy, copy);
        type("GlassBox").getField("original").set(null, original);
        Class<?> type = type(parts[1]);
        Executable method = declared(type, parts[2]);
        Object[] given = new Object[parts.length - 5];
        for (int i = 0; i < given.length; i++) given[i] = value(method.getParameterTypes()[i], parts[5 + i]);
        boolean isMade = method instanceof Constructor;
        Object object = objects.get("this");
        if (object != null && !isValid(object)) return "a state that is not valid";
        for (String spec : list(parts[3])) {
            if (!holds(type, spec, object, given, null)) return spec + " does not hold before";
        }
        Object result = isMade ? made((Constructor<?>) method, given) : invoke((Method) method, object, given);
        boolean isThrown = result instanceof Throwable;
        if (isMade && !isThrown) object = result;
        // Before a specification has a chance to change it.
        String after = graph(object, method, given, result);
        if (object != null && !isValid(object)) return "invariant\t" + after;
        for (String spec : isThrown ? List.<String>of() : list(parts[4])) {
            if (!holds(type, spec, object, given, result)) return spec + " does not hold\t" + after;
        }
        return (isThrown ? simple(result.getClass()) : "returned") + "\t" + after;
    }

    private static List<String> list(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(";"));
    }

    private boolean holds(Class<?> type, String spec, Object object, Object[] given, Object result) throws Exception {
        String[] parts = spec.split(":", -1);
        List<Object> arguments = new ArrayList<>();
        for (String each : parts[1].isEmpty() ? new String[0] : parts[1].split(",")) {
            switch (each) {
                case "before" -> arguments.add(before.objects.get("this"));
                case "result" -> arguments.add(result);
                default -> arguments.add(given[Integer.parseInt(each)]);
            }
        }
        // Of an argument that is an object of the class.
        if (parts[0].equals("valid")) return !type.isInstance(arguments.get(0)) || isValid(arguments.get(0));
        if (parts[0].startsWith("apart ")) return areApart(type, parts[0].substring(6).split("/"), object, arguments.get(0));
        return Boolean.TRUE.equals(invoke((Method) declared(type, parts[0]), object, arguments.toArray()));
    }

    /** Whether two objects have none of the arrays in these fields in common. */
    private static boolean areApart(Class<?> type, String[] names, Object object, Object other) throws ReflectiveOperationException {
        if (object == other || !type.isInstance(other)) return true;
        for (String mine : names) {
            Object array = held(type, mine, object);
            for (String theirs : names) if (array != null && array == held(type, theirs, other)) return false;
        }
        return true;
    }

    private static Object held(Class<?> type, String name, Object object) throws ReflectiveOperationException {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (!field.getName().equals(name)) continue;
                field.setAccessible(true);
                return field.get(object);
            }
        }
        throw new NoSuchFieldException(type + " " + name);
    }

    private static Object made(Constructor<?> constructor, Object[] given) throws ReflectiveOperationException {
        try {
            return constructor.newInstance(given);
        } catch (InvocationTargetException thrown) {
            return thrown.getCause();
        }
    }

    /** A method of a class or of what it extends and implements, by its name and the simple names of its parameters' types. */
    private static Executable declared(Class<?> type, String signature) throws NoSuchMethodException {
        List<Class<?>> above = new ArrayList<>();
        for (Class<?> c = type; c != null; c = c.getSuperclass()) above.add(c);
        for (int i = 0; i < above.size(); i++) above.addAll(List.of(above.get(i).getInterfaces()));
        for (Class<?> c : above) {
            List<Executable> all = new ArrayList<>(List.of(c.getDeclaredMethods()));
            if (c == type) all.addAll(List.of(c.getDeclaredConstructors()));
            for (Executable each : all) {
                StringJoiner types = new StringJoiner(",", "(", ")");
                for (Class<?> parameter : each.getParameterTypes()) types.add(parameter.getSimpleName());
                String name = each instanceof Constructor ? "<init>" : each.getName();
                if (!(name + types).equals(signature) || each instanceof Method m && m.isBridge()) continue;
                each.setAccessible(true);
                return each;
            }
        }
        throw new NoSuchMethodException(type + " " + signature);
    }

    /** A box, a plain object, a string, a class or what a static field holds. */
    private void share(String[] parts) throws Exception {
        switch (parts[0]) {
            case "box" -> {
                Class<?> type = type(parts[2]);
                boolean isSmall = type != Boolean.class && type != Character.class && Math.abs(Long.parseLong(parts[3]) + 0.5) < 128;
                Object box = type == Boolean.class ? (Object) (parts[3].equals("1") || parts[3].equals("true"))
                    : type == Character.class ? (Object) (char) Integer.parseInt(parts[3])
                    : isSmall ? type.getMethod("valueOf", String.class).invoke(null, parts[3])
                    : type.getConstructor(String.class).newInstance(parts[3]);
                objects.put(parts[1], box);
            }
            case "class" -> objects.put(parts[1], named(parts[2]));
            case "string" -> objects.put(parts[1], new String(parts[2]));
            case "plain" -> objects.put(parts[1], plain(Integer.parseInt(parts[2])));
            default -> {
                Field field = type(parts[2]).getDeclaredField(parts[3]);
                field.setAccessible(true);
                if (parts.length > 4 && !hasBits(field.get(null), Integer.parseInt(parts[4]))) {
                    Object unsafe = unsafe();
                    Object base = unsafe.getClass().getMethod("staticFieldBase", Field.class).invoke(unsafe, field);
                    Object offset = unsafe.getClass().getMethod("staticFieldOffset", Field.class).invoke(unsafe, field);
                    unsafe.getClass().getMethod("putObject", Object.class, long.class, Object.class)
                        .invoke(unsafe, base, offset, plain(Integer.parseInt(parts[4])));
                }
                objects.put(parts[1], field.get(null));
                held.putIfAbsent(objects.get(parts[1]), "@" + simple(field.getDeclaringClass()) + "." + parts[3]);
            }
        }
    }

    private Class<?> named(String type) throws ClassNotFoundException {
        return type.endsWith("[]") ? named(type.substring(0, type.length() - 2)).arrayType() : type(type);
    }

    /** More than an identity hash code is used for in a table of some hundred places. */
    private static boolean hasBits(Object object, int bits) {
        return (System.identityHashCode(object) & 1023) == (bits & 1023);
    }

    private static Object plain(int bits) {
        for (;;) {
            Object object = new Object();
            if (hasBits(object, bits)) return object;
        }
    }

    private static String simple(Class<?> type) {
        String name = type.getName();
        return type.isArray() ? simple(type.getComponentType()) + "[]" : name.substring(name.lastIndexOf('.') + 1).replace('$', '.');
    }

    /** Everything that is reached, in the order in which it is. */
    private String graph(Object object, Executable method, Object[] given, Object result) throws Exception {
        Map<Object, Integer> numbers = new IdentityHashMap<>();
        List<Object> found = new ArrayList<>();
        StringJoiner text = new StringJoiner(" ");
        text.add(reference(object, numbers, found));
        for (int i = 0; i < given.length; i++) text.add(slot(method.getParameterTypes()[i], given[i], numbers, found));
        if (method instanceof Method m && m.getReturnType() != void.class && !(result instanceof Throwable)) {
            text.add(slot(m.getReturnType(), result, numbers, found));
        }
        for (int i = 0; i < found.size(); i++) {
            Object each = found.get(i);
            Class<?> of = each.getClass();
            StringJoiner parts = new StringJoiner(",", "#" + i + "=" + simple(of) + "{", "}");
            if (of.isArray()) {
                for (int k = 0; k < Array.getLength(each); k++) parts.add(slot(of.getComponentType(), Array.get(each, k), numbers, found));
            } else if (isValue(each)) {
                parts.add(each instanceof Character c ? Integer.toString(c) : each.toString());
            } else {
                TreeMap<String, Field> fields = new TreeMap<>();
                for (Class<?> type = of; type != null; type = type.getSuperclass()) {
                    for (Field field : type.getDeclaredFields()) {
                        if (!java.lang.reflect.Modifier.isStatic(field.getModifiers())) fields.put(field.getName() + " of " + simple(type), field);
                    }
                }
                for (Field field : fields.values()) {
                    field.setAccessible(true);
                    parts.add(field.getName() + "=" + slot(field.getType(), field.get(each), numbers, found));
                }
            }
            text.add(parts.toString());
        }
        return text.toString();
    }

    private String slot(Class<?> type, Object value, Map<Object, Integer> numbers, List<Object> found) {
        if (value instanceof Float f) return Integer.toString(Float.floatToRawIntBits(f));
        if (value instanceof Double d) return Long.toString(Double.doubleToRawLongBits(d));
        if (type.isPrimitive()) return value instanceof Character c ? Integer.toString(c) : value.toString();
        return reference(value, numbers, found);
    }

    private String reference(Object object, Map<Object, Integer> numbers, List<Object> found) {
        if (object == null) return "null";
        if (held.containsKey(object)) return held.get(object);
        // Boxes that are the same wherever they come from.
        if (object instanceof Boolean || object instanceof Number n && Math.abs(n.longValue() + 0.5) < 128) return simple(object.getClass()) + ":" + object;
        if (object instanceof String) return "String";
        if (object instanceof Class<?> type) return simple(type) + ".class";
        if (numbers.putIfAbsent(object, found.size()) == null) found.add(object);
        return "#" + numbers.get(object);
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
