abst module Main { use plugin "flags"; }
