// All molecules of the liquid, and the phases of a time step. A phase is a Boolean that is true once the phase is done
// for every molecule, until the next phase is:
//
//   Init ~> INITIA ~> PREDIC ~> INTRAF ~> VIR ~> INTERF ~> SCALED ~> CORREC ~> KINETI ~> BNDRY [~> POTENG] ~> PREDIC ~> ...
//
// Energies are in kJ/mol (of boxes), temperatures in kelvin, pressures in bar, lengths in angstrom.
spec module Ensemble {
  // There is room for the molecules, and the size of the box is known.
  specvar Init : bool;
  // The molecules are on their lattice, with velocities and the forces there.
  specvar INITIA : bool;
  specvar PREDIC, INTRAF, VIR, INTERF, SCALED, CORREC, KINETI, BNDRY, POTENG : bool;
  // Distances of molecules have been counted.
  specvar Sampled : bool;

  predicate @any() = INITIA | PREDIC | INTRAF | VIR | INTERF | SCALED | CORREC | KINETI | BNDRY | POTENG;
  // Between two time steps.
  predicate @settled() = INITIA | BNDRY | POTENG;
  // The kinetic energy is that of the places.
  predicate @measured() = KINETI | BNDRY | POTENG;

  invariant @any() => Init;
  invariant Sampled => Init;
  // One phase at a time.
  invariant INITIA => (not (PREDIC | INTRAF | VIR | INTERF | SCALED | CORREC | KINETI | BNDRY | POTENG));
  invariant PREDIC => (not (INTRAF | VIR | INTERF | SCALED | CORREC | KINETI | BNDRY | POTENG));
  invariant INTRAF => (not (VIR | INTERF | SCALED | CORREC | KINETI | BNDRY | POTENG));
  invariant VIR => (not (INTERF | SCALED | CORREC | KINETI | BNDRY | POTENG));
  invariant INTERF => (not (SCALED | CORREC | KINETI | BNDRY | POTENG));
  invariant SCALED => (not (CORREC | KINETI | BNDRY | POTENG));
  invariant CORREC => (not (KINETI | BNDRY | POTENG));
  invariant KINETI => (not (BNDRY | POTENG));
  invariant BNDRY => (not POTENG);

  proc init()
    requires (not Init) & Simparm.ParmsLoaded
    modifies Init
    ensures Init';

  proc initia()
    requires Init & (not @any()) & Simparm.ParmsLoaded
    modifies INITIA
    ensures INITIA';

  // The phases of a time step.

  proc predic()
    requires @settled() & Simparm.ParmsLoaded
    modifies INITIA, BNDRY, POTENG, PREDIC
    ensures PREDIC' & (not @settled'());

  proc intraf()
    requires PREDIC & Simparm.ParmsLoaded
    modifies PREDIC, INTRAF
    ensures INTRAF' & (not PREDIC');

  proc vir()
    requires INTRAF & Simparm.ParmsLoaded
    modifies INTRAF, VIR
    ensures VIR' & (not INTRAF');

  proc interf()
    requires VIR & Simparm.ParmsLoaded
    modifies VIR, INTERF
    ensures INTERF' & (not VIR');

  proc scale()
    requires INTERF & Simparm.ParmsLoaded
    modifies INTERF, SCALED
    ensures SCALED' & (not INTERF');

  proc correc()
    requires SCALED & Simparm.ParmsLoaded
    modifies SCALED, CORREC
    ensures CORREC' & (not SCALED');

  proc kineti()
    requires CORREC & Simparm.ParmsLoaded
    modifies CORREC, KINETI
    ensures KINETI' & (not CORREC');

  // Velocities become those of the temperature that the parameters ask for; the kinetic energy has to be taken again.
  proc rescale()
    requires KINETI & Simparm.ParmsLoaded
    modifies KINETI, CORREC
    ensures CORREC' & (not KINETI');

  proc bndry()
    requires KINETI & Simparm.ParmsLoaded
    modifies KINETI, BNDRY
    ensures BNDRY' & (not KINETI');

  proc poteng()
    requires BNDRY & Simparm.ParmsLoaded
    modifies BNDRY, POTENG
    ensures POTENG' & (not BNDRY');

  // From the prediction to the forces there.
  proc forces()
    requires @settled() & Simparm.ParmsLoaded
    modifies INITIA, BNDRY, POTENG, PREDIC, INTRAF, VIR, INTERF, SCALED
    ensures SCALED' & (not @settled'());

  // From the forces to corrected places and the kinetic energy; in the first steps velocities are scaled.
  proc move(number : int)
    requires SCALED & Simparm.ParmsLoaded
    modifies SCALED, CORREC, KINETI, BNDRY
    ensures BNDRY' & (not SCALED');

  // All phases but the last one, in their order.
  proc step(number : int)
    requires @settled() & Simparm.ParmsLoaded
    modifies INITIA, PREDIC, INTRAF, VIR, INTERF, SCALED, CORREC, KINETI, BNDRY, POTENG
    ensures BNDRY' & (not POTENG') & (not INITIA');

  // What the liquid is like before the first step: its energies are taken, nothing moves.
  proc measureStart()
    requires INITIA & Simparm.ParmsLoaded
    modifies INITIA, POTENG
    ensures POTENG' & (not INITIA');

  // What was measured.

  proc kineticEnergy() returns e : float
    requires @measured()
    ensures true;

  proc intraEnergy() returns e : float
    requires POTENG
    ensures true;

  proc interEnergy() returns e : float
    requires POTENG
    ensures true;

  proc totalEnergy() returns e : float
    requires POTENG
    ensures true;

  proc temperature() returns t : float
    requires @measured() & Simparm.ParmsLoaded
    ensures true;

  proc pressure() returns p : float
    requires @measured()
    ensures true;

  // The length of the momentum of all molecules: 0 but for rounding.
  proc drift() returns p : float
    requires @settled() & Simparm.ParmsLoaded
    ensures true;

  proc meanBond() returns r : float
    requires @settled() & Simparm.ParmsLoaded
    ensures true;

  // Of the cosine of the angle in a molecule.
  proc meanCosine() returns c : float
    requires @settled() & Simparm.ParmsLoaded
    ensures true;

  // Length of the sum of all dipoles, in debye for each molecule.
  proc dipole() returns d : float
    requires @settled() & Simparm.ParmsLoaded
    ensures true;

  // Counts the distances between all molecules, as they are now.
  proc sample()
    requires @settled() & Simparm.ParmsLoaded
    modifies Sampled
    ensures Sampled';

  // How many times as dense as on average the molecules are around a molecule, at a distance of so many tenths of an
  // angstrom, up to half the box.
  proc distribution(tenths : int) returns g : float
    requires Sampled & Init & Simparm.ParmsLoaded
    ensures true;

  // Where that is most, in angstrom.
  proc peak() returns r : float
    requires Sampled & Init & Simparm.ParmsLoaded
    ensures true;

  // Prints the places of all atoms.
  proc dump(number : int)
    requires @settled() & Simparm.ParmsLoaded
    ensures true;

  proc boxLength() returns l : float
    requires Init
    ensures true;
}
