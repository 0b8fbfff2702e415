'use strict';
// A flame graph of what is in view: callbacks by their time, and below each the functions in which it was, as far as
// samples tell. A bar is as wide as its share of the time; a click, or Enter, gives it the whole width.

const {
  CAT,
  a,
  category,
  colorOf,
  count,
  detail,
  details,

  endOf,
  nameOf,
  number,
  start,
} = require('./trace.js');
const { calls } = require('./lanes.js');
const { keyOf, many, place, time } = require('./words.js');
const { element, link } = require('./dom.js');

const LEAST = 0.004; // of the width: what is narrower is not drawn
const ROOT = 'all callbacks';

let zoomed = []; // the keys from the root to what has the whole width

// ---- the tree ----

const newNode = (key, text, event) => ({ key, text, event, total: 0, longest: 0, count: 0, below: new Map() });

function below(node, key, event) {
  let found = node.below.get(key);
  if (found === undefined) node.below.set(key, (found = newNode(key, nameOf(event), event)));
  return found;
}

function add(node, event, took) {
  node.total += took;
  node.count++;
  if (took <= node.longest) return;
  node.longest = took;
  node.event = event;
}

// Bars of stacks by the call in which they lie: the outer ones first.
let bars;
function barsOf(call) {
  if (bars === undefined) {
    bars = new Map();
    for (let i = 0; i < count; i++) {
      if (category[i] !== CAT.sample || number[i] === 0) continue;
      if (!bars.has(number[i])) bars.set(number[i], []);
      bars.get(number[i]).push(i);
    }
    for (const list of bars.values()) list.sort((x, y) => start[x] - start[y] || a[x] - a[y]);
  }
  return bars.get(number[call]) ?? [];
}

function addStacks(top, call, within) {
  const open = [top]; // by depth
  let isSame = false; // the outermost function is the callback itself
  for (const bar of barsOf(call)) {
    const depth = a[bar]; // 1: the outermost
    if (depth === 1) isSame = nameOf(bar) === nameOf(call);
    const parent = open[depth - 1];
    const took = within(bar);
    if (parent === undefined) continue;
    open.length = depth;
    if (depth === 1 && isSame) {
      open.push(top);
    } else {
      const node = below(parent, `${nameOf(bar)}\n${details[detail[bar]].file ?? ''}`, bar);
      if (took > 0) add(node, bar, took);
      open.push(node);
    }
  }
}

// A callback that runs in another one counts for that one.
function treeOf(from, to) {
  const root = newNode('', ROOT, undefined);
  const within = (i) => Math.min(endOf(i), to) - Math.max(start[i], from);
  for (const call of calls) {
    const took = within(call);
    if (took <= 0) continue;
    const node = below(root, keyOf(call), call);
    add(node, call, took);
    root.total += took;
    root.count++;
    addStacks(node, call, within);
  }
  return root;
}

// ---- the picture ----

function pathTo(root) {
  const path = [root];
  for (const key of zoomed) {
    const next = path.at(-1).below.get(key);
    if (next === undefined) break;
    path.push(next);
  }
  return path;
}

const percent = (share) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
const shareOf = (node, root) => `${time(node.total)}, ${percent(node.total / (root.total || 1))}`;
const wordsOf = (node, root) =>
  `${node.text}${node.event === undefined ? '' : ` ${place(node.event)}`}: ${shareOf(node, root)}`;

function barOf(node, root, path) {
  const button = element('button', node.text, 'flame');
  const phase = node.event === undefined ? '' : (details[detail[node.event]].phase ?? '');
  const isCall = path.length === 1 && node !== root;
  button.type = 'button';
  button.tabIndex = -1;
  button.title = wordsOf(node, root);
  button.setAttribute('aria-label', button.title);
  button.style.background = node === root ? 'var(--quiet)' : isCall ? `var(${colorOf(phase)})` : 'var(--sample)';
  Object.assign(button, { node, keys: path });
  return button;
}

