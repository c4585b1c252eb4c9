// Water molecules: an oxygen atom and two hydrogen atoms, and how far the time step has come with them.
spec module H2O {
  format Molecule;

  // The arrays to compute forces in exist.
  specvar Ready : bool;
  // As for its three atoms: predicted, or corrected.
  specvar Predic, Correc : Molecule set;
  // Every molecule that was created.
  specvar Alive : Molecule set;
  // The forces on its atoms: those of the molecule itself; its virial is taken; those of all others; in the unit of the
  // corrector.
  specvar Intraf, Vir, Interf, Scaled : Molecule set;
  // One of these four.
  specvar Forced : Molecule set;
  // Its kinetic energy is taken; then it is moved back into the box.
  specvar Kineti, Bndry : Molecule set;

  public invariant Alive = Predic + Correc;
  public invariant disjoint(Predic, Correc);
  public invariant Forced = Intraf + Vir + Interf + Scaled;
  public invariant disjoint(Intraf, Vir, Interf, Scaled);
  public invariant disjoint(Kineti, Bndry);
  // Forces are those at predicted places, energies those of corrected ones.
  invariant Forced <= Predic;
  invariant Kineti + Bndry <= Correc;

  // An object, not null, of the set.
  predicate @one(m, S) = (card(m) = 1) & (m in S);
  // No atom is lost.
  predicate @sameAtoms() = Atom.Predic' + Atom.Correc' = Atom.Predic + Atom.Correc;
  // What forces between molecules need.
  predicate @field() = Ready & Box.Sized & Potent.Ready;

  proc init()
    requires not Ready
    modifies Ready
    ensures Ready';

  // With the oxygen at a place and one bond along z, the other one nearly along x: chains of hydrogen bonds on a cubic
  // lattice. The atoms are new.
  proc create(x : float; y : float; z : float) returns m : Molecule
    requires Simparm.ParmsLoaded
    modifies Predic, Alive, Atom.Predic
    ensures (card(m') = 1) & disjoint(m', Alive + Forced) & (Predic' = Predic + m') & (Alive' = Alive + m') &
            (Atom.Predic <= Atom.Predic') & (card(Atom.Predic' - Atom.Predic) = 3);

  proc isPredic(m : Molecule) returns b : bool
    requires card(m) = 1
    ensures b' <=> (m in Predic);

  proc isCorrec(m : Molecule) returns b : bool
    requires card(m) = 1
    ensures b' <=> (m in Correc);

  proc isForced(m : Molecule) returns b : bool
    requires card(m) = 1
    ensures b' <=> (m in Forced);

  proc isIntraf(m : Molecule) returns b : bool
    requires card(m) = 1
    ensures b' <=> (m in Intraf);

  proc isVir(m : Molecule) returns b : bool
    requires card(m) = 1
    ensures b' <=> (m in Vir);

  proc isInterf(m : Molecule) returns b : bool
    requires card(m) = 1
    ensures b' <=> (m in Interf);

  proc isScaled(m : Molecule) returns b : bool
    requires card(m) = 1
    ensures b' <=> (m in Scaled);

  proc isKineti(m : Molecule) returns b : bool
    requires card(m) = 1
    ensures b' <=> (m in Kineti);

  proc isBndry(m : Molecule) returns b : bool
    requires card(m) = 1
    ensures b' <=> (m in Bndry);

  // Predicts the three atoms; the energies of the last step are out of date.
  proc predic(m : Molecule)
    requires @one(m, Correc) & Simparm.ParmsLoaded
    modifies Predic, Correc, Kineti, Bndry, Atom.Predic, Atom.Correc
    ensures (Predic' = Predic + m) & (Correc' = Correc - m) & (Kineti' = Kineti - m) & (Bndry' = Bndry - m) &
            @sameAtoms() & (Atom.Predic <= Atom.Predic') & (card(Atom.Predic' - Atom.Predic) = 3);

  // Springs along the bonds and of the angle between them.
  proc intraf(m : Molecule)
    requires @one(m, Predic) & disjoint(m, Forced) & Ready
    modifies Intraf, Forced
    ensures (Intraf' = Intraf + m) & (Forced' = Forced + m);

  // Place times force, summed over the atoms.
  proc vir(m : Molecule) returns v : float
    requires @one(m, Intraf)
    modifies Intraf, Vir
    ensures (Intraf' = Intraf - m) & (Vir' = Vir + m);

  // The forces of two different molecules on each other; the result is their virial.
  proc interf(m : Molecule; n : Molecule) returns v : float
    requires @one(m, Vir) & @one(n, Vir) & disjoint(m, n) & @field()
    ensures true;

  // All others have been there.
  proc endInterf(m : Molecule)
    requires @one(m, Vir)
    modifies Vir, Interf
    ensures (Vir' = Vir - m) & (Interf' = Interf + m);

  proc scaleForces(m : Molecule)
    requires @one(m, Interf) & Simparm.ParmsLoaded
    modifies Interf, Scaled
    ensures (Interf' = Interf - m) & (Scaled' = Scaled + m);

  // Corrects the three atoms; the forces are used up.
  proc correc(m : Molecule)
    requires @one(m, Predic) & (m in Scaled) & Simparm.ParmsLoaded
    modifies Predic, Correc, Scaled, Forced, Atom.Predic, Atom.Correc
    ensures (Predic' = Predic - m) & (Correc' = Correc + m) & (Scaled' = Scaled - m) & (Forced' = Forced - m) &
            @sameAtoms() & (Atom.Correc <= Atom.Correc') & (card(Atom.Correc' - Atom.Correc) = 3);

  // The first correction.
  proc start(m : Molecule)
    requires @one(m, Predic) & (m in Scaled)
    modifies Predic, Correc, Scaled, Forced, Atom.Predic, Atom.Correc
    ensures (Predic' = Predic - m) & (Correc' = Correc + m) & (Scaled' = Scaled - m) & (Forced' = Forced - m) &
            @sameAtoms() & (Atom.Correc <= Atom.Correc') & (card(Atom.Correc' - Atom.Correc) = 3);

  proc kineti(m : Molecule) returns e : float
    requires @one(m, Correc) & Simparm.ParmsLoaded
    modifies Kineti, Bndry
    ensures (Kineti' = Kineti + m) & (Bndry' = Bndry - m);

  // As a whole: a molecule is never torn apart by the walls.
  proc bndry(m : Molecule)
    requires @one(m, Kineti) & Box.Sized
    modifies Kineti, Bndry
    ensures (Kineti' = Kineti - m) & (Bndry' = Bndry + m);

  // Energy of the springs.
  proc poteng(m : Molecule) returns e : float
    requires @one(m, Bndry) & Ready
    ensures true;

  // Energy of two different molecules.
  proc potengPair(m : Molecule; n : Molecule) returns e : float
    requires @one(m, Bndry) & @one(n, Bndry) & disjoint(m, n) & @field()
    ensures true;

  // Random velocities of a temperature; only before the first step.
  proc heat(m : Molecule; temperature : float)
    requires @one(m, Predic) & disjoint(m, Forced) & Rand.Seeded & Simparm.ParmsLoaded
    ensures true;

  proc momentum(m : Molecule; axis : int) returns p : float
    requires @one(m, Alive) & Simparm.ParmsLoaded
    ensures true;

  // Makes all its atoms faster; only before the first step.
  proc push(m : Molecule; axis : int; v : float)
    requires @one(m, Predic) & disjoint(m, Forced) & Simparm.ParmsLoaded
    ensures true;

  // Velocities times a factor: the kinetic energy has to be taken again.
  proc scaleMomenta(m : Molecule; factor : float)
    requires @one(m, Correc) & Simparm.ParmsLoaded
    modifies Kineti, Bndry
    ensures (Kineti' = Kineti - m) & (Bndry' = Bndry - m);

  // Length of bond 1 or 2.
  proc bond(m : Molecule; which : int) returns r : float
    requires @one(m, Correc)
    ensures true;

  // Cosine of the angle between the bonds.
  proc cosine(m : Molecule) returns c : float
    requires @one(m, Correc)
    ensures true;

  // From oxygen to oxygen, the nearest image.
  proc distance(m : Molecule; n : Molecule) returns r : float
    requires @one(m, Correc) & @one(n, Correc) & disjoint(m, n) & Box.Sized
    ensures true;

  // Charge times place.
  proc dipole(m : Molecule; axis : int) returns d : float
    requires @one(m, Correc)
    ensures true;

  // Names and places of the atoms, on three lines.
  proc describe(m : Molecule) returns text : string
    requires @one(m, Correc)
    ensures true;
}
