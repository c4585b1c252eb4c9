// The table of energies that a run prints, and what it says as a whole.
spec module Report {
  // Headed: the first line of the table is printed. Rows: there is a row. Closed: nothing more is printed.
  specvar Headed, Rows, Closed : bool;

  invariant Rows => Headed;
  invariant Closed => Rows;

  proc header(molecules : int; length : float; step : float)
    requires not Headed
    modifies Headed
    ensures Headed';

  // A row that does not count is printed, but is no part of the summary.
  proc row(number : int; counts : bool; kinetic : float; intra : float; between : float; temperature : float;
           pressure : float)
    requires Headed & (not Closed)
    modifies Rows
    ensures Rows';

  // Mean of the total energy, and how far it went.
  proc summary(bond : float; cosine : float; peak : float; dipole : float; drift : float)
    requires Rows & (not Closed)
    modifies Closed
    ensures Closed';
}
