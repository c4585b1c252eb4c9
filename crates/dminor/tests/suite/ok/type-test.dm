// The paper's second example under the guarded reading: the condition runs on integers only.
isLarge(x: Any) : Logical { x in (y: Integer where y > 5) }

large(x: Any) : (Integer where value > 5) | {0} { x in (y: Integer where y > 5) ? x : 0 }
