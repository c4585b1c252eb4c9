// Two versions of a schema, and the way from one to the other.
type V1 : {version: {1}; name: Text; phone: Text?;};
type V2 : {version: {2}; name: Text; phones: Text*;};
type Contact : V1 | V2;
upgrade(c: Contact) : V2 {
  c in V2 ? c : {version => 2, name => c.name, phones => c.phone == null ? {} : {c.phone}}
}
downgrade(c: V2) : V1 {
  {version => 1, name => c.name, phone => from p in c.phones let q = null : Text? accumulate p}
}
all(c: Contact*) : (r: V2* where r.Count == c.Count) { from x in c select upgrade(x) }
