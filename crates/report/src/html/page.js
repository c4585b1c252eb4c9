// What the page does beyond being read: filters, stepping through paths, copying. It changes classes and text, never markup.
'use strict';
(() => {
  const all = (selector, root) => Array.from((root || document).querySelectorAll(selector));

  // Filters: by verdict and by name.
  const search = document.getElementById('search');
  let shown = '';
  const filter = () => {
    const name = search.value.trim().toLowerCase();
    let left = 0;
    for (const item of all('.item')) {
      const fits = (!shown || item.dataset.verdict === shown) && item.dataset.name.toLowerCase().includes(name);
      item.hidden = !fits;
      left += fits ? 1 : 0;
    }
    for (const subject of all('.subject')) {
      const items = all('.item', subject);
      subject.hidden = items.length > 0 && items.every(item => item.hidden);
    }
    document.getElementById('none-left').hidden = left > 0 || all('.item').length === 0;
  };
  for (const button of all('[data-show]')) {
    button.addEventListener('click', () => {
      shown = button.dataset.show;
      all('[data-show]').forEach(other => other.setAttribute('aria-pressed', String(other === button)));
      filter();
    });
  }
  search.addEventListener('input', filter);
  for (const button of all('[data-fold]')) {
    button.addEventListener('click', () => {
      all('.item:not([hidden])').forEach(item => { item.open = button.dataset.fold === 'open'; });
    });
  }

  // Paths: one step is current; its place is marked in the listing.
  const unmark = walk => {
    for (const line of all('.line.now', walk)) {
      const code = line.querySelector('code');
      code.textContent = code.textContent;
      line.classList.remove('now');
      line.removeAttribute('aria-current');
    }
  };
  const mark = (walk, place, isProblem) => {
    const [line, start, end] = place.split(':');
    const row = document.getElementById(walk.id.replace(/-walk$/, '-') + line);
    if (!row) return null;
    const code = row.querySelector('code');
    const text = code.textContent;
    const inside = document.createElement('mark');
    inside.textContent = text.slice(Number(start), Number(end));
    if (isProblem) inside.className = 'wrong';
    code.replaceChildren(text.slice(0, Number(start)), inside, text.slice(Number(end)));
    row.classList.add('now');
    return row;
  };
  // The page itself must not move while stepping.
  const reveal = (box, inner) => {
    const outer = box.getBoundingClientRect();
    const wanted = inner.getBoundingClientRect();
    if (wanted.top < outer.top + 30 || wanted.bottom > outer.bottom - 30) {
      box.scrollTop += wanted.top - outer.top - outer.height / 2 + wanted.height / 2;
    }
    // Long lines go on to the right.
    if (wanted.left < outer.left || wanted.right > outer.right) {
      box.scrollLeft += Math.min(wanted.left - outer.left - 60, wanted.right - outer.right + 60);
    }
  };
  const go = (walk, index) => {
    const steps = all('.step', walk);
    const at = Math.max(0, Math.min(steps.length - 1, index));
    const step = steps[at];
    unmark(walk);
    steps.forEach((other, i) => {
      other.classList.toggle('now', i === at);
      other.tabIndex = i === at ? 0 : -1;
      if (i === at) other.setAttribute('aria-current', 'step'); else other.removeAttribute('aria-current');
    });
    walk.dataset.at = String(at + 1);
    const rows = step.dataset.marks.split(' ').filter(Boolean)
      .map(place => mark(walk, place, step.classList.contains('problem'))).filter(Boolean);
    if (rows.length > 0) {
      rows[0].setAttribute('aria-current', 'true');
      reveal(walk.querySelector('.listing'), rows[0].querySelector('mark'));
    }
    reveal(walk.querySelector('.steps'), step);
    walk.querySelector('.at').textContent = 'Step ' + (at + 1) + ' of ' + steps.length + ', line ' + step.dataset.line;
    for (const button of all('[data-step]', walk)) {
      const isBack = button.dataset.step === 'first' || button.dataset.step === 'back';
      button.setAttribute('aria-disabled', String(isBack ? at === 0 : at === steps.length - 1));
    }
    return step;
  };
  const moves = {
    ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity,
    next: 1, back: -1, first: -Infinity, last: Infinity,
  };
  for (const walk of all('.walk')) {
    const at = () => Number(walk.dataset.at || 1) - 1;
    const steps = all('.step', walk);
    steps.forEach((step, i) => step.addEventListener('click', () => go(walk, i)));
    for (const button of all('[data-step]', walk)) {
      button.addEventListener('click', () => go(walk, at() + moves[button.dataset.step]));
    }
    walk.addEventListener('keydown', event => {
      const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
      const isInSource = event.target.classList.contains('listing');
      // The listing scrolls by itself with up and down.
      if (!isPlain || !(event.key in moves) || (isInSource && !event.key.startsWith('ArrowL') && !event.key.startsWith('ArrowR'))) return;
      event.preventDefault();
      const step = go(walk, at() + moves[event.key]);
      if (event.target.classList.contains('step')) step.focus({ preventScroll: true });
    });
    go(walk, 0);
    // What is closed has no size: the current step comes into view when it opens.
    const item = walk.closest('details');
    if (item) item.addEventListener('toggle', () => { if (item.open) go(walk, at()); });
  }

  // Copying; without a clipboard the text is selected, ready for the usual key.
  for (const button of all('[data-copy]')) {
    const label = button.textContent;
    const say = text => {
      button.textContent = text;
      setTimeout(() => { button.textContent = label; }, 2000);
    };
    button.addEventListener('click', async () => {
      const source = document.getElementById(button.dataset.copy);
      try {
        await navigator.clipboard.writeText(source.textContent);
        say('Copied');
      } catch (refused) {
        getSelection().selectAllChildren(source);
        let isCopied = false;
        try { isCopied = document.execCommand('copy'); } catch (unsupported) { isCopied = false; }
        say(isCopied ? 'Copied' : 'Selected: press Ctrl+C');
      }
    });
  }

  // `#f2-1` opens a failure, `#f2-1.3` its third step.
  const follow = () => {
    const [id, step] = location.hash.slice(1).split('.');
    const aim = id && document.getElementById(id);
    if (!aim) return;
    for (let around = aim; around; around = around.parentElement) {
      if (around.tagName === 'DETAILS') around.open = true;
    }
    const walk = document.getElementById(id + '-walk');
    if (walk && step) go(walk, Number(step) - 1);
    aim.scrollIntoView();
  };
  addEventListener('hashchange', follow);
  follow();

  // On paper everything is open.
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = all('details:not([open])').filter(one => !one.closest('[hidden]') && one.dataset.verdict !== 'verified');
    closed.forEach(one => { one.open = true; });
  });
  addEventListener('afterprint', () => closed.forEach(one => { one.open = false; }));
  document.documentElement.classList.add('scripted');
})();
