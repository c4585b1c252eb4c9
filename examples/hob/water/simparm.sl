// The parameters of the simulation and the coefficients of its predictor and corrector.
spec module Simparm {
  // Init: the arrays for the parameters exist. ParmsLoaded: they hold values.
  specvar Init, ParmsLoaded : bool;

  invariant ParmsLoaded => Init;

  proc init()
    requires (not Init) & (not ParmsLoaded)
    modifies Init
    ensures Init';

  // From a text file, or the defaults if there is no such file.
  proc loadParms(file : string)
    requires Init & (not ParmsLoaded)
    modifies ParmsLoaded
    ensures ParmsLoaded';

  proc isLoaded() returns b : bool
    ensures b' <=> ParmsLoaded;

  // Molecules along an edge of the box.
  proc nside() returns n : int
    requires ParmsLoaded
    ensures true;

  // All molecules: the cube of nside.
  proc nmol() returns n : int
    requires ParmsLoaded
    ensures true;

  proc nstep() returns n : int
    requires ParmsLoaded
    ensures true;

  proc nequil() returns n : int
    requires ParmsLoaded
    ensures true;

  proc nprint() returns n : int
    requires ParmsLoaded
    ensures true;

  proc ndump() returns n : int
    requires ParmsLoaded
    ensures true;

  proc norder() returns n : int
    requires ParmsLoaded
    ensures true;

  proc seed() returns n : int
    requires ParmsLoaded
    ensures true;

  // In units of 0.1 ps.
  proc tstep() returns t : float
    requires ParmsLoaded
    ensures true;

  // Gram per cubic centimetre.
  proc density() returns d : float
    requires ParmsLoaded
    ensures true;

  // Kelvin.
  proc temperature() returns t : float
    requires ParmsLoaded
    ensures true;

  // Angstrom.
  proc cutoff() returns r : float
    requires ParmsLoaded
    ensures true;

  // Of derivative j in the prediction of derivative i: Pascal's triangle.
  proc tlc(i : int; j : int) returns c : float
    requires ParmsLoaded
    ensures true;

  // Of the error of the prediction in the correction of derivative i.
  proc pcc(i : int) returns c : float
    requires ParmsLoaded
    ensures true;
}
