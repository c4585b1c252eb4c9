// The controller: it reads the player's commands. All that a program can see of the game. That the board is empty before the start, and
// covered nowhere after the end, is said of sets that the game keeps to itself: its invariants are enough for callers.
spec module Controller {
  specvar started, playing, finished : bool;

  proc start()
    requires (not started) & (Board.U = {})
    modifies started, playing
    ensures started' & playing';

  proc step() returns go : bool
    requires playing
    modifies playing
    ensures go' <=> playing';

  proc expose(x : int; y : int)
    requires playing
    modifies playing
    ensures true;

  proc open(x : int; y : int)
    requires playing
    modifies playing
    ensures true;

  proc mark(x : int; y : int)
    requires playing
    ensures true;

  proc cover(x : int; y : int)
    requires playing
    ensures true;

  proc finish()
    requires started & (not playing)
    modifies finished
    ensures finished' & (Board.UnexposedCells' = {});
}
