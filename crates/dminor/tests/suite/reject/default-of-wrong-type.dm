// fails: port({"port": "80"})
port(x: Any) : Integer { x in {port: Any;} ? x.port : 80 }
