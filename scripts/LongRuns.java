import glassbox.Language;
import glassbox.Length;
import glassbox.Pre;
import glassbox.Range;
import glassbox.StuckException;
import glassbox.Tree;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Runs random well-typed programs of languages as Java classes on this JVM, larger ones than a check reaches: none may be stuck, and
 * after each step the program must be well typed. Programs grow by changes at random places, of which those stay that `wellTyped`
 * accepts: programs are well typed by the rules of the class, be they right or wrong. Of a language nothing is known here but its
 * annotations and what the arrays of its class table are called.
 * Arguments: a folder for classes, how many programs, how many nodes, how many steps at most, and a folder for each language; the
 * package glassbox is on the class path. One line for each language on standard output: its folder, then `fine`, programs, nodes of
 * the largest one, steps in all; or `stuck` or `ill-typed`, and the program before and after the step.
 */
class LongRuns {
    private static final int CLASSES = 5;
    private static final int LITERALS = 100;
    /** Annotations of one expression are often right for another one. */
    private static final List<String> TYPES = List.of("type", "o1", "o2", "isNonNull", "isUntainted");

    private final Random random = new Random(7);
    private final Class<? extends Language> language;
    private final List<Method> assumed = new ArrayList<>();
    private final Field root;
    /** Which parts nodes of some kind had where they were accepted. */
    private final Map<Object, List<Integer>> shapes = new HashMap<>();
    private final Map<Class<?>, List<Field>> fields = new HashMap<>();
    private final Map<Class<?>, List<Field>> parts = new HashMap<>();
    private final Map<Class<?>, Maker> makers = new HashMap<>();
    private final Set<Object> leaves = new HashSet<>();
    private final List<Object> programs = new ArrayList<>();
    private final Map<String, List<Object>> stock = new LinkedHashMap<>();
    private final Deque<Change> undo = new ArrayDeque<>();
    private Language state;
    private Object made;
    private int longest;

    private LongRuns(Class<? extends Language> language) {
        this.language = language;
        for (Method method : language.getDeclaredMethods()) {
            if (method.isAnnotationPresent(Pre.class)) assumed.add(method);
        }
        assumed.forEach(m -> m.setAccessible(true));
        // The trees before it are bodies of methods.
        root = parts(language).get(parts(language).size() - 1);
    }

    public static void main(String[] arguments) throws Exception {
        Path classes = Path.of(arguments[0]);
        int programs = Integer.parseInt(arguments[1]);
        int nodes = Integer.parseInt(arguments[2]);
        int steps = Integer.parseInt(arguments[3]);
        for (int i = 4; i < arguments.length; i++) {
            Class<? extends Language> language = load(classes.resolve("language-" + i), Path.of(arguments[i]));
            System.out.println(arguments[i] + "\t" + new LongRuns(language).run(programs, nodes, steps));
        }
    }

