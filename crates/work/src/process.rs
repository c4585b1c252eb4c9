//! Processes that end when we do, and questions with a limit.

use std::ffi::OsStr;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

/// Starts a program that the system kills when we are gone, whatever ended us. Where there is no `setpriv` it ends when its input does,
/// which is after the question at hand.
pub fn start_bound(program: &OsStr, configure: impl FnOnce(&mut Command)) -> std::io::Result<Child> {
    static HAS_SETPRIV: OnceLock<bool> = OnceLock::new();
    let with_setpriv = || {
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL", "--"]);
        command
    };
    let is_there = || {
        let quiet =
            |command: &mut Command| command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        quiet(with_setpriv().arg("true")).is_ok_and(|status| status.success())
    };
    let mut command = if *HAS_SETPRIV.get_or_init(is_there) {
        let mut command = with_setpriv();
        command.arg(program);
        command
    } else {
        Command::new(program)
    };
    configure(&mut command);
    spawned_by_a_thread_that_stays(command)
}

/// To the system, whoever starts a process is a thread: one that ends before us would take the process with it.
fn spawned_by_a_thread_that_stays(command: Command) -> std::io::Result<Child> {
    type Order = (Command, Sender<std::io::Result<Child>>);
    static ORDERS: OnceLock<Sender<Order>> = OnceLock::new();
    let orders = ORDERS.get_or_init(|| {
        let (send, orders) = channel::<Order>();
        std::thread::spawn(move || {
            for (mut command, reply) in orders {
                let _ = reply.send(command.spawn());
            }
        });
        send
    });
    let gone = || std::io::Error::other("no thread could be started");
    let (reply, started) = channel();
    orders.send((command, reply)).map_err(|_| gone())?;
    started.recv().map_err(|_| gone())?
}

/// What a command prints, as far as it does within the time. None if it goes on: then it is killed.
pub fn output_within(command: &mut Command, time: Duration) -> std::io::Result<Option<String>> {
    const MOST: u64 = 64 << 10;
    let mut child = command.stdin(Stdio::null()).stderr(Stdio::null()).stdout(Stdio::piped()).spawn()?;
    let Some(output) = child.stdout.take() else { return Ok(None) };
    let (send, told) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = output.take(MOST).read_to_end(&mut bytes);
        let _ = send.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    let told = told.recv_timeout(time).ok();
    let _ = child.kill();
    let _ = child.wait();
    Ok(told)
}
