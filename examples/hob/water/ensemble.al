abst module Ensemble {
  use plugin "flags";
  predvar Init;
  predvar INITIA;
  predvar PREDIC;
  predvar INTRAF;
  predvar VIR;
  predvar INTERF;
  predvar SCALED;
  predvar CORREC;
  predvar KINETI;
  predvar BNDRY;
  predvar POTENG;
  predvar Sampled;
}
