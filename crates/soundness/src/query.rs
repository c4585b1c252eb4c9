//! The only place that holds a solver: formulas to clauses on demand, one polarity at a time, and models back to assignments.
//!
//! Preserved: a query is unsatisfiable iff its formulas are. Only the cones of what was asked are ever handed over, in the
//! direction in which they are needed (Plaisted and Greenbaum); chains of conjunctions become one clause.

use formula::{Graph, Lit, Node, NodeId};
use sat::{Answer, Cadical, Certificate, Certified, Limits, Preset, SatLit, Solver};
use work::Clock;

pub struct Query {
    solver: Box<dyn Solver>,
    lits: Vec<Option<SatLit>>,
    /// Bit 0: its clauses for being true; bit 1: for being false.
    done: Vec<u8>,
    pub asked: u64,
    limits: Limits,
    clock: Clock,
}

#[derive(Debug)]
pub enum Found {
    Model(Model),
    Nothing,
    /// A limit, or a proof that was rejected (then with the reason).
    Unknown(Option<String>),
}

/// Values of the graph's free variables.
#[derive(Clone, Debug)]
pub struct Model {
    values: Vec<Option<bool>>,
}

impl Model {
    pub fn value(&self, node: NodeId) -> bool {
        self.values.get(node.index()).copied().flatten().unwrap_or(false)
    }
}

impl Query {
    pub fn new(certify: bool, limits: &Limits) -> Query {
        let mut solver: Box<dyn Solver> = match certify {
            true => Box::new(Certified::new(Preset::Check)),
            false => Box::new(Cadical::new(Preset::Check)),
        };
        solver.set_limits(limits.clone());
        let (limits, clock) = (limits.clone(), Clock::new(&limits.stop));
        Query { solver, lits: Vec::new(), done: Vec::new(), asked: 0, limits, clock }
    }

    pub fn variables(&self) -> u64 {
        self.solver.stats().vars
    }

    pub fn clauses(&self) -> u64 {
        self.solver.stats().clauses
    }

    pub fn certified(&self) -> u64 {
        self.solver.stats().certified
    }

    /// Is there an assignment that makes all of `all` true?
    pub fn ask(&mut self, graph: &Graph, all: &[Lit]) -> Found {
        self.ask_some(graph, all, None)
    }

    /// The same, and one of `some`, if given.
    pub fn ask_some(&mut self, graph: &Graph, all: &[Lit], some: Option<&[Lit]>) -> Found {
        match self.solve(graph, all, some) {
            Answer::Sat => {
                let mut values = vec![None; graph.node_count()];
                for (i, lit) in self.lits.iter().enumerate() {
                    if let Some(lit) = lit
                        && matches!(graph.node(NodeId(i as u32)), Node::Var)
                    {
                        values[i] = self.solver.value(*lit);
                    }
                }
                Found::Model(Model { values })
            }
            Answer::Unsat => Found::Nothing,
            Answer::Unknown => Found::Unknown(self.rejected()),
        }
    }

