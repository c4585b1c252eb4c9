//! Known numbers of states, counted by the exhaustive engine.

use crate::engines::{self, Subject};
use ir::interp::Linked;
use ir::space::Shape;
use search::{count_states, exhaustive::Extent};

const RED_BLACK: &str = "
import glassbox.*;
public class Tree {
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
