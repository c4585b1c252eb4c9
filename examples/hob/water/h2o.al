abst module H2O {
  use plugin "flags";

  predvar Ready;

  Predic = { x : Molecule | "x.motion = 1" };
  Correc = { x : Molecule | "x.motion = 2" };
  Alive = Predic + Correc;

  Intraf = { x : Molecule | "x.forces = 1" };
  Vir = { x : Molecule | "x.forces = 2" };
  Interf = { x : Molecule | "x.forces = 3" };
  Scaled = { x : Molecule | "x.forces = 4" };
  Forced = Intraf + Vir + Interf + Scaled;

  Kineti = { x : Molecule | "x.energy = 1" };
  Bndry = { x : Molecule | "x.energy = 2" };
}
