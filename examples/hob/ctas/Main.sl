spec module Main {
  proc main()
    requires ((Flights.North + Flights.South) = {}) & (Flights.Waiting + Flights.Controlled + Flights.Offered = {})
           & (Flights.Landed + Radar.Tracked = {})
    modifies Flights.North, Flights.South, Flights.Waiting, Flights.Controlled, Flights.Offered, Flights.Landed,
             Radar.Tracked, Radar.Painted
    calls Flights, Radar
    ensures (Flights.North' + Flights.South' = {}) & (card(Flights.Landed') = 2);
}
