type NonEmpty : Integer* where value.Count > 0;
maximum(c: Integer*, floor: Integer) : (r: Integer where r >= floor) {
  from x in c let m = floor : (Integer where value >= floor) accumulate x > m ? x : m
}
any(c: NonEmpty) : Integer { from x in c let y = 0 : Integer accumulate x }
