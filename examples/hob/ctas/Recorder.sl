// The recorder of the tower, a device: it calls nobody, so it may be told while invariants do not hold.
spec module Recorder {
  proc note(name : string; distance : float) ensures true;
}
