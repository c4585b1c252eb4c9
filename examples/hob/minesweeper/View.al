abst module View { use plugin "flags"; }
