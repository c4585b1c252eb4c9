//! Results of operations beside those of an abstraction: when they are the same, by their types, and what cannot be compared.

use crate::{items, java_file, object, run};

const MODULE: &str = "public class M {
    @NonNull @Owned @Length(\"n..n\") @Range(\"0..n\") int[] items = new int[GlassBox.size()];
    @Range(\"0..n\") int count;
    public M() {}
    @Declarative boolean repOk() { return items.length == GlassBox.size() && 0 <= count && count <= items.length; }
    @Declarative @Pre(\"push\") boolean hasRoom() { return count < items.length; }
    public void push(@Range(\"0..n\") int x) { items[count++] = x; }
    METHODS
    @Declarative @Abstraction A abstraction() { return new A(cells(0, null)); }
    @Declarative A.Cell cells(int i, A.Cell rest) { return i == items.length ? rest : cells(i + 1, new A.Cell(i < count, items[i], rest)); }
}
class A {
    static class Cell { boolean present; @Range(\"0..n\") int item; @Tree Cell next;
        @Declarative Cell(boolean present, int item, Cell next) { this.present = present; this.item = item; this.next = next; } }
    @Tree Cell first;
    @Declarative A() { }
    @Declarative A(Cell first) { this.first = first; }
    void push(int item) { first = new Cell(true, item, first); }
    @Declarative static int count(Cell c) { return c == null ? 0 : (c.present ? 1 : 0) + count(c.next); }
    ABSTRACT
    @Declarative boolean equalTo(A b) { return same(first, b.first); }
    @Declarative static boolean same(Cell c, Cell d) {
        if (c != null && !c.present) return same(c.next, d);
        if (d != null && !d.present) return same(c, d.next);
        return c == null ? d == null : d != null && c.item == d.item && same(c.next, d.next);
    }
}";

/// Verified, or the message of what is violated, of the operation of the module; by both engines.
fn told(ours: &str, theirs: &str) -> String {
    let file = java_file("M", &MODULE.replace("METHODS", ours).replace("ABSTRACT", theirs));
    let by = |engine: &str| {
        let ran = run(&format!("{file} --size 2 --class M --engine {engine} --json"));
        if ran.status == 2 {
            return run(&format!("{file} --size 2 --class M --engine {engine}")).stderr;
        }
        let wrong = items(&object(&ran)).into_iter().find(|i| i["verdict"] != "verified");
        let message =
            wrong.map(|i| i["failures"][0]["problems"][0]["message"].as_str().unwrap_or("unknown").to_string());
        message.unwrap_or("verified".to_string())
    };
    let found = by("glassbox --certify");
    let verdict = |text: &str| text.split(':').next().unwrap_or_default().to_string();
    assert_eq!(verdict(&by("exhaustive")), verdict(&found), "{ours}");
    found
}

const TO_ARRAY: [&str; 2] = [
    "public int[] toArray() { int[] r = new int[count]; for (int i = 0; i < count; i++) r[i] = items[i]; return r; }",
    "int[] toArray() { int k = count(first); int[] r = new int[k]; for (Cell c = first; c != null; c = c.next) if (c.present) r[--k] = c.item; return r; }",
];

/// By length and elements, and elements as results are.
#[test]
fn arrays() {
    let [ours, theirs] = TO_ARRAY;
    assert_eq!(told(ours, theirs), "verified");
    let wrong = told(&ours.replace("r[i] = items[i]", "r[i] = items[count - 1]"), theirs);
    assert!(
        wrong.contains("`toArray` does not behave like `A.toArray`: it returns {")
            && wrong.contains("}, but A.toArray returns {"),
        "{wrong}"
    );
    let longer = told(&ours.replace("new int[count]", "new int[count + 1]"), theirs);
    assert!(longer.contains("it returns {0}, but A.toArray returns {}"), "{longer}");
    let nothing = told(&ours.replace("{ int[] r", "{ if (count == 0) return null; int[] r"), theirs);
    assert!(nothing.contains("it returns null, but A.toArray returns {}"), "{nothing}");
    let boxes = |text: &str| {
        text.replace("int[] toArray", "Integer[] toArray")
            .replace("int[] r", "Integer[] r")
            .replace("new int[", "new Integer[")
    };
    let ours_boxed = boxes(ours).replace("= items[i]", "= items[i] + 200");
    assert_eq!(told(&ours_boxed, &boxes(theirs).replace("= c.item", "= c.item + 200")), "verified");
    assert!(told(&ours_boxed, &boxes(theirs).replace("= c.item", "= c.item + 201")).contains("does not behave like"));
    assert_eq!(told(&ours.replace("int[]", "long[]").replace("new int", "new long"), theirs), "verified");
    let rows = "public int[][] rows() { int[][] r = new int[count][]; for (int i = 0; i < count; i++) r[i] = new int[] { items[i], 7 }; return r; }";
    let abstract_rows = "int[][] rows() { int k = count(first); int[][] r = new int[k][2]; for (Cell c = first; c != null; c = c.next) if (c.present) { r[--k][0] = c.item; r[k][1] = 7; } return r; }";
    assert_eq!(told(rows, abstract_rows), "verified");
    assert!(told(&rows.replace(", 7 }", ", 7 - items[i] }"), abstract_rows).contains("does not behave like"));
}

/// A client could write to it, which is not compared.
#[test]
fn an_array_that_the_object_keeps() {
    let kept = "public int[] toArray() { if (count == items.length) return items; int[] r = new int[count]; for (int i = 0; i < count; i++) r[i] = items[i]; return r; }";
    let refused = told(kept, TO_ARRAY[1]);
    assert!(refused.contains("`toArray` may return an array that the class keeps"), "{refused}");
    assert_eq!(told(&kept.replace("return items;", "return items.clone();"), TO_ARRAY[1]), "verified");
}

#[test]
fn boxes_and_numbers() {
    let theirs =
        "Integer last() { for (Cell c = first; c != null; c = c.next) if (c.present) return c.item + 200; return -1; }";
    let ours = "public int last() { return count == 0 ? -1 : items[count - 1] + 200; }";
    assert_eq!(told(ours, theirs), "verified");
    assert_eq!(told(&ours.replace("int last", "long last"), theirs), "verified");
    assert!(told(&ours.replace("+ 200", "+ 199"), theirs).contains("does not behave like"));
    let (boxed, plain) = (ours.replace("int last", "Integer last"), theirs.replace("Integer last", "int last"));
    assert_eq!(told(&boxed, &plain), "verified");
    assert!(
        told(&boxed.replace("== 0 ? -1", "== 0 ? null"), &plain).contains("it returns null, but A.last returns -1")
    );
    // Where both throw, nothing is returned.
    let throwing = "throws IllegalStateException { if (count == 0) throw new IllegalStateException();";
    let ours_thrown = ours.replace("last() {", &format!("last() {throwing}"));
    let theirs_thrown = theirs.replace("return -1;", "throw new IllegalStateException();");
    assert_eq!(told(&ours_thrown, &theirs_thrown), "verified");
    // Two boxes that are known as objects only are two objects.
    let objects = told(&ours.replace("int last", "Object last"), &theirs.replace("Integer last", "Object last"));
    assert!(objects.contains("and so does A.last, but not the same object"), "{objects}");
}

/// What a module returns of its own kind is compared by its abstraction; what nothing compares is an error with its place.
#[test]
fn objects() {
    assert_eq!(told("public M me() { return this; }", "A me() { return this; }"), "verified");
    let other = told("public M me() { return new M(); }", "A me() { return this; }");
    assert!(other.contains("`me` does not behave like `A.me`"), "{other}");
    let refused = told("static class N { } public N node() { return null; }", "A node() { return null; }");
    assert!(
        refused.contains("`node` returns `M.N`, and `node` of the abstraction `A`: these cannot be compared"),
        "{refused}"
    );
    assert!(refused.contains("M.java:9:"), "{refused}");
    let refused = told("public int size() { return count; }", "void size() { }");
    assert!(refused.contains("`size` returns `int`, and `size` of the abstraction `void`"), "{refused}");
    let refused = told("public boolean b() { return true; }", "int b() { return 1; }");
    assert!(refused.contains("`b` returns `boolean`, and `b` of the abstraction `int`"), "{refused}");
}

/// Whatever a file imports, and whatever type parameters a method has.
#[test]
fn types_of_operations() {
    let generic = "public <U> U same(U x) { return x; }";
    assert_eq!(told(generic, "<U> U same(U x) { return x; }"), "verified");
    assert!(told(generic, "<U> U same(U x) { return null; }").contains("does not behave like"));
    let many = "public int sum(@Length(\"0..2\") @Range(\"0..n\") int... xs) { int s = 0; if (xs != null) for (int x : xs) s += x; return s; }";
    assert_eq!(told(many, &many.replace("public ", "")), "verified");
    assert!(told(many, &many.replace("s += x", "s = x")).contains("does not behave like"));
    let thrown =
        "public void fail() throws java.util.NoSuchElementException { throw new java.util.NoSuchElementException(); }";
    assert_eq!(told(thrown, thrown), "verified");
    let marked = thrown.replace("public void", "@MayThrow(java.util.NoSuchElementException.class) public void");
    assert!(
        told(&marked, "void fail() { throw new IllegalStateException(); }")
            .contains("it throws NoSuchElementException, but")
    );
}
