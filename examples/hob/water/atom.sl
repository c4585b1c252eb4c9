// Atoms, each with the derivatives of its place by time. Places in angstrom, times in 0.1 ps, masses in atomic mass units.
spec module Atom {
  format Atom;

  // Predic: its derivatives are predicted. Correc: they are corrected, by the forces at the predicted place.
  specvar Predic, Correc : Atom set;

  public invariant disjoint(Predic, Correc);

  // The place is a prediction until the first forces are known.
  proc create(mass : float) returns a : Atom
    requires Simparm.ParmsLoaded
    modifies Predic
    calls Simparm
    ensures (card(a') = 1) & disjoint(a', Predic + Correc) & (Predic' = Predic + a');

  proc predic(a : Atom)
    requires (card(a) = 1) & (a in Correc) & Simparm.ParmsLoaded
    modifies Predic, Correc
    calls Simparm
    ensures (Predic' = Predic + a) & (Correc' = Correc - a);

  // By the force, which must be scaled.
  proc correc(a : Atom)
    requires (card(a) = 1) & (a in Predic) & Simparm.ParmsLoaded
    modifies Predic, Correc
    calls Simparm
    ensures (Correc' = Correc + a) & (Predic' = Predic - a);

  // The first correction: the scaled force becomes the acceleration, the rest stays.
  proc start(a : Atom)
    requires (card(a) = 1) & (a in Predic)
    modifies Predic, Correc
    ensures (Correc' = Correc + a) & (Predic' = Predic - a);

  proc isPredic(a : Atom) returns b : bool
    requires card(a) = 1
    ensures b' <=> (a in Predic);

  proc isCorrec(a : Atom) returns b : bool
    requires card(a) = 1
    ensures b' <=> (a in Correc);

  proc place(a : Atom; axis : int) returns x : float
    requires card(a) = 1
    ensures true;

  proc putPlace(a : Atom; axis : int; x : float)
    requires card(a) = 1
    ensures true;

  proc velocity(a : Atom; axis : int) returns v : float
    requires (card(a) = 1) & Simparm.ParmsLoaded
    calls Simparm
    ensures true;

  proc putVelocity(a : Atom; axis : int; v : float)
    requires (card(a) = 1) & Simparm.ParmsLoaded
    calls Simparm
    ensures true;

  proc force(a : Atom; axis : int) returns f : float
    requires card(a) = 1
    ensures true;

  proc clearForce(a : Atom)
    requires card(a) = 1
    ensures true;

  proc addForce(a : Atom; axis : int; f : float)
    requires card(a) = 1
    ensures true;

  // From kJ/mol per angstrom to the unit of the second derivative: times dt^2 / 2 by the mass.
  proc scaleForce(a : Atom)
    requires (card(a) = 1) & Simparm.ParmsLoaded
    calls Simparm
    ensures true;

  proc mass(a : Atom) returns m : float
    requires card(a) = 1
    ensures true;
}
