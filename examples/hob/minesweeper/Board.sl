// The model: cells that are mined, exposed, marked. U are the cells on the board.
spec module Board {
  format Cell;
  specvar U, MarkedCells, MinedCells, ExposedCells, UnexposedCells : Cell set;
  specvar gameOver : bool;

  proc init(w : int; h : int; mines : int)
    requires U = {}
    modifies U, UnexposedCells, MinedCells, UnexposedList.Content
    ensures (UnexposedCells' = U') & (ExposedCells' = {});

  proc getWidth() returns w : int
    ensures true;

  proc getHeight() returns h : int
    ensures true;

  proc cellAt(x : int; y : int) returns c : Cell
    ensures c' in U;

  proc neighbour(c : Cell; i : int) returns other : Cell
    requires (card(c) = 1) & (c in U)
    ensures other' in U;

  proc getX(c : Cell) returns x : int
    requires (card(c) = 1) & (c in U)
    ensures true;

  proc getY(c : Cell) returns y : int
    requires (card(c) = 1) & (c in U)
    ensures true;

  proc isMined(c : Cell) returns b : bool
    requires (card(c) = 1) & (c in U)
    ensures b' <=> (c in MinedCells);

  proc isExposed(c : Cell) returns b : bool
    requires (card(c) = 1) & (c in U)
    ensures b' <=> (c in ExposedCells);

  proc isMarked(c : Cell) returns b : bool
    requires (card(c) = 1) & (c in U)
    ensures b' <=> (c in MarkedCells);

  proc setMarked(c : Cell; v : bool)
    requires (card(c) = 1) & (c in UnexposedCells)
    modifies MarkedCells
    ensures (v => (MarkedCells' = MarkedCells + c)) & ((not v) => (MarkedCells' = MarkedCells - c));

  proc setExposed(c : Cell; v : bool)
    requires (card(c) = 1) & (c in U) & (gameOver | (not v) | disjoint(c, MinedCells))
    modifies ExposedCells, UnexposedCells, ExposedSet.Content, UnexposedList.Content
    ensures (v => ((ExposedCells' = ExposedCells + c) & (UnexposedCells' = UnexposedCells - c)))
          & ((not v) => ((ExposedCells' = ExposedCells - c) & (UnexposedCells' = UnexposedCells + c)));

  proc flood(c : Cell)
    requires (card(c) = 1) & (c in UnexposedCells) & disjoint(c, MinedCells)
    modifies ExposedCells, UnexposedCells, ExposedSet.Content, UnexposedList.Content
    ensures (c in ExposedCells') & (ExposedCells <= ExposedCells');

  proc spare(c : Cell)
    requires (card(c) = 1) & (c in MinedCells) & (ExposedCells = {})
    modifies MinedCells
    ensures disjoint(c, MinedCells');

  proc nothingExposed() returns b : bool
    ensures b' <=> (ExposedCells = {});

  proc nearbyMines(c : Cell) returns n : int
    requires (card(c) = 1) & (c in U)
    ensures true;

  proc nearbyMarks(c : Cell) returns n : int
    requires (card(c) = 1) & (c in U)
    ensures true;

  proc minesLeft() returns n : int
    ensures true;

  proc onlyMinesLeft() returns b : bool
    ensures true;

  proc isGameOver() returns b : bool
    ensures b' <=> gameOver;

  proc endGame()
    modifies gameOver
    ensures gameOver';
}
