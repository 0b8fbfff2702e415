'use strict';
// Buttons, keys, and finding.

const { CAT, category, count, detail, first, header, last, name } = require('./trace.js');
const { causes } = require('./causes.js');
const { choose, move, schedule, scroll, setView, show, view, zoom } = require('./view.js');
const { byId } = require('./dom.js');
const { readColors } = require('./chart.js');
const { forgetOverview } = require('./overview.js');
const { summarize } = require('./summary.js');
const { showTab } = require('./panel.js');
const { isStepping, step, stepMode } = require('./step.js');
const { hideCard } = require('./mouse.js');

// ---- finding ----

// Finding events by a text in their name, file or kind.
let found = [];
let at = -1;

const isSought = (i) =>
  category[i] !== CAT.iteration && category[i] !== CAT.phase && category[i] !== CAT.wait && category[i] !== CAT.rota;

function search(text) {
  const query = text.trim().toLowerCase();
  const isIn = (s) => s.toLowerCase().includes(query);
  found = [];
  at = -1;
  view.matches = null;
  if (query !== '') {
    const names = header.strings.map(isIn);
    const others = header.details.map(isIn);
    view.matches = (i) => names[name[i]] || others[detail[i]];
    for (let i = 0; i < count; i++) if (isSought(i) && view.matches(i)) found.push(i);
  }
  byId('found').textContent = query === '' ? '' : `${found.length.toLocaleString('en')} found`;
  schedule();
}

function nextFound(by) {
  if (found.length === 0) return;
  at = (at + by + found.length) % found.length;
  show(found[at]);
  byId('found').textContent = `${at + 1} of ${found.length.toLocaleString('en')}`;
}

// ---- buttons and keys ----

let warningAt = -1;

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  readColors();
  forgetOverview();
  schedule();
}

function nextWarning() {
  const { warnings } = view;
  if (warnings.length === 0) return;
  warningAt = (warningAt + 1) % warnings.length;
  show(warnings[warningAt]);
}

function toggleFilter() {
  view.onlyFound = !view.onlyFound;
  document.querySelector('[data-do="filter"]').setAttribute('aria-pressed', String(view.onlyFound));
  schedule();
}

function follow(event) {
  if (view.selected >= 0 && event !== undefined) show(event);
}

function escape() {
  view.range = null;
  view.mouse = null;
  choose(-1);
  hideCard();
}

function stepFromKey(by) {
  if (isStepping()) step(by);
  else stepMode(true);
}

// By data-do of the buttons.
const actions = {
  in: () => zoom(0.5),
  out: () => zoom(2),
  fit: () => setView(first, last),
  step: () => stepMode(!isStepping()),
  next: () => step(1),
  back: () => step(-1),
  help: () => byId('help').showModal(),
  filter: toggleFilter,
  theme: () => setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'),
};

const keys = {
  'ArrowLeft': () => (isStepping() ? step(-1) : move(-0.2)),
  'ArrowRight': () => (isStepping() ? step(1) : move(0.2)),
  'ArrowUp': () => scroll(-40),
  'ArrowDown': () => scroll(40),
  '+': actions.in,
  '=': actions.in,
  '-': actions.out,
  '0': actions.fit,
  'Home': actions.fit,
  '.': () => stepFromKey(1),
  ',': () => stepFromKey(-1),
  'n': () => nextFound(1),
  'N': () => nextFound(-1),
  't': actions.theme,
  '?': actions.help,
  '/': () => byId('query').focus(),
  'Escape': escape,
  '[': () => follow(causes.chain(view.selected)[1]),
  ']': () => follow(causes.effects(view.selected, 1)[0]),
  '!': nextWarning,
  'f': actions.filter,
  'e': actions.step,
  'g': () => showTab('flame'),
  'a': () => move(-0.2),
  'd': () => move(0.2),
  'w': () => zoom(0.7),
  's': () => zoom(1 / 0.7),
};

function onKey(event) {
  if (event.target.matches('input') || event.ctrlKey || event.metaKey || event.altKey || byId('help').open) return;
  const act = keys[event.key];
  if (act === undefined) return;
  event.preventDefault();
  act();
}

function listenToKeys() {
  document.addEventListener('click', (event) => {
    const button = event.target.closest('[data-do]');
    if (button !== null) actions[button.dataset.do]();
  });
  document.addEventListener('keydown', onKey);
  byId('tabs').addEventListener(
    'click',
    ({ target }) => target.dataset.tab !== undefined && showTab(target.dataset.tab),
  );
  byId('threshold').addEventListener('change', () => {
    view.warnNs = byId('threshold').value * 1e6;
    summarize();
  });
  byId('query').addEventListener('input', () => search(byId('query').value));
  byId('search').addEventListener('submit', (event) => {
    event.preventDefault();
    nextFound(1);
  });
}

module.exports = { listenToKeys, search, setTheme };
