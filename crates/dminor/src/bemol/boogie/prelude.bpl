// The values of Dminor (section 5.2 of the paper). Every axiom holds of scalars, finite multisets and finite maps, so that what is
// proved is true of them; not all that is true of them can be proved.

type Value;
type Text;
type Label;
type Bag;
type Ent;

function Tag(v: Value): int;
function {:inline} IsInt(v: Value): bool { Tag(v) == 1 }
function {:inline} IsBool(v: Value): bool { Tag(v) == 2 }
function {:inline} IsText(v: Value): bool { Tag(v) == 3 }
function {:inline} IsColl(v: Value): bool { Tag(v) == 4 }
function {:inline} IsEnt(v: Value): bool { Tag(v) == 5 }
axiom (forall v: Value :: {Tag(v)} 0 <= Tag(v) && Tag(v) <= 5);

const null: Value;
axiom Tag(null) == 0;
axiom (forall v: Value :: {Tag(v)} Tag(v) == 0 ==> v == null);

function VInt(n: int): Value;
function IntOf(v: Value): int;
axiom (forall n: int :: {VInt(n)} IsInt(VInt(n)) && IntOf(VInt(n)) == n);
axiom (forall v: Value :: {IntOf(v)} IsInt(v) ==> VInt(IntOf(v)) == v);

function VBool(b: bool): Value;
function BoolOf(v: Value): bool;
axiom (forall b: bool :: {VBool(b)} IsBool(VBool(b)) && (BoolOf(VBool(b)) <==> b));
axiom (forall v: Value :: {BoolOf(v)} IsBool(v) ==> VBool(BoolOf(v)) == v);

function VText(t: Text): Value;
function TextOf(v: Value): Text;
axiom (forall t: Text :: {VText(t)} IsText(VText(t)) && TextOf(VText(t)) == t);
axiom (forall v: Value :: {TextOf(v)} IsText(v) ==> VText(TextOf(v)) == v);

function VColl(b: Bag): Value;
function CollOf(v: Value): Bag;
axiom (forall b: Bag :: {VColl(b)} IsColl(VColl(b)) && CollOf(VColl(b)) == b);
axiom (forall v: Value :: {CollOf(v)} IsColl(v) ==> VColl(CollOf(v)) == v);

function VEnt(e: Ent): Value;
function EntOf(v: Value): Ent;
axiom (forall e: Ent :: {VEnt(e)} IsEnt(VEnt(e)) && EntOf(VEnt(e)) == e);
axiom (forall v: Value :: {EntOf(v)} IsEnt(v) ==> VEnt(EntOf(v)) == v);

// Equality is extensional.
function Eq(a: Value, b: Value): bool;
axiom (forall a: Value, b: Value :: {Eq(a, b)} Eq(a, b) <==> a == b);
axiom (forall a: Value, b: Value :: {Eq(a, b)}
  IsColl(a) && IsColl(b)
  && (forall v: Value :: {cnt(CollOf(a), v)} {cnt(CollOf(b), v)} cnt(CollOf(a), v) == cnt(CollOf(b), v)) ==> a == b);
axiom (forall a: Value, b: Value :: {Eq(a, b)}
  IsEnt(a) && IsEnt(b)
  && (forall l: Label :: {has(EntOf(a), l)} {has(EntOf(b), l)}
        (has(EntOf(a), l) <==> has(EntOf(b), l)) && (has(EntOf(a), l) ==> dot(EntOf(a), l) == dot(EntOf(b), l)))
  ==> a == b);

// Collections are finite multisets: how often a member occurs, and how many there are.
function cnt(b: Bag, v: Value): int;
function card(b: Bag): int;
const bempty: Bag;
function add(v: Value, b: Bag): Bag;
function rem(b: Bag, v: Value): Bag;
function bunion(a: Bag, b: Bag): Bag;
axiom (forall b: Bag, v: Value :: {cnt(b, v)} 0 <= cnt(b, v) && cnt(b, v) <= card(b));
axiom (forall v: Value :: {cnt(bempty, v)} cnt(bempty, v) == 0);
axiom card(bempty) == 0;
axiom (forall b: Bag :: {card(b)} 0 <= card(b) && (card(b) == 0 <==> b == bempty));
axiom (forall v: Value, b: Bag :: {add(v, b)} card(add(v, b)) == card(b) + 1 && cnt(add(v, b), v) == cnt(b, v) + 1);
axiom (forall v: Value, b: Bag, w: Value :: {cnt(add(v, b), w)}
  cnt(add(v, b), w) == (if w == v then cnt(b, w) + 1 else cnt(b, w)));
axiom (forall b: Bag, v: Value :: {rem(b, v)}
  cnt(b, v) > 0 ==> card(rem(b, v)) == card(b) - 1 && b == add(v, rem(b, v)));
axiom (forall b: Bag, v: Value, w: Value :: {cnt(rem(b, v), w)}
  cnt(b, v) > 0 ==> cnt(rem(b, v), w) == (if w == v then cnt(b, w) - 1 else cnt(b, w)));
axiom (forall a: Bag, b: Bag :: {bunion(a, b)} card(bunion(a, b)) == card(a) + card(b));
axiom (forall a: Bag, b: Bag, v: Value :: {cnt(bunion(a, b), v)} cnt(bunion(a, b), v) == cnt(a, v) + cnt(b, v));

// Entities are finite maps from labels.
function has(e: Ent, l: Label): bool;
function dot(e: Ent, l: Label): Value;
const eempty: Ent;
function upd(e: Ent, l: Label, v: Value): Ent;
axiom (forall l: Label :: {has(eempty, l)} !has(eempty, l));
axiom (forall e: Ent, l: Label, v: Value :: {upd(e, l, v)} has(upd(e, l, v), l) && dot(upd(e, l, v), l) == v);
axiom (forall e: Ent, l: Label, v: Value, m: Label :: {has(upd(e, l, v), m)} has(upd(e, l, v), m) <==> m == l || has(e, m));
axiom (forall e: Ent, l: Label, v: Value, m: Label :: {dot(upd(e, l, v), m)}
  dot(upd(e, l, v), m) == (if m == l then v else dot(e, m)));
