// The accumulate in the type gives the same for every order.
type Balanced : {amounts: Integer*;} where (from x in value.amounts let s = 0 accumulate s + x) == 0;
isBalanced(x: {amounts: Integer*;}) : Logical { x in Balanced }
empty() : Balanced { {amounts => {}} }
pair(n: Integer) : Balanced { {amounts => {n, -n}} }
