// fails: insert(null, 3)
type Tree : {null} | {left: Tree; key: Integer; right: Tree;};
insert(t: Tree, k: Integer) : !{null} & Tree { t == null ? t : {left => t, key => k, right => null} }
