// fails: upgrade({"version": 1, "name": "a", "phone": null})
type V1 : {version: {1}; name: Text; phone: Text?;};
type V2 : {version: {2}; name: Text; phones: Text*;};
upgrade(c: V1) : V2 { {version => 2, name => c.name, phones => {c.phone}} }
