type Positive : Integer where value > 0;
type Small : Integer where value < 100;
percent(x: Positive & Small) : (r: Integer where 0 < r && r < 100) { x }
meet(x: Any) : (Positive & Small)? { x in Positive && x in Small ? x : null }
