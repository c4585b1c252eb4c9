// What is on the screen. A blip is a flight of the set `Blips`, which Main cannot see.
spec module Radar {
  format Flight;
  specvar Tracked, Painted : Flight set;

  proc start() ensures true;

  private proc paint(f : Flight; colour : string)
    requires card(f) = 1
    calls Flights
    ensures true;

  proc show(f : Flight)
    requires (card(f) = 1) & disjoint(f, Tracked)
    modifies Tracked, Painted
    calls Flights, Blips, Recorder
    ensures (Tracked' = Tracked + f) & (Blips.Content' = Blips.Content + f);

  proc hide(f : Flight)
    requires (card(f) = 1) & (f in Tracked)
    modifies Tracked, Painted
    calls Flights, Blips
    ensures (Tracked' = Tracked - f) & (Blips.Content' = Blips.Content - f);

  proc stop() ensures true;
}

scope Screen {
  modules Radar, Blips;
  exports Radar;
  invariant Radar.Painted = Radar.Tracked;
  invariant Radar.Tracked = Blips.Content;
}
