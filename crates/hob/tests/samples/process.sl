spec module Scheduler {
    format Process;
    specvar Running, Suspended, Ready, All : Process set;
    specvar on : bool;

    predicate @live(s) = (s <= Running + Suspended);

    default isOn : pre(public(module this) - proc start()) = on;

    proc start() suspends isOn modifies on ensures on';
    proc create() returns p : Process
        modifies Running, All
        ensures (Running' = Running + p') & (card(p') = 1) & (not (p' in Running));
    proc suspend(p : Process)
        requires (p in Running) & (card(p) = 1)
        modifies Running, Suspended
        calls Log
        ensures (Running' = Running - p) & (Suspended' = Suspended + p) & @live'(p);
    proc resume(p : Process) returns ok : bool
        modifies Running, Suspended, Ready
        ensures (ok' <=> (p in Suspended)) | (exists x : Process. (x in Suspended));
    proc all(n : int) modifies Running, All
        ensures Running <= Running';
}
