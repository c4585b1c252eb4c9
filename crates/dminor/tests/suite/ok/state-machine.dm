type State : {"new"} | {"paid"} | {"sent"} | {"done"};
type Event : {"pay"} | {"send"} | {"receive"};
step(s: State, e: Event) : State {
  s == "new" && e == "pay" ? "paid" : s == "paid" && e == "send" ? "sent" : s == "sent" && e == "receive" ? "done" : s
}
rank(s: State) : (Integer where 0 <= value && value <= 3) { s == "new" ? 0 : s == "paid" ? 1 : s == "sent" ? 2 : 3 }
