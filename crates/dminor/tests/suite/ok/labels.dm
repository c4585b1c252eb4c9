// Words of the language, texts and Count may be labels.
type Row : {type: Text; from: Integer; "first name": Text; Count: Integer;};
kind(r: Row) : Text { r.type }
first(r: Row) : Text { r."first name" }
count(r: Row) : Integer { r."Count" }
make(n: Integer) : Row { {type => "row", from => n, "first name" => "x", Count => n + 1} }
