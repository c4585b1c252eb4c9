//! Text to definitions.
