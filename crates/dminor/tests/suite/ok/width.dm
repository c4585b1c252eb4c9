// An entity may have more fields than its type says.
type Named : {name: Text;};
name(n: Named) : Text { n.name }
both(n: Named & {age: Integer;}) : {name: Text; age: Integer;} { n }
wide() : Named { {name => "a", age => 3, tags => {}} }