// Rows of bars, each below the one that it is part of.
function draw(rows, root, path) {
  const lay = (node, keys, depth, left, width) => {
    if (width < LEAST) return;
    rows[depth] ??= element('div', undefined, 'flames');
    const bar = barOf(node, root, keys);
    bar.style.left = `${left * 100}%`;
    bar.style.width = `${width * 100}%`;
    if (width < 0.03) {
      bar.textContent = '';
      bar.style.padding = '0';
    }
    rows[depth].append(bar);
    let at = left;
    for (const each of [...node.below.values()].sort((x, y) => y.total - x.total)) {
      const share = (each.total / (node.total || 1)) * width;
      lay(each, [...keys, each.key], depth + 1, at, share);
      at += share;
    }
  };
  path.slice(0, -1).forEach((node, depth) => {
    rows[depth] = element('div', undefined, 'flames');
    const bar = barOf(node, root, zoomed.slice(0, depth));
    bar.style.left = '0';
    bar.style.width = '100%';
    rows[depth].append(bar);
  });
  lay(path.at(-1), zoomed.slice(0, path.length - 1), path.length - 1, 0, 1);
}

function tell(about, { node }, root) {
  about.replaceChildren();
  if (node.event === undefined) {
    about.append(wordsOf(node, root));
    return;
  }
  const counted = node.count === 1 ? '' : `, ${many(node.count)} times, longest ${time(node.longest)}`;
  about.append(link(node.text, node.event), ` ${place(node.event)}: ${shareOf(node, root)}${counted}`);
}

// ---- by keyboard ----

// The bar of the row above or below that lies under the middle of this one, or nearest to it.
function nearest(bar, row) {
  if (row === null) return undefined;
  const middle = (each) => parseFloat(each.style.left) + parseFloat(each.style.width) / 2;
  const distance = (each) => Math.abs(middle(each) - middle(bar));
  return [...row.children].sort((x, y) => distance(x) - distance(y))[0];
}

function neighbour(bar, key) {
  const row = bar.parentElement;
  if (key === 'ArrowLeft') return bar.previousElementSibling;
  if (key === 'ArrowRight') return bar.nextElementSibling;
  if (key === 'ArrowUp') return nearest(bar, row.previousElementSibling);
  return key === 'ArrowDown' ? nearest(bar, row.nextElementSibling) : undefined;
}

function onKey(event, zoom) {
  const bar = event.target.closest('.flame');
  if (bar === null || event.ctrlKey || event.metaKey || event.altKey) return;
  const isBack = event.key === 'Backspace' || (event.key === 'Escape' && zoomed.length > 0);
  if (isBack) zoom(zoomed.slice(0, -1));
  else if (event.key.startsWith('Arrow')) neighbour(bar, event.key)?.focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

// ---- the tab ----

function showFlame(content, from, to) {
  const root = treeOf(from, to);
  const hint = 'click or Enter: a bar at whole width; arrows: from bar to bar; Backspace: back';
  content.append(element('p', `${ROOT}: ${time(root.total)} of ${time(to - from)} in view (${hint})`, 'quiet'));
  if (root.count === 0) return;
  const graph = element('div', undefined, 'graph');
  const about = element('p', undefined, 'about');
  graph.setAttribute('role', 'group');
  graph.setAttribute('aria-label', 'Flame graph');
  about.setAttribute('aria-live', 'polite');
  const zoom = (keys) => {
    zoomed = keys;
    redraw();
    graph.querySelectorAll('.flame[tabindex="0"]')[0].focus();
  };
  const redraw = () => {
    const path = pathTo(root);
    const rows = [];
    zoomed = zoomed.slice(0, path.length - 1);
    draw(rows, root, path);
    graph.replaceChildren(...rows);
    const chosen = rows[path.length - 1].firstChild;
    chosen.tabIndex = 0;
    tell(about, chosen, root);
  };
  graph.addEventListener('click', ({ target }) => target.closest('.flame') && zoom(target.closest('.flame').keys));
  graph.addEventListener('keydown', (event) => onKey(event, zoom));
  const follow = ({ target }) => target.closest('.flame') && tell(about, target.closest('.flame'), root);
  graph.addEventListener('mouseover', follow);
  graph.addEventListener('focusin', follow);
  content.append(graph, about);
  redraw();
  if (!calls.some((call) => barsOf(call).length > 0)) {
    content.append(
      element('p', 'Without samples there are only callbacks: rota timeline --samples -- program', 'quiet'),
    );
  }
}

module.exports = { showFlame };
