type Tree : {null} | {left: Tree; key: Integer; right: Tree;};
size(t: Tree) : (Integer where value >= 0) { t == null ? 0 : size(t.left) + 1 + size(t.right) }
insert(t: Tree, k: Integer) : !{null} & Tree {
  t == null ? {left => null, key => k, right => null}
  : k < t.key ? {left => insert(t.left, k), key => t.key, right => t.right}
  : {left => t.left, key => t.key, right => insert(t.right, k)}
}
keys(t: Tree) : Integer* { t == null ? {} : t.key :: keys(t.left) ++ keys(t.right) }
mirror(t: Tree) : Tree { t == null ? null : {left => mirror(t.right), key => t.key, right => mirror(t.left)} }
