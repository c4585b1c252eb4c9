//! Processes that end when we do, and questions with a limit.

use std::ffi::OsStr;
use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::channel;
use std::time::Duration;

/// A command whose process the system kills when the thread that started it is gone, whatever ended that. Where there is no `setpriv` it ends
/// when its input does, which is after the question at hand.
pub fn bound_to_us(program: impl AsRef<OsStr>) -> Command {
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
    if *HAS_SETPRIV.get_or_init(is_there) {
        let mut command = with_setpriv();
        command.arg(program);
        return command;
    }
    Command::new(program)
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
