// Random numbers that are the same in every run.
spec module Rand {
  specvar Seeded : bool;

  proc seed(n : int)
    modifies Seeded
    ensures Seeded';

  // Evenly spread, more than 0 and less than 1.
  proc next() returns r : float
    requires Seeded
    ensures true;

  // Of mean 0 and deviation 1.
  proc gauss() returns r : float
    requires Seeded
    ensures true;
}
