spec module Main {
  proc main()
    requires not Controller.started
    modifies Controller.started, Controller.playing, Controller.finished
    calls Controller
    ensures Controller.finished';
}
