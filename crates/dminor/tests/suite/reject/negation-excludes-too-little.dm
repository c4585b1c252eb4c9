// fails: f([])
f(x: !{null} & !Text & !Integer & !Logical) : Any { x.name }
