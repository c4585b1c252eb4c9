//! The essentials of the Java library, written by us as plain Java (`prelude/*.java`), and the sources of package
//! `glassbox` as the project ships them. `native` methods are those the IR knows itself.

use crate::resolve::{Origin, Table};
use std::borrow::Cow;

/// `Object` must come first: the class table counts on it.
const SOURCES: &[(&str, &str)] = &[
    ("java/lang.java", include_str!("../prelude/lang.java")),
    ("java/lang/boxes.java", include_str!("../prelude/boxes.java")),
    ("java/util.java", include_str!("../prelude/util.java")),
    ("java/util/function.java", include_str!("../prelude/function.java")),
    ("java/io.java", include_str!("../prelude/io.java")),
    ("glassbox/Abstraction.java", include_str!("../../../java/glassbox/Abstraction.java")),
    ("glassbox/Check.java", include_str!("../../../java/glassbox/Check.java")),
    ("glassbox/Commutes.java", include_str!("../../../java/glassbox/Commutes.java")),
    ("glassbox/Declarative.java", include_str!("../../../java/glassbox/Declarative.java")),
    ("glassbox/Elements.java", include_str!("../../../java/glassbox/Elements.java")),
    ("glassbox/GlassBox.java", include_str!("../../../java/glassbox/GlassBox.java")),
    ("glassbox/Language.java", include_str!("../../../java/glassbox/Language.java")),
    ("glassbox/Length.java", include_str!("../../../java/glassbox/Length.java")),
    ("glassbox/Max.java", include_str!("../../../java/glassbox/Max.java")),
    ("glassbox/MayThrow.java", include_str!("../../../java/glassbox/MayThrow.java")),
    ("glassbox/Model.java", include_str!("../../../java/glassbox/Model.java")),
    ("glassbox/NonNull.java", include_str!("../../../java/glassbox/NonNull.java")),
    ("glassbox/NondeterministicLanguage.java", include_str!("../../../java/glassbox/NondeterministicLanguage.java")),
    ("glassbox/OneOf.java", include_str!("../../../java/glassbox/OneOf.java")),
    ("glassbox/Owned.java", include_str!("../../../java/glassbox/Owned.java")),
    ("glassbox/Padded.java", include_str!("../../../java/glassbox/Padded.java")),
    ("glassbox/Post.java", include_str!("../../../java/glassbox/Post.java")),
    ("glassbox/Pre.java", include_str!("../../../java/glassbox/Pre.java")),
    ("glassbox/Range.java", include_str!("../../../java/glassbox/Range.java")),
    ("glassbox/ReplacedBy.java", include_str!("../../../java/glassbox/ReplacedBy.java")),
    ("glassbox/Show.java", include_str!("../../../java/glassbox/Show.java")),
    ("glassbox/SpecFor.java", include_str!("../../../java/glassbox/SpecFor.java")),
    ("glassbox/StuckException.java", include_str!("../../../java/glassbox/StuckException.java")),
    ("glassbox/Tree.java", include_str!("../../../java/glassbox/Tree.java")),
    ("glassbox/Varies.java", include_str!("../../../java/glassbox/Varies.java")),
];

/// Ready-made abstractions: read when they are used.
const ABSTRACTIONS: &[(&str, &str)] = &[
    ("AbsIntMap", include_str!("../../../java/glassbox/AbsIntMap.java")),
    ("AbsIntSet", include_str!("../../../java/glassbox/AbsIntSet.java")),
    ("AbsList", include_str!("../../../java/glassbox/AbsList.java")),
    ("AbsMap", include_str!("../../../java/glassbox/AbsMap.java")),
    ("AbsPriorityQueue", include_str!("../../../java/glassbox/AbsPriorityQueue.java")),
    ("AbsQueue", include_str!("../../../java/glassbox/AbsQueue.java")),
    ("AbsSet", include_str!("../../../java/glassbox/AbsSet.java")),
    ("AbsStack", include_str!("../../../java/glassbox/AbsStack.java")),
    ("AbstractionList", include_str!("../../../java/glassbox/AbstractionList.java")),
];

