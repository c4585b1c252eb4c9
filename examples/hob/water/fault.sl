// The end of a run that has gone wrong.
spec module Fault {
  // Says why and does not return. A caller that tests the state of an object and stops if it is not the expected
  // one knows the state from there on.
  proc stop(reason : string)
    ensures false;
}
