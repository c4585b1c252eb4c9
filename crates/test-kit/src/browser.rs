//! Opens a page in headless Chromium, runs a script in it, and hands back what the script saw. `scripts/test` installs Chromium.

use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Far more than it takes, also on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(120);

/// For each failure with a path: its drawings as they are laid out, and the lines and texts that are marked after each key.
pub const STEP: &str = r#"
const press = (target, key) => target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
document.querySelector('[data-fold=open]').click();
return Array.from(document.querySelectorAll('.failure')).filter(f => f.querySelector('.walk')).map(failure => {
  const walk = failure.querySelector('.walk');
  const now = () => Array.from(walk.querySelectorAll('.line.now .no')).map(n => Number(n.textContent));
  const marked = () => Array.from(walk.querySelectorAll('.line.now mark')).map(n => n.textContent).join(' ');
  const large = node => { const box = node.getBoundingClientRect(); return box.width > 3 && box.height > 3; };
  const nodes = failure.querySelectorAll('svg .object, svg .judgment, svg .thing, svg .set, svg .member, svg .misfit');
  const lines = [now()], marks = [marked()];
  const steps = walk.querySelectorAll('.step').length;
  for (let k = 1; k < steps; k++) {
    press(walk.querySelector('.step.now'), 'ArrowRight');
    lines.push(now());
    marks.push(marked());
  }
  const focus = document.activeElement === walk.querySelector('.step.now');
  walk.querySelector('[data-step=first]').click();
  const first = now();
  return {
    kind: failure.dataset.kind, lines, marks, focus, first, status: walk.querySelector('.at').textContent,
    drawings: failure.querySelectorAll('svg').length,
    nodes: nodes.length, visible: Array.from(nodes).filter(large).length,
  };
});
"#;

fn chromium() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    names.into_iter().find(|name| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success()))
}

/// `script` is the body of a function that returns what is to be seen. None if there is no browser, which CI does not accept.
pub fn see(page: &str, script: &str) -> Option<Value> {
    let Some(chromium) = chromium() else {
        assert!(
            std::env::var_os("CI").is_none(),
            "there is no Chromium to open the page in: ./scripts/test installs it"
        );
        eprintln!("skipped: there is no Chromium to open the page in; ./scripts/test installs it");
        return None;
    };
    // In the page's text, so that nothing of it is markup.
    let driver = format!(
        "<script>\nconst seen = (() => {{\ntry {{\n{script}\n}} catch (problem) {{ return {{ problem: String(problem) }}; }}\n}})();\n\
         const out = document.createElement('pre');\nout.id = 'seen';\n\
         out.textContent = JSON.stringify(seen).replace(/[<>&]/g, c => '\\\\u00' + c.charCodeAt(0).toString(16));\n\
         document.body.append(out);\n</script>\n</body>"
    );
    let at = page.rfind("</body>").expect("a body");
    let page = format!("{}{driver}{}", &page[..at], &page[at + "</body>".len()..]);
    let dom = dump(chromium, &page);
    let start = dom.find("<pre id=\"seen\">").unwrap_or_else(|| panic!("the script did not run:\n{dom}"));
    let seen = &dom[start + "<pre id=\"seen\">".len()..];
    let seen = &seen[..seen.find("</pre>").expect("an end")];
    let seen: Value = serde_json::from_str(seen).expect("JSON");
    assert_eq!(seen.get("problem"), None, "the script failed");
    Some(seen)
}

/// What became of a page.
fn dump(chromium: &str, page: &str) -> String {
    static PAGES: AtomicU32 = AtomicU32::new(0);
    let name = format!("glassbox-page-{}-{}", std::process::id(), PAGES.fetch_add(1, Ordering::Relaxed));
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("page.html");
    std::fs::write(&file, page).expect("a page");
    let dom = folder.join("dom.html");
    let mut child = start(chromium, &folder, &file, &dom);
    let started = Instant::now();
    let is_done = loop {
        if child.try_wait().expect("a process").is_some() {
            break true;
        }
        if started.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            break false;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let text = std::fs::read_to_string(&dom).unwrap_or_default();
    let _ = std::fs::remove_dir_all(&folder);
    assert!(is_done, "the browser did not end");
    text
}

fn start(chromium: &str, folder: &Path, file: &Path, dom: &Path) -> Child {
    let out = std::fs::File::create(dom).expect("a file");
    // Without a sandbox, since tests may run as root in a container.
    Command::new(chromium)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"])
        .args(["--disable-extensions", "--disable-background-networking", "--window-size=1280,1000"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .args(["--virtual-time-budget=3000", "--dump-dom"])
        .arg(format!("file://{}", file.display()))
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(Stdio::null())
        .spawn()
        .expect("a browser")
}
