spec module Main {
  proc main()
    requires (Scheduler.Running = {}) & (Scheduler.Suspended = {})
    modifies Scheduler.Running, Scheduler.Suspended
    ensures (Scheduler.Running' = {}) & (card(Scheduler.Suspended') = 1);
}
