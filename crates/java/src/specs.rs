//! Specifications of classes of the JDK, as the project ships them (`specs/`): found by the name of the class that they are for.

use source::Diagnostic;

const SPECS: &[(&str, &str)] = &[
    ("java.util.ArrayDeque", include_str!("../../../specs/java.util/ArrayDeque.java")),
    ("java.util.ArrayList", include_str!("../../../specs/java.util/ArrayList.java")),
    ("java.util.BitSet", include_str!("../../../specs/java.util/BitSet.java")),
    ("java.util.Collections", include_str!("../../../specs/java.util/Collections.java")),
    (
        "java.util.Collections.UnmodifiableSet",
        include_str!("../../../specs/java.util/Collections.UnmodifiableSet.java"),
    ),
    ("java.util.ComparableTimSort", include_str!("../../../specs/java.util/ComparableTimSort.java")),
    ("java.util.HashMap", include_str!("../../../specs/java.util/HashMap.java")),
    ("java.util.HashMap.TreeNode", include_str!("../../../specs/java.util/HashMap.TreeNode.java")),
    ("java.util.HashSet", include_str!("../../../specs/java.util/HashSet.java")),
    ("java.util.Hashtable", include_str!("../../../specs/java.util/Hashtable.java")),
    ("java.util.IdentityHashMap", include_str!("../../../specs/java.util/IdentityHashMap.java")),
    ("java.util.LinkedHashMap", include_str!("../../../specs/java.util/LinkedHashMap.java")),
    ("java.util.LinkedHashSet", include_str!("../../../specs/java.util/LinkedHashSet.java")),
    ("java.util.LinkedList", include_str!("../../../specs/java.util/LinkedList.java")),
    ("java.util.PriorityQueue", include_str!("../../../specs/java.util/PriorityQueue.java")),
    ("java.util.Stack", include_str!("../../../specs/java.util/Stack.java")),
    ("java.util.TreeMap", include_str!("../../../specs/java.util/TreeMap.java")),
    ("java.util.TreeMap.AscendingSubMap", include_str!("../../../specs/java.util/TreeMap.AscendingSubMap.java")),
    ("java.util.TreeMap.KeyIterator", include_str!("../../../specs/java.util/TreeMap.KeyIterator.java")),
    ("java.util.TreeSet", include_str!("../../../specs/java.util/TreeSet.java")),
    ("java.util.Vector", include_str!("../../../specs/java.util/Vector.java")),
];

/// What declarative code goes through, of all of them: its name and text.
pub const ELEMENTS: (&str, &str) = ("<built in>/specs/Elements.java", include_str!("../../../specs/Elements.java"));

/// The name and text of the file with the specification of a class.
pub fn find(class: &str) -> Result<(String, &'static str), Diagnostic> {
    let known = SPECS.iter().find(|(name, _)| *name == class || name.strip_prefix("java.util.") == Some(class));
    known
        .map(|(name, text)| (format!("<built in>/specs/{}.java", name.replacen("java.util.", "java.util/", 1)), *text))
        .ok_or_else(|| {
            let names: Vec<&str> = all().collect();
            let message = format!("there is no specification of `{class}` that comes with the command");
            let nearest = source::nearest(class, all()).map(|c| format!("did you mean `{c}`?"));
            let help = nearest
                .unwrap_or_else(|| format!("there are {}; write one with `@SpecFor(\"{class}\")`", names.join(", ")));
            Diagnostic::error("unknown-spec", None, message).help(help)
        })
}

/// The classes with a specification.
pub fn all() -> impl Iterator<Item = &'static str> {
    SPECS.iter().map(|(name, _)| *name)
}