    private static Class<? extends Language> load(Path classes, Path folder) throws IOException, ClassNotFoundException {
        List<String> options = new ArrayList<>(List.of("-Xlint:none", "-proc:none", "-d", classes.toString()));
        options.addAll(List.of("-cp", System.getProperty("java.class.path")));
        String name = null;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                options.add(file.toString());
                name = file.getFileName().toString().replace(".java", "");
            }
        }
        if (ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new)) != 0) {
            throw new IllegalStateException("javac refuses " + folder);
        }
        // Seeded bugs share class names.
        URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()}, LongRuns.class.getClassLoader());
        return Class.forName(name, true, loader).asSubclass(Language.class);
    }

    private String run(int programs, int nodes, int steps) throws Exception {
        int most = 0;
        int all = 0;
        for (int p = 0; p < programs; p++) {
            begin();
            table();
            heap();
            grow(nodes);
            most = Math.max(most, size(root.get(state)));
            Language start = (Language) copy(state);
            for (int s = 0; s < steps && !state.isFinalState(); s++, all++) {
                String wrong = null;
                try {
                    state.smallStep();
                    if (!isWellTyped()) wrong = "ill-typed";
                } catch (StuckException stuck) {
                    wrong = "stuck";
                }
                if (wrong == null) continue;
                for (int again = 0; again < s; again++) start.smallStep();
                return wrong + "\t" + (start + " --> " + state).replace('\n', ' ');
            }
        }
        return "fine\t" + programs + "\t" + most + "\t" + all;
    }

    private boolean isWellTyped() {
        try {
            for (Method method : assumed) {
                if (!(boolean) method.invoke(state)) return false;
            }
            return state.wellTyped();
        } catch (InvocationTargetException | NullPointerException | ArrayIndexOutOfBoundsException notSyntax) {
            return false;
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    // ---- Random states

    /** Arrays full of zeros, and a first program that is well typed. */
    private void begin() throws Exception {
        state = (Language) make(language);
        stock.clear();
        programs.clear();
        for (Field field : fields(language)) {
            if (!field.getType().isArray()) continue;
            String length = field.getAnnotation(Length.class).value()[0];
            int count = length.equals("n..n") ? LITERALS : Integer.parseInt(length.substring(0, 1));
            field.set(state, Array.newInstance(field.getType().getComponentType(), count));
        }
        for (Field field : fields(language)) {
            if (field.getType() == int.class && field.isAnnotationPresent(Range.class)) field.set(state, LITERALS / 2);
        }
        if (!attempt(100_000, () -> set(root, state, node(root.getType(), null))))
            throw new IllegalStateException("no well-typed program");
    }

    /** Classes 1 to 4, each with a superclass among those before it, and members that are well typed. */
    private void table() throws Exception {
        if (rows(CLASSES).isEmpty()) return;
        for (int c = 1; c < CLASSES; c++) {
            int own = c;
            int parent = random.nextInt(c);
            Field[] bodies = new Field[2];
            for (int m = 0; m < 2; m++) bodies[m] = field("body" + c + "ab".charAt(m));
            attempt(1, () -> {
                for (int d = 1; d < own; d++) {
                    boolean isBelow = d == parent || d < parent && (boolean) field("is" + parent + "Below" + d).get(state);
                    set(field("is" + own + "Below" + d), state, isBelow);
                }
                for (Field row : rows(CLASSES)) setAt(row, own, Array.get(row.get(state), parent));
            });
            attempt(1, () -> setRows("hasSecond", own, () -> true));
            int inherited = Array.getInt(field("fields").get(state), c);
            for (int i = inherited; i < Math.min(inherited + random.nextInt(3), most(field("fields"))); i++) {
                int place = i;
                attempt(30, () -> {
                    setAt(field("fields"), own, place + 1);
                    setRows("[a-zA-Z]+" + place + "(o[12])?", own, null);
                });
            }
            for (int m = 0; m < 2; m++) {
                Field body = bodies[m];
                String name = m == 0 ? "A" : "B";
                boolean isNew = Array.getInt(field("implementer" + name).get(state), parent) == 0;
                boolean isMade = attempt(1000, () -> {
                    setAt(field("implementer" + name), own, own);
                    if (isNew) setRows("(?!implementer)[a-zA-Z]+" + name + "(o[12])?", own, null);
                    Object node = node(body.getType(), null);
                    for (Field part : fields(body.getType())) {
                        String suffix = part.getName().equals("type") ? "" : part.getName();
                        for (Field row : rows(CLASSES)) {
                            if (row.getName().equals("result" + name + suffix)) part.set(node, Array.get(row.get(state), own));
                        }
                    }
                    set(body, state, node);
                });
                if (isMade) learn(made);
            }
        }
    }

    /** Two objects at most: there is room for new ones. */
    private void heap() throws Exception {
        for (int o = 0; o < 2; o++) {
            int object = o;
            attempt(1000, () -> {
                for (Field row : rows(CLASSES - 1)) {
                    setAt(row, object, row.getName().equals("isUsed") ? true : random.nextBoolean() ? zero(row) : value(row));
                }
            });
        }
        for (int tries = 0; tries < 100; tries++) {
            attempt(1, () -> {
                List<Field> rows = rows(CLASSES - 1);
                if (rows.isEmpty()) return;
                Field row = rows.get(random.nextInt(rows.size()));
                setAt(row, random.nextInt(2), value(row));
            });
        }
    }

    /**
     * At first small programs, each by itself: leaves, then nodes of all kinds in turn, alone or somewhere in one of those before, whose
     * parts they have. Then these in the places of smaller parts of one program, and copies of its own.
     */
    private void grow(int nodes) throws Exception {
        longest = 0;
        Place whole = new Place(state, root);
        Object[] kinds = kinds(root.getType());
        List<Object> leafKinds = new ArrayList<>();
        for (Object kind : kinds) {
            if (!attempt(300, () -> set(root, state, leaf(root.getType(), kind)))) continue;
            leafKinds.add(kind);
            leaves.add(shape(made));
        }
        for (int tries = 0; tries < 5000; tries++) {
            if (attempt(1, () -> set(root, state, leaf(root.getType(), any(leafKinds))))) store();
        }
        for (int turn = 0; turn < 4 * kinds.length; turn++) {
            Object kind = kinds[turn % kinds.length];
            boolean isMade = attempt(300, () -> {
                set(root, state, copy(any(programs)));
                Place place = random.nextBoolean() ? whole : any(places());
                set(place.field, place.of, node(root.getType(), kind));
            });
            if (isMade) store();
        }
        for (Object program : programs) replace(whole, copy(program));
        List<Place> places = places();
        for (int tries = 0; tries < 3000 && places.size() < nodes; tries++) {
            Place place = any(places);
            Object other = random.nextInt(4) == 0 ? any(places).get() : any(any(stock.values()));
            if (size(other) > size(place.get()) && replace(place, copy(other))) places = places();
        }
    }

    /** If the program is well typed then, and runs as long: most would soon end with a failed cast or a null dereference. */
    private boolean replace(Place place, Object node) throws Exception {
        Object old = place.get();
        if (!attempt(1, () -> set(place.field, place.of, node))) return false;
        int length = length();
        if (length < longest && (length == 0 || random.nextInt(20) != 0)) {
            place.field.set(place.of, old);
            return false;
        }
        longest = length;
        return true;
    }

    /** How many steps the program takes, up to a few hundred; none if it does not end as a leaf: then it has failed. */
    private int length() throws Exception {
        Language copy = (Language) copy(state);
        for (int steps = 0; steps < 300; steps++) {
            if (copy.isFinalState()) return leaves.contains(shape(root.get(copy))) ? steps : 0;
            try {
                copy.smallStep();
            } catch (StuckException stuck) {
                break;
            }
        }
        return 300;
    }

    private static Object[] kinds(Class<?> type) throws Exception {
        Field kind = type.getDeclaredField("kind");
        if (kind.getType().isEnum()) return kind.getType().getEnumConstants();
        return IntStream.rangeClosed(0, most(kind)).boxed().toArray();
    }

    /** A node whose parts are copies of what is in stock, and leaves before there is any. It often has the type of something in stock. */
    private Object node(Class<?> type, Object kind) throws Exception {
        Object node = made = make(type);
        List<Field> parts = parts(type);
        Object like = stock.isEmpty() || random.nextInt(3) == 0 ? null : any(any(stock.values()));
        for (Field field : fields(type)) {
            if (parts.contains(field)) {
                continue;
            } else if (field.getName().equals("kind")) {
                field.set(node, kind == null ? value(field) : kind);
            } else if (like != null && TYPES.contains(field.getName())) {
                field.set(node, field.get(like));
            } else if (random.nextInt(3) == 0) {
                field.set(node, value(field));
            } else {
                field.set(node, zero(field));
            }
        }
        List<Integer> seen = shapes.get(shape(node));
        boolean isSeen = seen != null && random.nextInt(20) != 0;
        int mask = isSeen ? any(seen) : random.nextInt(1 << parts.size());
        for (int i = 0; i < parts.size(); i++) {
            if ((mask >> i & 1) == 0) continue;
            Field part = parts.get(i);
            boolean isLeaf = stock.isEmpty() || random.nextInt(4) == 0;
            part.set(node, isLeaf ? leaf(part.getType(), null) : copy(any(any(stock.values()))));
        }
        return node;
    }

    private Object leaf(Class<?> type, Object kind) throws Exception {
        Object leaf = made = make(type);
        for (Field field : fields(type)) {
            if (parts(type).contains(field)) continue;
            boolean isGiven = kind != null && field.getName().equals("kind");
            field.set(leaf, isGiven ? kind : random.nextBoolean() ? value(field) : zero(field));
        }
        return leaf;
    }

    private <T> T any(Collection<T> of) {
        return of.stream().skip(random.nextInt(of.size())).findFirst().orElseThrow();
    }

    /** The program as it is now and its parts, by what they are without their types: there are many derivations of null, and few numbers. */
    private void store() throws Exception {
        programs.add(root.get(state));
        for (Place place : places()) {
            learn(place.get());
            stock.computeIfAbsent(text(place.get()), text -> new ArrayList<>()).add(place.get());
        }
    }

    private String text(Object node) throws Exception {
        if (node == null) return "";
        StringBuilder text = new StringBuilder("(");
        for (Field field : fields(node.getClass())) {
            boolean isPart = parts(node.getClass()).contains(field);
            if (!TYPES.contains(field.getName())) text.append(isPart ? text(field.get(node)) : field.get(node)).append(' ');
        }
        return text.append(')').toString();
    }

    private void learn(Object node) throws Exception {
        int mask = 0;
        int bit = 1;
        for (Field field : parts(node.getClass())) {
            if (field.get(node) != null) mask |= bit;
            bit <<= 1;
        }
        List<Integer> seen = shapes.computeIfAbsent(shape(node), k -> new ArrayList<>());
        if (!seen.contains(mask)) seen.add(mask);
    }

    private static Object shape(Object node) throws Exception {
        Field kind = node.getClass().getDeclaredField("kind");
        kind.setAccessible(true);
        return node.getClass().getSimpleName() + kind.get(node);
    }

    /** A value within the bounds of a field or of the elements of an array. */
    private Object value(Field field) {
        Class<?> type = field.getType().isArray() ? field.getType().getComponentType() : field.getType();
        if (type == boolean.class) return random.nextBoolean();
        if (type.isEnum()) return type.getEnumConstants()[random.nextInt(type.getEnumConstants().length)];
        return random.nextInt(most(field) + 1);
    }

    private static int most(Field field) {
        String range = field.getAnnotation(Range.class).value();
        return range.contains("n") ? LITERALS - 1 : Integer.parseInt(range.substring(range.lastIndexOf('.') + 1));
    }

    private static Object zero(Field field) {
        Class<?> type = field.getType().isArray() ? field.getType().getComponentType() : field.getType();
        return type == boolean.class ? false : type.isEnum() ? type.getEnumConstants()[0] : (Object) 0;
    }

    // ---- Changes that are taken back unless the state is well typed afterwards

    private interface Change {
        void make() throws Exception;
    }

    private boolean attempt(int times, Change change) throws Exception {
        for (int t = 0; t < times; t++) {
            undo.clear();
            change.make();
            if (isWellTyped()) return true;
            while (!undo.isEmpty()) undo.pop().make();
        }
        return false;
    }

    private void set(Field field, Object object, Object value) throws Exception {
        Object before = field.get(object);
        undo.push(() -> field.set(object, before));
        field.set(object, value);
    }

    private void setAt(Field array, int index, Object value) throws Exception {
        Object elements = array.get(state);
        Object before = Array.get(elements, index);
        undo.push(() -> Array.set(elements, index, before));
        Array.set(elements, index, value);
    }

    /** One index of all arrays of such names: a given value, or random ones. */
    private void setRows(String names, int index, Supplier<Object> given) throws Exception {
        for (Field row : rows(CLASSES)) {
            if (row.getName().matches(names)) setAt(row, index, given == null ? value(row) : given.get());
        }
    }

    // ---- By reflection

    private record Place(Object of, Field field) {
        Object get() throws IllegalAccessException {
            return field.get(of);
        }
    }

    /** Where the nodes of the program are, the root first. */
    private List<Place> places() throws Exception {
        List<Place> places = new ArrayList<>(List.of(new Place(state, root)));
        for (int i = 0; i < places.size(); i++) {
            Object node = places.get(i).get();
            for (Field part : parts(node.getClass())) {
                if (part.get(node) != null) places.add(new Place(node, part));
            }
        }
        return places;
    }

    private int size(Object node) throws Exception {
        int size = 1;
        for (Field part : parts(node.getClass())) {
            if (part.get(node) != null) size += size(part.get(node));
        }
        return size;
    }

    /** The fields that refer to parts. */
    private List<Field> parts(Class<?> type) {
        return parts.computeIfAbsent(type, t -> fields(t).stream().filter(f -> f.isAnnotationPresent(Tree.class)).toList());
    }

    private List<Field> fields(Class<?> type) {
        return fields.computeIfAbsent(type, t -> {
            List<Field> all = new ArrayList<>();
            for (Field field : t.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) || field.isSynthetic()) continue;
                field.setAccessible(true);
                all.add(field);
            }
            return all;
        });
    }

    private Field field(String name) {
        return fields(language).stream().filter(f -> f.getName().equals(name)).findFirst().orElseThrow();
    }

    /** Arrays of so many elements: of each class, or of each object. */
    private List<Field> rows(int length) throws Exception {
        List<Field> rows = new ArrayList<>();
        for (Field field : fields(language)) {
            if (field.getType().isArray() && Array.getLength(field.get(state)) == length) rows.add(field);
        }
        return rows;
    }

    private Object make(Class<?> type) throws Exception {
        Maker maker = makers.get(type);
        if (maker == null) {
            Constructor<?> constructor = type.getDeclaredConstructors()[0];
            constructor.setAccessible(true);
            Object[] nothing = new Object[constructor.getParameterCount()];
            for (int i = 0; i < nothing.length; i++) {
                nothing[i] = Array.get(Array.newInstance(constructor.getParameterTypes()[i], 1), 0);
            }
            maker = new Maker(constructor, nothing);
            makers.put(type, maker);
        }
        return maker.constructor.newInstance(maker.nothing);
    }

    private record Maker(Constructor<?> constructor, Object[] nothing) {}

    private Object copy(Object of) throws Exception {
        if (of == null || of instanceof Enum || of instanceof Number || of instanceof Boolean) return of;
        if (of.getClass().isArray()) {
            int length = Array.getLength(of);
            Object copy = Array.newInstance(of.getClass().getComponentType(), length);
            System.arraycopy(of, 0, copy, 0, length);
            return copy;
        }
        Object copy = make(of.getClass());
        for (Field field : fields(of.getClass())) field.set(copy, copy(field.get(of)));
        return copy;
    }
}
