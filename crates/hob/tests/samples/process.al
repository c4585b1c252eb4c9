abst module Scheduler {
    use plugin "flags";
    Running = { x : Process | "x.status = 1" };
    Suspended = { x : Process | "x.status = 2" };
    Ready = { x : Process | "x.isReady = true" };
    All = Running + Suspended + Ready cap { x : Process | "x.status = 3" };
    predvar on;
}
