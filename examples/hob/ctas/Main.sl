spec module Main {
  proc main()
    requires ((Flights.North + Flights.South) = {}) & (Flights.Waiting + Flights.Controlled + Flights.Offered = {})
           & (Flights.Landed = {})
    modifies Flights.North, Flights.South, Flights.Waiting, Flights.Controlled, Flights.Offered, Flights.Landed
    ensures (Flights.North' + Flights.South' = {}) & (card(Flights.Landed') = 2);
}
