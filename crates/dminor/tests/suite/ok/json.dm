// Any JSON document.
type Json : {null} | Logical | Integer | Text | Json* | !(Any* | Integer | Text | Logical | {null});
depth(j: Json) : (Integer where value >= 0) {
  j in (Any*) ? (from x in j let d = 0 : (Integer where value >= 0) accumulate (let k = 1 + depth(x) in k > d ? k : d)) : 0
}
leaves(j: Json) : (Integer where value >= 0) {
  j in (Any*) ? (from x in j let n = 0 : (Integer where value >= 0) accumulate n + leaves(x)) : 1
}
