// An operating system's scheduler: a process runs or is suspended, and at most one of them runs.
spec module Scheduler {
  format Process;
  specvar Running, Suspended : Process set;

  invariant disjoint(Running, Suspended);
  invariant card(Running) <= 1;

  proc create(name : string) returns p : Process
    modifies Suspended
    ensures (card(p') = 1) & disjoint(p', Running + Suspended) & (Suspended' = Suspended + p');

  proc resume(p : Process)
    requires (card(p) = 1) & (p in Suspended) & (Running = {})
    modifies Running, Suspended
    ensures (Running' = p) & (Suspended' = Suspended - p);

  proc suspend(p : Process)
    requires (card(p) = 1) & (p in Running)
    modifies Running, Suspended
    ensures (Running' = {}) & (Suspended' = Suspended + p);

  proc kill(p : Process)
    requires (card(p) = 1) & (p in Running + Suspended)
    modifies Running, Suspended
    ensures (Running' = Running - p) & (Suspended' = Suspended - p);

  proc isRunning(p : Process) returns b : bool
    requires card(p) = 1
    ensures b' <=> (p in Running);

  proc nameOf(p : Process) returns name : string
    requires card(p) = 1
    ensures true;
}
