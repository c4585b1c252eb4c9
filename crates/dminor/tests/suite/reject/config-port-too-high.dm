// fails: port(70000)
// Merging layers of configuration. A configuration is a tree of sections; a later layer wins, and locked entries stay as they are.
module Configuration {
  type Scalar : {null} | Logical | Integer | Text;

  type Leaf : {kind: {"leaf"}; content: Scalar; locked: Logical;};
  type Section : {kind: {"section"}; entries: Entry*;};
  type Node : Leaf | Section;
  type Entry : {key: Text; node: Node;};

  emptySection() : (s: Section where s.entries == {}) { {kind => "section", entries => {}} }

  leaf(x: Scalar) : (l: Leaf where l.content == x && !l.locked) {
    {kind => "leaf", content => x, locked => false}
  }

  lock(l: Leaf) : (r: Leaf where r.locked) {
    {kind => "leaf", content => l.content, locked => true}
  }

  entry(key: Text, n: Node) : (e: Entry where e.key == key) { {key => key, node => n} }

  // Looking things up. A missing entry is null.

  get(s: Section, key: Text) : Node? {
    from e in s.entries let found = null : Node? accumulate e.key == key ? e.node : found
  }

  has(s: Section, key: Text) : Logical { get(s, key) != null }

  // Along a path of keys, which is a list of entities.
  type Path : {null} | {key: Text; rest: Path;};

  follow(n: Node, p: Path) : Node? {
    p == null ? n
    : n in Leaf ? null
    : step(get(n, p.key), p.rest)
  }

  step(n: Node?, p: Path) : Node? { n == null ? null : follow(n, p) }

  // Merging: what is only on one side stays; of two leaves the upper one wins, unless the lower one is locked.

  merge(lower: Node, upper: Node) : Node {
    lower in Section && upper in Section ? mergeSections(lower, upper)
    : lower in Leaf && lower.locked ? lower
    : upper
  }

  mergeSections(lower: Section, upper: Section) : Section {
    {kind => "section", entries => mergedEntries(lower, upper) ++ newEntries(lower, upper)}
  }

  mergedEntries(lower: Section, upper: Section) : (r: Entry* where r.Count == lower.entries.Count) {
    from e in lower.entries select {key => e.key, node => mergeWith(e.node, get(upper, e.key))}
  }

  mergeWith(lower: Node, upper: Node?) : Node { upper == null ? lower : merge(lower, upper) }

  newEntries(lower: Section, upper: Section) : (r: Entry* where r.Count <= upper.entries.Count) {
    from e in upper.entries where !has(lower, e.key) select e
  }

  // Layers are a list, the lowest one first.
  type Layers : {null} | {layer: Section; above: Layers;};

  flatten(l: Layers, base: Section) : Section {
    l == null ? base : flatten(l.above, mergeSections(base, l.layer))
  }

  // Reading with a schema: a value of the wrong type is replaced by a default.

  integer(n: Node?, default: Integer) : Integer {
    n in Leaf && n.content in Integer ? n.content : default
  }

  text(n: Node?, default: Text) : Text {
    n in Leaf && n.content in Text ? n.content : default
  }

  flag(n: Node?) : Logical {
    n in Leaf && n.content in Logical ? n.content : false
  }

  type Port : Integer where 0 < value && value < 65536;
  type Server : {host: Text; port: Port; verbose: Logical;};

  port(n: Integer) : Port { n > 0 ? n : 80 }

  server(s: Section) : Server {
    {
      host => text(get(s, "host"), "localhost"),
      port => port(integer(get(s, "port"), 8080)),
      verbose => flag(get(s, "verbose"))
    }
  }

  // Statistics.

  leaves(n: Node) : (Integer where value >= 0) {
    n in Leaf ? 1
    : (from e in n.entries let c = 0 : (Integer where value >= 0) accumulate c + leaves(e.node))
  }

  depth(n: Node) : (Integer where value >= 0) {
    n in Leaf ? 0
    : (from e in n.entries
         let d = 0 : (Integer where value >= 0)
       accumulate let k = depth(e.node) + 1 in k > d ? k : d)
  }

  unlocked(n: Node) : Leaf* {
    n in Leaf ? (n.locked ? {} : {n})
    : (from e in n.entries let all = {} : Leaf* accumulate unlocked(e.node) ++ all)
  }

  unlock(n: Node) : Node {
    n in Leaf ? leaf(n.content)
    : {kind => "section", entries => from e in n.entries select {key => e.key, node => unlock(e.node)}}
  }
}