/// Further classes of the library as we write them: read when they are used.
const MORE: &[(&str, &str)] = &[
    ("java.io.PrintStream", include_str!("../prelude/PrintStream.java")),
    ("jdk.internal.util.ArraysSupport", include_str!("../prelude/ArraysSupport.java")),
    // What leads to half of the JDK, and is not modelled: named in signatures, not run.
    ("java.lang.Class", include_str!("../prelude/stubs/Class.java")),
    ("java.lang.invoke.MethodHandles", include_str!("../prelude/stubs/MethodHandles.java")),
    ("java.lang.invoke.VarHandle", include_str!("../prelude/stubs/VarHandle.java")),
    ("java.lang.ref.PhantomReference", include_str!("../prelude/stubs/PhantomReference.java")),
    ("java.lang.ref.Reference", include_str!("../prelude/stubs/Reference.java")),
    ("java.lang.ref.ReferenceQueue", include_str!("../prelude/stubs/ReferenceQueue.java")),
    ("java.lang.ref.SoftReference", include_str!("../prelude/stubs/SoftReference.java")),
    ("java.lang.ref.WeakReference", include_str!("../prelude/stubs/WeakReference.java")),
    ("java.lang.reflect.Array", include_str!("../prelude/stubs/Array.java")),
    ("jdk.internal.access.JavaLangAccess", include_str!("../prelude/stubs/JavaLangAccess.java")),
    ("jdk.internal.access.SharedSecrets", include_str!("../prelude/stubs/SharedSecrets.java")),
    ("jdk.internal.misc.CDS", include_str!("../prelude/stubs/CDS.java")),
    ("java.io.ObjectInputStream", include_str!("../prelude/stubs/ObjectInputStream.java")),
    ("java.io.ObjectOutputStream", include_str!("../prelude/stubs/ObjectOutputStream.java")),
    ("java.util.Spliterator", include_str!("../prelude/stubs/Spliterator.java")),
    ("java.util.concurrent.locks.Condition", include_str!("../prelude/concurrent/Condition.java")),
    ("java.util.concurrent.locks.Lock", include_str!("../prelude/concurrent/Lock.java")),
    ("java.util.stream.Stream", include_str!("../prelude/stubs/Stream.java")),
    ("java.util.stream.StreamSupport", include_str!("../prelude/stubs/StreamSupport.java")),
];

/// Further classes of the library as we write them, which states may hold: read when they are used. What the JDK has there leads to `Unsafe` and
/// to threads that wait.
const CONCURRENT: &[(&str, &str)] = &[
    ("java.util.concurrent.atomic.AtomicBoolean", include_str!("../prelude/concurrent/AtomicBoolean.java")),
    ("java.util.concurrent.atomic.AtomicInteger", include_str!("../prelude/concurrent/AtomicInteger.java")),
    ("java.util.concurrent.atomic.AtomicLong", include_str!("../prelude/concurrent/AtomicLong.java")),
    ("java.util.concurrent.atomic.AtomicReference", include_str!("../prelude/concurrent/AtomicReference.java")),
    ("java.util.concurrent.locks.ReentrantLock", include_str!("../prelude/concurrent/ReentrantLock.java")),
];

/// `java.util.Arrays`: what it does with arrays of numbers is written once.
fn arrays() -> String {
    let (of_objects, all) = (include_str!("../prelude/Arrays.java"), include_str!("../prelude/ArraysOf.java"));
    let ordered = include_str!("../prelude/ArraysOfNumbers.java");
    let mut text = of_objects.trim_end().trim_end_matches('}').to_string();
    for (primitive, boxed) in [
        ("boolean", "Boolean"),
        ("byte", "Byte"),
        ("char", "Character"),
        ("short", "Short"),
        ("int", "Integer"),
        ("long", "Long"),
    ] {
        let ordered = if primitive == "boolean" { "" } else { ordered };
        for part in [all, ordered] {
            text += &part
                .replace("P[", &format!("{primitive}["))
                .replace("P ", &format!("{primitive} "))
                .replace("W.", &format!("{boxed}."));
        }
    }
    text + "}\n"
}

