type Stats : {count: (Integer where value >= 0); sum: Integer;};
stats(c: Integer*) : Stats {
  from x in c let s = {count => 0, sum => 0} : Stats accumulate {count => s.count + 1, sum => s.sum + x}
}
partition(c: Integer*) : {low: (Integer where value < 10)*; high: (Integer where value >= 10)*;} {
  from x in c
    let p = {low => {}, high => {}} : {low: (Integer where value < 10)*; high: (Integer where value >= 10)*;}
  accumulate x < 10 ? {low => x :: p.low, high => p.high} : {low => p.low, high => x :: p.high}
}
