spec module Blips = Marks with Item <- Flight;
