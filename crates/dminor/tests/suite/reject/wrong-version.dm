// fails: upgrade({"version": 1, "name": "a"})
type V1 : {version: {1}; name: Text;};
type V2 : {version: {2}; name: Text;};
upgrade(c: V1) : V2 { c }
