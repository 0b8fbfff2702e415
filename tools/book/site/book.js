'use strict';
// The pages of the book: steps through recorded programs, an editor for their texts, light and dark. Everything is in the page already; without this
// script it can be read, too.

(() => {
  // ---- steps ----

  function show(figure, data, step) {
    const whole = step >= data.steps.length, now = whole ? undefined : data.steps[step];
    for (const line of figure.querySelectorAll('.code li')) {
      const is = now !== undefined && Number(line.dataset.line) === now.line;
      line.classList.toggle('now', is);
      if (is) {
        line.setAttribute('aria-current', 'step');
        line.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      }
      if (!is) line.removeAttribute('aria-current');
    }
    figure.querySelector('.output').textContent = whole ? data.output : data.output.slice(0, now.out);
    for (const row of figure.querySelectorAll('.queues tr')) {
      const items = now?.queues[row.dataset.queue] ?? [];
      row.lastElementChild.replaceChildren(...items.map((item) => Object.assign(document.createElement('span'), { textContent: item })));
    }
    figure.classList.toggle('stepping', !whole);
    figure.querySelector('.position').textContent = whole ? `${data.steps.length} steps` : `${step + 1} of ${data.steps.length}`;
    figure.querySelector('.say').textContent = whole ? 'The whole run. Next goes through it step by step.' : `${now.text}.`;
    figure.querySelector('input[type=range]').value = step;
    mark(figure, now, step);
  }

  function mark(figure, now, step) {
    let at;
    for (const box of figure.querySelectorAll('.timeline [data-step]')) {
      const is = now !== undefined && (box.dataset.run === undefined ? Number(box.dataset.step) === step : Number(box.dataset.run) === now.run);
      box.classList.toggle('now', is);
      if (is) at = box;
    }
    for (const arrow of figure.querySelectorAll('.cause')) arrow.classList.toggle('now', now !== undefined && (Number(arrow.dataset.to) === now.run || Number(arrow.dataset.from) === now.run));
    if (at === undefined) return;
    const strip = figure.querySelector('.strip'), box = at.getBoundingClientRect(), frame = strip.getBoundingClientRect();
    if (box.left < frame.left + 100 || box.right > frame.right - 20) strip.scrollLeft += box.left - frame.left - frame.width / 2;
  }

  function stepper(figure, data) {
    const { length } = data.steps;
    let step = length;
    const go = (to) => show(figure, data, (step = Math.min(length, Math.max(0, to))));
    const next = () => go(step === length ? 0 : step + 1);
    const back = () => go(step === 0 ? 0 : step - 1);
    const actions = { first: () => go(0), back, next, last: () => go(length) };
    for (const [name, action] of Object.entries(actions)) figure.querySelector(`.controls [data-do=${name}]`).addEventListener('click', action);
    figure.querySelector('input[type=range]').addEventListener('input', (event) => go(Number(event.target.value)));
    figure.addEventListener('keydown', (event) => {
      if (event.target.matches('input, textarea, .strip') || event.altKey || event.ctrlKey || event.metaKey) return;
      const key = { ArrowRight: next, ArrowLeft: back, Home: actions.first, End: actions.last }[event.key];
      if (key === undefined) return;
      event.preventDefault();
      key();
    });
    figure.querySelector('.timeline').addEventListener('click', (event) => {
      const box = event.target.closest('[data-step]');
      if (box !== null) go(Number(box.dataset.step));
    });
    go(length);
  }

  // ---- the editor ----

  // The frame has an origin of its own and nothing of the page; it tells what console.log printed.
  function runHere(text, result) {
    result.textContent = '';
    const frame = document.createElement('iframe');
    frame.sandbox = 'allow-scripts';
    frame.hidden = true;
    const program = `console.log = (...words) => parent.postMessage(words.map(String).join(' '), '*');
onerror = (message) => parent.postMessage(String(message), '*');
onunhandledrejection = (event) => parent.postMessage('unhandled: ' + event.reason, '*');
const run = document.createElement('script');
run.textContent = ${JSON.stringify(text).replaceAll('<', '\\u003c')};
document.body.append(run);`;
    frame.srcdoc = `<!DOCTYPE html><body><script>${program}<\/script>`;
    const listen = (event) => {
      if (event.source === frame.contentWindow) result.textContent += `${event.data}\n`;
    };
    addEventListener('message', listen);
    document.body.append(frame);
    setTimeout(() => {
      removeEventListener('message', listen);
      frame.remove();
      if (result.textContent === '') result.textContent = '(it printed nothing)\n';
    }, 3000);
  }

  async function copy(text, area) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      area.select();
      document.execCommand('copy');
    }
  }

  function save(name, text) {
    const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(new Blob([text], { type: 'text/plain' })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  function editing(figure, data) {
    const editor = figure.querySelector('.editor'), area = editor.querySelector('textarea'), code = figure.querySelector('.code');
    const original = Array.from(code.children, (line) => (line.textContent === ' ' ? '' : line.textContent)).join('\n') + '\n';
    const open = (is) => {
      editor.hidden = !is;
      code.hidden = is;
      figure.classList.toggle('editing', is);
      figure.querySelector('[data-do=edit]').hidden = is;
    };
    const done = (text) => (editor.querySelector('.done').textContent = text);
    const changed = () => figure.classList.toggle('changed', area.value !== original);
    area.value = original;
    area.rows = Math.min(30, original.split('\n').length + 1);
    area.addEventListener('input', changed);
    figure.querySelector('[data-do=edit]').addEventListener('click', () => {
      open(true);
      area.focus();
    });
    const actions = {
      copy: async () => {
        await copy(area.value, area);
        done('Copied.');
      },
      save: () => save(data.name, area.value),
      run: () => runHere(area.value, editor.querySelector('.result')),
      restore: () => {
        area.value = original;
        changed();
        done('');
        open(false);
        figure.focus();
      },
    };
    for (const button of editor.querySelectorAll('button')) button.addEventListener('click', actions[button.dataset.do]);
  }

  for (const figure of document.querySelectorAll('figure.program')) {
    const data = JSON.parse(figure.querySelector('script[type="application/json"]').textContent);
    if (figure.querySelector('.controls') !== null) stepper(figure, data);
    editing(figure, data);
  }

  // ---- light and dark ----

  const remembered = () => {
    try {
      return localStorage.getItem('book-theme');
    } catch {
      return null;
    }
  };
  const wanted = remembered();
  if (wanted !== null) document.documentElement.dataset.theme = wanted;
  document.getElementById('theme').addEventListener('click', () => {
    const { dataset } = document.documentElement, dark = dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    dataset.theme = dark === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem('book-theme', dataset.theme);
    } catch {}
  });

  // Between chapters by keyboard: shift with an arrow.
  addEventListener('keydown', (event) => {
    if (!event.shiftKey || event.target.matches('input, textarea')) return;
    const rel = { ArrowRight: 'next', ArrowLeft: 'prev' }[event.key];
    if (rel !== undefined) document.querySelector(`a[rel=${rel}]`)?.click();
  });
})();
