// The collection of all molecules, and two rounds over it, one inside of the other, for what is done to every two molecules once.
spec module Store {
  format Molecule;

  specvar Content : Molecule set;
  // Those that are still to come: in the round, and in the inner round.
  specvar Rest, Others : Molecule set;

  public invariant Rest <= Content;
  public invariant Others <= Rest;

  // Rounds are over when something is added.
  proc add(m : Molecule)
    requires (card(m) = 1) & disjoint(m, Content)
    modifies Content, Rest, Others
    ensures (Content' = Content + m) & (Rest' = {}) & (Others' = {});

  proc count() returns n : int
    ensures true;

  // Starts a round.
  proc begin()
    modifies Rest, Others
    ensures (Rest' = Content) & (Others' = {});

  proc more() returns b : bool
    ensures b' <=> (Rest != {});

  // The next molecule of the round; an inner round over those that come later starts.
  proc next() returns m : Molecule
    requires Rest != {}
    modifies Rest, Others
    ensures (card(m') = 1) & (m' in Rest) & (Rest' = Rest - m') & (Others' = Rest');

  proc moreOthers() returns b : bool
    ensures b' <=> (Others != {});

  proc nextOther() returns m : Molecule
    requires Others != {}
    modifies Others
    ensures (card(m') = 1) & (m' in Others) & (Others' = Others - m');
}
