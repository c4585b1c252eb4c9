// lenient types: the condition is about Any, so the type by itself is not well-formed.
// The paper's third example: operationally correct, although the condition is about Any.
four() : {false} { 4 in (x: Any where x > 5) }
