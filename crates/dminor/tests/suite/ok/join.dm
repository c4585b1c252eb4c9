type User : {id: Integer; name: Text;};
type Login : {user: Integer; day: Integer;};
named(users: User*, logins: Login*) : {name: Text; day: Integer;}* {
  from l in logins let all = {} : {name: Text; day: Integer;}*
  accumulate (from u in users where u.id == l.user select {name => u.name, day => l.day}) ++ all
}
lookup(users: User*, id: Integer) : User? {
  from u in users let found = null : User? accumulate u.id == id ? u : found
}
