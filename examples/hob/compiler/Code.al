abst module Code { use plugin "flags"; }
