abst module Parse { use plugin "flags"; }
