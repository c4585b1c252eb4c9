// A ring of slots; the producer runs ahead of the consumer by as many as there are.
spec module Main {
  proc main()
    requires (Pipe.Empty = {}) & (Pipe.Full = {}) & (Remote.Connected = {})
    modifies Pipe.Empty, Pipe.Full, Remote.Listening, Remote.Connected, Remote.Ended
    calls Pipe, Remote
    ensures Remote.Connected' = {};
}
