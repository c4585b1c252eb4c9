// The core of an air-traffic control system. A flight is in one of two sectors; a controller has it, or it is waiting for one. To
// change sectors, its controller offers it to the other sector's, who accepts it.
spec module Flights {
  format Flight;
  specvar North, South, Waiting, Controlled, Offered, Landed : Flight set;

  public invariant disjoint(North, South);
  invariant disjoint(Waiting, Controlled);
  invariant (North + South) = (Waiting + Controlled);
  invariant Offered <= Controlled;
  invariant disjoint(Landed, North + South);

  proc enter(name : string; north : bool) returns f : Flight
    modifies North, South, Waiting
    ensures (card(f') = 1) & disjoint(f', North + South + Landed) & (Waiting' = Waiting + f')
          & (north => ((North' = North + f') & (South' = South)))
          & ((not north) => ((South' = South + f') & (North' = North)));

  proc assign(f : Flight)
    requires (card(f) = 1) & (f in Waiting)
    modifies Waiting, Controlled
    ensures (Waiting' = Waiting - f) & (Controlled' = Controlled + f);

  proc offer(f : Flight)
    requires (card(f) = 1) & (f in Controlled)
    modifies Offered
    ensures Offered' = Offered + f;

  proc accept(f : Flight)
    requires (card(f) = 1) & (f in Offered)
    modifies North, South, Offered
    ensures (Offered' = Offered - f)
          & ((f in North) => ((North' = North - f) & (South' = South + f)))
          & ((f in South) => ((South' = South - f) & (North' = North + f)));

  proc land(f : Flight)
    requires (card(f) = 1) & (f in South) & (f in Controlled) & disjoint(f, Offered)
    modifies South, Controlled, Landed
    ensures (South' = South - f) & (Controlled' = Controlled - f) & (Landed' = Landed + f);

  proc inNorth(f : Flight) returns b : bool
    requires (card(f) = 1) & (f in North + South)
    ensures b' <=> (f in North);

  proc nameOf(f : Flight) returns name : string
    requires card(f) = 1
    ensures true;
}