/// The file and text of a class that is built in and not read before it is used.
pub fn find(qualified: &str) -> Option<(String, Cow<'static, str>, Origin)> {
    if qualified == "java.util.Arrays" {
        return Some(("<built in>/java/util/Arrays.java".to_string(), Cow::Owned(arrays()), Origin::Prelude));
    }
    for (classes, origin) in [(MORE, Origin::Prelude), (CONCURRENT, Origin::Ready)] {
        if let Some((name, text)) = classes.iter().find(|(name, _)| *name == qualified) {
            return Some((format!("<built in>/{}.java", name.replace('.', "/")), Cow::Borrowed(*text), origin));
        }
    }
    let simple = qualified.strip_prefix("glassbox.")?;
    let (name, text) = ABSTRACTIONS.iter().find(|(name, _)| *name == simple)?;
    Some((format!("<built in>/glassbox/{name}.java"), Cow::Borrowed(*text), Origin::Ready))
}

/// Package, superclass, and the classes below it: all have the usual four constructors.
const EXCEPTIONS: &[(&str, &str, &[&str])] = &[
    ("java.lang", "Throwable", &["Exception", "Error"]),
    ("java.lang", "Exception", &["RuntimeException", "CloneNotSupportedException", "InterruptedException"]),
    (
        "java.lang",
        "RuntimeException",
        &[
            "ArithmeticException",
            "ArrayStoreException",
            "ClassCastException",
            "IllegalArgumentException",
            "IllegalMonitorStateException",
            "IllegalStateException",
            "IndexOutOfBoundsException",
            "MatchException",
            "NegativeArraySizeException",
            "NullPointerException",
            "UnsupportedOperationException",
        ],
    ),
    ("java.lang", "IndexOutOfBoundsException", &["ArrayIndexOutOfBoundsException", "StringIndexOutOfBoundsException"]),
    ("java.lang", "IllegalArgumentException", &["NumberFormatException"]),
    ("java.lang", "Error", &["AssertionError", "VirtualMachineError", "LinkageError"]),
    ("java.lang", "VirtualMachineError", &["StackOverflowError", "OutOfMemoryError", "InternalError"]),
    ("java.io", "Exception", &["IOException"]),
    (
        "java.util",
        "RuntimeException",
        &["NoSuchElementException", "ConcurrentModificationException", "EmptyStackException"],
    ),
    ("java.util", "NoSuchElementException", &["InputMismatchException"]),
];

pub fn declare(table: &mut Table) {
    for (name, text) in SOURCES {
        let file = table.sources.add(format!("<built in>/{name}"), *text);
        table.declare_file(file, Origin::Prelude);
    }
    for package in ["java.lang", "java.io", "java.util"] {
        let mut text = format!("package {package};\n");
        for (_, superclass, classes) in EXCEPTIONS.iter().filter(|(p, _, _)| *p == package) {
            classes.iter().for_each(|class| text.push_str(&exception(class, superclass)));
        }
        let file = table.sources.add(format!("<built in>/{package}/exceptions.java"), text);
        table.declare_file(file, Origin::Prelude);
    }
}

fn exception(class: &str, superclass: &str) -> String {
    // The argument of an AssertionError is any value, that of IndexOutOfBoundsException may be the index.
    let detail = match class {
        "AssertionError" => "Object detail) { super(); }".to_string(),
        _ => "String message) { super(message); }".to_string(),
    };
    let index = match class {
        "IndexOutOfBoundsException" | "ArrayIndexOutOfBoundsException" => {
            format!("    public {class}(int index) {{ }}\n")
        }
        _ => String::new(),
    };
    format!(
        "public class {class} extends {superclass} {{
    public {class}() {{ }}
    public {class}({detail}
    public {class}(String message, Throwable cause) {{ super(message, cause); }}
    public {class}(Throwable cause) {{ super(cause); }}
{index}}}\n"
    )
}
