abst module Board {
  use plugin "flags";
  U = { x : Cell | "x.init = true" };
  MarkedCells = U cap { x : Cell | "x.isMarked = true" };
  MinedCells = U cap { x : Cell | "x.isMined = true" };
  ExposedCells = U cap { x : Cell | "x.isExposed = true" };
  UnexposedCells = U cap { x : Cell | "x.isExposed = false" };
  predvar gameOver;
}
