//! Known numbers of states, counted by the exhaustive engine.

use crate::engines::{self, Subject};
use ir::interp::Linked;
use ir::space::Shape;
use search::exhaustive::{self, Extent};
use search::{Session, count_states, coverage};

const RED_BLACK: &str = "
import glassbox.*;
public class RedBlack {
    static class Node { int key; boolean isRed; @Tree Node left; @Tree Node right; }
    @Tree Node root;
    @Check void nothing() {}
    @Declarative boolean repOk() {
        return root == null || !root.isRed && height(root, false) >= 0 && ordered(root, -1, GlassBox.size());
    }
    /** The number of black nodes on each way down; -1 if they differ, or if two red nodes follow each other. */
    @Declarative static int height(Node n, boolean isBelowRed) {
        if (n == null) return 0;
        if (n.isRed && isBelowRed) return -1;
        int left = height(n.left, n.isRed);
        if (left < 0 || left != height(n.right, n.isRed)) return -1;
        return n.isRed ? left : left + 1;
    }
    /** There is room for the keys of both subtrees: a search that chooses key by key finds no dead end. */
    @Declarative static boolean ordered(Node n, int lo, int hi) {
        return n == null
            || n.key - lo > count(n.left) && hi - n.key > count(n.right)
                && ordered(n.left, lo, n.key) && ordered(n.right, n.key, hi);
    }
    @Declarative static int count(Node n) {
        return n == null ? 0 : 1 + count(n.left) + count(n.right);
    }
}";

fn count(text: &str, size: i64, shape: Shape, extent: Extent) -> u128 {
    let loaded = engines::load(text).unwrap_or_else(|e| panic!("{e}"));
    let linked = Linked::new(&loaded.program);
    let subject = Subject { shape, ..Subject::new(&linked, size) };
    let checked = &loaded.checked[0];
    let operation = &checked.operations[0];
    let space = subject.space(checked, operation);
    let count = count_states(&linked, &subject.heap, &space, checked, operation, extent, None);
    count.expect("a count").expect("no limit")
}

#[test]
fn red_black_trees_of_any_shape() {
    let known = [(2, 5), (3, 12), (4, 29), (5, 74), (6, 201), (7, 573), (8, 1673), (9, 4888), (10, 14101)];
    for (size, states) in known {
        assert_eq!(count(RED_BLACK, size, Shape::Any, Extent::States), states, "size {size}");
    }
}

const MAP: &str = "
import glassbox.*;
public class Map {
    static class Entry { @Range(\"0..2\") int key; Object value; @Tree Entry next; Entry last; boolean mark; }
    @Tree Entry first;
    @Length(\"0..2\") boolean[] flags;
    Integer box;
    @Check void put(@Range(\"0..3\") int key, Object value, Entry at) {}
    @Declarative @Pre(\"put\") boolean fits(int key, Object value, Entry at) { return first == null || key != first.key; }
    @Declarative boolean repOk() {
        return first == null || first.last != null && (first.next == null || first.key < first.next.key);
    }
}";

/// What is computed for leaves is what enumeration finds; no element comes twice.
#[test]
fn counts_are_those_of_the_enumeration() {
    for shape in [Shape::Complete, Shape::Any] {
        for size in 1..=2 {
            let loaded = engines::load(MAP).unwrap_or_else(|e| panic!("{e}"));
            let linked = Linked::new(&loaded.program);
            let subject = Subject { shape, ..Subject::new(&linked, size) };
            let checked = &loaded.checked[0];
            let operation = &checked.operations[0];
            let space = subject.space(checked, operation);
            for extent in [Extent::States, Extent::Elements] {
                let mut seen = std::collections::HashSet::new();
                let mut states = 0u128;
                let mut visit = |concrete: ir::space::Concrete| {
                    states += 1;
                    seen.insert(format!("{concrete:?}"));
                    true
                };
                exhaustive::each_state(&linked, &subject.heap, &space, checked, operation, extent, &mut visit)
                    .expect("states");
                assert_eq!(seen.len() as u128, states, "{shape:?} {size} {extent:?}");
                assert_eq!(count(MAP, size, shape, extent), states, "{shape:?} {size} {extent:?}");
            }
        }
    }
}

/// One entry: null, or 3 keys, 8 objects that look alike or null, itself, 2 marks; 1 + 2 + 4 arrays or null; a box or null.
#[test]
fn a_count_by_hand() {
    assert_eq!(count(MAP, 1, Shape::Complete, Extent::States), (1 + 3 * 2 * 2) * (1 + 1 + 2 + 4) * 2);
}

/// There are 573 and about 40,000: of trees of any shape that are too many to count, only a lower bound is known today, and one of fewer
/// than 1,000 is not said.
#[test]
fn coverage_of_trees_of_any_shape() {
    let loaded = engines::load(RED_BLACK).unwrap_or_else(|e| panic!("{e}"));
    let linked = Linked::new(&loaded.program);
    let checked = &loaded.checked[0];
    let operation = &checked.operations[0];
    for (size, states, log10) in [(7, Some(573), Some(2.75..2.76)), (11, None, None)] {
        let session = Session::new(&linked, size).expect("static initialisers that run");
        let space = session.space(checked, operation, Shape::Any).expect("a space");
        let found = coverage(&session, &space, checked, operation);
        assert_eq!((found.states, found.is_least), (states, false));
        let is_so = match (found.log10, log10) {
            (Some(found), Some(expected)) => expected.contains(&found),
            (found, expected) => found.is_none() && expected.is_none(),
        };
        assert!(is_so, "{found:?}");
    }
}

/// At most n objects in all trees of an array together (docs/java.md, "Trees"): null, or one node or none.
#[test]
fn trees_in_an_array_share_n_objects() {
    let bins = "
        import glassbox.*;
        public class Bins {
            static class Node { @Tree Node next; }
            @Tree @Length(\"2..2\") Node[] bins;
            @Check void nothing() {}
            @Declarative boolean repOk() { return true; }
        }";
    assert_eq!(count(bins, 1, Shape::Complete, Extent::States), 4);
    assert_eq!(count(bins, 1, Shape::Any, Extent::States), 4);
}
