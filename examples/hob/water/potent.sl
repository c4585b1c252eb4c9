// The potentials of flexible water: springs inside of a molecule; charges and a Lennard-Jones potential between molecules.
// Places are in angstrom, energies in kJ/mol, forces in kJ/mol per angstrom. Site 0 of a molecule is the oxygen.
spec module Potent {
  // The constants of the cutoff are known.
  specvar Ready : bool;

  // The cutoff is at most half the box: no two images of a site are near.
  proc setup(cutoff : float)
    requires Box.Sized
    modifies Ready
    ensures Ready';

  // Square of the distance from which on sites do not feel each other.
  proc reach2() returns r2 : float
    requires Ready
    ensures true;

  // Force between site a of a molecule and site b of another one, divided by the distance.
  proc pairForce(a : int; b : int; r2 : float) returns f : float
    requires Ready
    ensures true;

  proc pairEnergy(a : int; b : int; r2 : float) returns e : float
    requires Ready
    ensures true;

  // Along the bond, outwards.
  proc bondForce(r : float) returns f : float
    ensures true;

  proc bondEnergy(r : float) returns e : float
    ensures true;

  // Minus the derivative by the cosine of the angle.
  proc angleForce(cosine : float) returns f : float
    ensures true;

  proc angleEnergy(cosine : float) returns e : float
    ensures true;

  proc bondLength() returns r : float
    ensures true;

  // Cosine of the angle between the bonds, at rest.
  proc angleCosine() returns c : float
    ensures true;

  // In elementary charges.
  proc charge(site : int) returns q : float
    ensures true;

  // In atomic mass units.
  proc mass(site : int) returns m : float
    ensures true;

  proc moleculeMass() returns m : float
    ensures true;

  // Boltzmann's constant, kJ/mol per kelvin.
  proc boltzmann() returns k : float
    ensures true;
}
