abst module Tree {
    use plugin "bounded";
    Content = { x : Node | "root<(left|right)*>x" };
    invariant "forall x : Node. not (root<(left|right)*>x & x<(left|right)+>x)";
    invariant "forall x : Node. not (root<(left|right)*>x & x.left != null & x.left = x.right)";
    invariant "forall x : Node. forall y : Node. (root<(left|right)*>x & root<(left|right)*>y & x != y) => (x.left = null | (x.left != y.left & x.left != y.right)) & (x.right = null | x.right != y.right)";
    invariant "forall x : Node. forall y : Node. (root<(left|right)*>x & x<left.(left|right)*>y) => y.key < x.key";
    invariant "forall x : Node. forall y : Node. (root<(left|right)*>x & x<right.(left|right)*>y) => y.key >= x.key";
}