    /// Whether there is one; an error is why that is not known.
    pub fn is_possible(&mut self, graph: &Graph, all: &[Lit], some: Option<&[Lit]>) -> Result<bool, Option<String>> {
        match self.solve(graph, all, some) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown => Err(self.rejected()),
        }
    }

    fn rejected(&self) -> Option<String> {
        match self.solver.certificate() {
            Certificate::Rejected(error) => Some(format!("{error:?}")),
            _ => None,
        }
    }

    fn solve(&mut self, graph: &Graph, all: &[Lit], some: Option<&[Lit]>) -> Answer {
        // First of all: formulas that were built after a limit was reached say nothing, not even `false`.
        if self.limits.reached() {
            return Answer::Unknown;
        }
        if all.contains(&Lit::FALSE) || some.is_some_and(|s| s.iter().all(|l| *l == Lit::FALSE)) {
            return Answer::Unsat;
        }
        self.asked += 1;
        let assumptions: Vec<SatLit> =
            all.iter().filter(|l| **l != Lit::TRUE).map(|l| self.require(graph, *l)).collect();
        let some: Option<Vec<SatLit>> = match some {
            Some(s) if !s.contains(&Lit::TRUE) => {
                Some(s.iter().filter(|l| **l != Lit::FALSE).map(|l| self.require(graph, *l)).collect())
            }
            _ => None,
        };
        for lit in assumptions {
            self.solver.assume(lit);
        }
        if let Some(some) = some {
            self.solver.constrain(&some);
        }
        if self.limits.reached() { Answer::Unknown } else { self.solver.solve() }
    }

    /// Never again all of these.
    pub fn block(&mut self, graph: &Graph, all: &[Lit]) {
        let clause: Vec<SatLit> = all.iter().map(|l| self.require(graph, !*l)).collect();
        self.solver.add_clause(&clause);
    }

    /// The solver's literal, with all clauses that its being true needs; with fewer if there is no time left, and then `solve` answers nothing.
    fn require(&mut self, graph: &Graph, lit: Lit) -> SatLit {
        if self.lits.len() < graph.node_count() {
            self.lits.resize(graph.node_count(), None);
            self.done.resize(graph.node_count(), 0);
        }
        let mut stack = vec![lit];
        let mut operands = Vec::new();
        let mut clause = Vec::new();
        // The solver takes a microsecond or two for a clause.
        while let Some(lit) = stack.pop()
            && !self.clock.step(64)
        {
            let node = lit.node();
            let side = if lit.is_negated() { 2 } else { 1 };
            if self.done[node.index()] & side != 0 {
                continue;
            }
            self.done[node.index()] |= side;
            let own = self.name(node).flip(lit.is_negated());
            match graph.node(node) {
                Node::And(..) => {
                    conjuncts(graph, node, &mut operands);
                    if lit.is_negated() {
                        clause.clear();
                        clause.push(!own);
                        for &operand in &operands {
                            clause.push(self.name(operand.node()).flip(!operand.is_negated()));
                            stack.push(!operand);
                        }
                        self.solver.add_clause(&clause);
                    } else {
                        for &operand in &operands {
                            let implied = self.name(operand.node()).flip(operand.is_negated());
                            self.solver.add_clause(&[!own, implied]);
                            stack.push(operand);
                        }
                    }
                }
                Node::True => self.solver.add_clause(&[self.lits[node.index()].unwrap_or(own)]),
                _ => {}
            }
        }
        self.name(lit.node()).flip(lit.is_negated())
    }

    fn name(&mut self, node: NodeId) -> SatLit {
        let solver = &mut self.solver;
        *self.lits[node.index()].get_or_insert_with(|| solver.new_var())
    }
}

/// The operands of a conjunction, through conjunctions that nothing else uses.
fn conjuncts(graph: &Graph, node: NodeId, out: &mut Vec<Lit>) {
    out.clear();
    let mut stack = vec![Lit::new(node, true)];
    let mut first = true;
    while let Some(lit) = stack.pop() {
        match graph.node(lit.node()) {
            Node::And(a, b) if !lit.is_negated() && (first || graph.parents(lit.node()).len() == 1) => {
                first = false;
                stack.push(b);
                stack.push(a);
            }
            _ => out.push(lit),
        }
    }
}

/// Evaluates formulas under a model.
pub struct Reader<'a> {
    graph: &'a Graph,
    model: &'a Model,
    known: Vec<u8>,
}

impl<'a> Reader<'a> {
    pub fn new(graph: &'a Graph, model: &'a Model) -> Reader<'a> {
        Reader { graph, model, known: vec![0; graph.node_count()] }
    }

    pub fn is_true(&mut self, lit: Lit) -> bool {
        let mut stack = vec![lit.node()];
        while let Some(&node) = stack.last() {
            if self.known[node.index()] != 0 {
                stack.pop();
                continue;
            }
            let value = match self.graph.node(node) {
                Node::True => true,
                Node::And(a, b) => {
                    let (ka, kb) = (self.known[a.node().index()], self.known[b.node().index()]);
                    let value = |k: u8, l: Lit| (k == 1) ^ l.is_negated();
                    if ka == 0 {
                        stack.push(a.node());
                        continue;
                    }
                    if !value(ka, a) {
                        false
                    } else if kb == 0 {
                        stack.push(b.node());
                        continue;
                    } else {
                        value(kb, b)
                    }
                }
                _ => self.model.value(node),
            };
            self.known[node.index()] = if value { 1 } else { 2 };
            stack.pop();
        }
        (self.known[lit.node().index()] == 1) ^ lit.is_negated()
    }
}
