// The controller: it reads the player's commands. All that a program can see of the game.
spec module Controller {
  specvar started, playing, finished : bool;

  proc start()
    requires not started
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
    ensures finished';
}
