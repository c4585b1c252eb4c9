// The paper's third example: operationally correct, although the condition is about Any.
four() : {false} { 4 in (x: Any where x > 5) }
