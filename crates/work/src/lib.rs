//! What every engine needs for long work: room to recurse ([`on_large_stack`]), numbered tasks on some threads ([`in_order`]), one value
//! that says when to stop ([`Stop`], looked at by a [`Clock`]), processes that end with us ([`start_bound`]), and dice that fall the same way every time ([`Chance`]).

mod chance;
mod clock;
mod pool;
mod process;
mod stack;
mod stop;

pub use chance::Chance;
pub use clock::Clock;
pub use pool::{Event, Turn, in_order, threads};
pub use process::{output_within, start_bound};
pub use stack::{address, on_large_stack, room, spawn_with_room, with_room};
pub use stop::{Cause, Stop};
