// An interpreter for a small while language. Programs come as JSON, so everything about them is a type.
module WhileLanguage {

  // Expressions.

  type Literal : {kind: {"literal"}; number: Integer;};
  type Variable : {kind: {"variable"}; name: Text;};
  type Operator : {"plus"} | {"minus"} | {"times"};
  type Binary : {
    kind: {"binary"};
    operator: Operator;
    left: Expression;
    right: Expression;
  };
  type Expression : Literal | Variable | Binary;

  // Conditions.

  type Less : {kind: {"less"}; left: Expression; right: Expression;};
  type Same : {kind: {"same"}; left: Expression; right: Expression;};
  type Not : {kind: {"not"}; condition: Condition;};
  type Both : {kind: {"both"}; left: Condition; right: Condition;};
  type Condition : Less | Same | Not | Both;

  // Statements.

  type Skip : {kind: {"skip"};};
  type Assign : {kind: {"assign"}; name: Text; value: Expression;};
  type Sequence : {kind: {"sequence"}; first: Statement; second: Statement;};
  type If : {kind: {"if"}; condition: Condition; then: Statement; other: Statement;};
  type While : {kind: {"while"}; condition: Condition; body: Statement;};
  type Statement : Skip | Assign | Sequence | If | While;

  // A state: variables that are not in it are 0.

  type Binding : {name: Text; number: Integer;};
  type State : Binding*;

  initial() : State { {} }

  lookup(s: State, name: Text) : Integer {
    from b in s let n = 0 : Integer accumulate b.name == name ? b.number : n
  }

  without(s: State, name: Text) : (r: State where r.Count <= s.Count) {
    from b in s where b.name != name select b
  }

  update(s: State, name: Text, n: Integer) : (r: State where r.Count <= s.Count + 1) {
    {name => name, number => n} :: without(s, name)
  }

  // Meaning.

  apply(o: Operator, a: Integer, b: Integer) : Integer {
    o == "plus" ? a + b : o == "minus" ? a - b : a * b
  }

  evaluate(e: Expression, s: State) : Integer {
    e.kind == "literal" ? e.number
    : e.kind == "variable" ? lookup(s, e.name)
    : apply(e.operator, evaluate(e.left, s), evaluate(e.right, s))
  }

  holds(c: Condition, s: State) : Logical {
    c.kind == "less" ? evaluate(c.left, s) < evaluate(c.right, s)
    : c.kind == "same" ? evaluate(c.left, s) == evaluate(c.right, s)
    : c.kind == "not" ? !holds(c.condition, s)
    : holds(c.left, s) && holds(c.right, s)
  }

  run(t: Statement, s: State) : State {
    t.kind == "skip" ? s
    : t.kind == "assign" ? update(s, t.name, evaluate(t.value, s))
    : t.kind == "sequence" ? run(t.second, run(t.first, s))
    : t.kind == "if" ? (holds(t.condition, s) ? run(t.then, s) : run(t.other, s))
    : holds(t.condition, s) ? run(t, run(t.body, s))
    : s
  }

  // The same with fuel: null if it runs out.

  type Fuel : Integer where value >= 0;
  type Outcome : {null} | {state: State; fuel: Fuel;};

  spend(t: Statement, s: State, fuel: Fuel) : Outcome {
    fuel == 0 ? null
    : t.kind == "skip" ? {state => s, fuel => fuel - 1}
    : t.kind == "assign" ? {state => update(s, t.name, evaluate(t.value, s)), fuel => fuel - 1}
    : t.kind == "sequence" ? resume(t.second, spend(t.first, s, fuel - 1))
    : t.kind == "if" ? spend(holds(t.condition, s) ? t.then : t.other, s, fuel - 1)
    : holds(t.condition, s) ? resume(t, spend(t.body, s, fuel - 1))
    : {state => s, fuel => fuel - 1}
  }

  resume(t: Statement, o: Outcome) : Outcome {
    o == null ? null : spend(t, o.state, o.fuel)
  }

  // Programs about programs.

  size(e: Expression) : (Integer where value > 0) {
    e in Binary ? 1 + size(e.left) + size(e.right) : 1
  }

  assigned(t: Statement) : Text* {
    t in Assign ? {t.name}
    : t in Sequence ? assigned(t.first) ++ assigned(t.second)
    : t in If ? assigned(t.then) ++ assigned(t.other)
    : t in While ? assigned(t.body)
    : {}
  }

  // Constant folding keeps an expression an expression.
  fold(e: Expression) : Expression {
    e in Binary ? combine(e.operator, fold(e.left), fold(e.right)) : e
  }

  combine(o: Operator, a: Expression, b: Expression) : Expression {
    a in Literal && b in Literal
      ? {kind => "literal", number => apply(o, a.number, b.number)}
      : {kind => "binary", operator => o, left => a, right => b}
  }

  // Statements that need no condition to decide.
  simplify(t: Statement) : Statement {
    t in Sequence ? (t.first in Skip ? simplify(t.second)
                     : {kind => "sequence", first => simplify(t.first), second => simplify(t.second)})
    : t in If && t.then == t.other ? simplify(t.then)
    : t
  }
}
