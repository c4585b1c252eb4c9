type Person : {name: Text; age: Integer;};
names(c: Person*) : (r: Text* where r.Count == c.Count) { from p in c select p.name }
adults(c: Person*) : (Person where value.age >= 18)* { from p in c where p.age >= 18 select p }
older(c: Person*) : Person* { from p in c select {name => p.name, age => p.age + 1} }
pairs(c: Person*) : {a: Text; b: Text;}** {
  from p in c select (from q in c select {a => p.name, b => q.name})
}
