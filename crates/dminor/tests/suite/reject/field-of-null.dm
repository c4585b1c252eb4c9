// fails: f({"address": null})
f(p: {address: {city: Text;}?;}) : Text { p.address.city }
