type Person : {name: Text; email: Text?;};
email(p: Person) : Text { p.email == null ? "none" : p.email }
clear(p: Person) : Person { {name => p.name, email => null} }
hasEmail(p: Person) : (r: Logical where r == (p.email in Text)) { p.email != null }
