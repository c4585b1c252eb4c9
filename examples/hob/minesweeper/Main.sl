spec module Main {
  proc main()
    requires not Controller.started
    modifies Controller.started, Controller.playing
    ensures Controller.started' & (not Controller.playing');
}
