spec module UnexposedList = List with Entry <- Cell;
