// A line, and
/* a block over
   lines, with "quotes" and { braces */
f(/* here too */ x: Integer) : Integer { x /* and here */ + 1 } // the end
