abst module UnexposedList = List with Entry = Cell;
