// The view: it asks the board, paints cells on a screen of characters, and shows that.
spec module View {
  format Cell;

  proc setUp()
    ensures true;

  proc drawCell(c : Cell)
    requires (card(c) = 1) & (c in Board.U)
    ensures true;

  proc drawCellEnd(c : Cell)
    requires (card(c) = 1) & (c in Board.U) & Board.gameOver
    ensures true;

  proc drawField()
    ensures true;

  proc drawFieldEnd()
    requires Board.gameOver
    modifies Board.ExposedCells, Board.UnexposedCells, ExposedSet.Content, UnexposedList.Content
    ensures UnexposedList.Content' = {};

  proc show()
    ensures true;

  proc showStatus()
    ensures true;

  proc showHelp()
    ensures true;

  proc showResult(won : bool)
    ensures true;

  proc say(text : string)
    ensures true;
}
