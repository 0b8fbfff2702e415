'use strict';
// Step by step: one callback after the other, with what stood in the queues when it began.

const {
  ABOUT,
  CAT,
  a,
  category,
  count,
  detail,
  details,
  endOf,
  isNode,
  nameOf,
  start,
  track,
  waitedOf,
} = require('./trace.js');
const { calls, iterations, jobs, operations } = require('./lanes.js');
const { causes } = require('./causes.js');
const { lines, many } = require('./words.js');
const { byId, element } = require('./dom.js');
const { show, view } = require('./view.js');

let stepAt = -1;

// What the pool was doing at a moment.
function poolAt(t) {
  const begun = causes.firstFrom(jobs, t + 1);
  const running = [];
  const waiting = [];
  for (let k = begun - 1; k >= 0 && k > begun - 2000; k--) if (endOf(jobs[k]) > t) running.push(nameOf(jobs[k]));
  for (let k = begun; k < jobs.length && k < begun + 5000; k++) {
    if (start[jobs[k]] - waitedOf(jobs[k]) <= t) waiting.push(nameOf(jobs[k]));
  }
  return { running, waiting };
}

function step(by) {
  if (calls.length === 0) return;
  stepAt = Math.min(calls.length - 1, Math.max(0, stepAt + by));
  const event = calls[stepAt];
  const { phase } = details[detail[event]];
  show(event);
  byId('position').textContent = `callback ${stepAt + 1} of ${many(calls.length)}`;
  const k = iterations.search(start[event] + 1) - 1;
  const isInside = k >= 0 && endOf(iterations.items[k]) >= start[event];
  const iteration = isInside ? `Iteration ${a[iterations.items[k]] - 1}, ` : '';
  const what = isNode ? 'phase' : 'task source';
  const where = isInside ? what : `${what[0].toUpperCase()}${what.slice(1)}`;
  byId('story').replaceChildren(
    element('p', `${iteration}${where} ${phase}. ${ABOUT[phase] || ''}`),
    element('p', `${nameOf(event)}: ${lines(event).join('; ')}`),
  );
  showQueues(event);
}

// ---- the queues, as far as something was seen to be taken from them ----

// Callbacks of the same phase that are still to come.
function nextOf(event) {
  const { phase } = details[detail[event]];
  const next = [];
  for (let k = stepAt + 1; k < calls.length && next.length < 50; k++) {
    const call = calls[k];
    if (track[call] !== track[event]) continue;
    if (details[detail[call]].phase !== phase || start[call] - endOf(event) > 1e9) break;
    next.push(nameOf(call));
  }
  return next;
}

function drainedAfter(event) {
  const drained = { ticks: [], microtasks: [] };
  for (let i = event + 1; i < count && start[i] <= endOf(event); i++) {
    if (category[i] !== CAT.drain || track[i] !== track[event]) continue;
    const { first } = details[detail[i]];
    drained[nameOf(i)].push(`${a[i] > 0 ? a[i] - 1 : '?'}${first ? `, the first: ${first}` : ''}`);
  }
  return drained;
}

function box(title, list, kind) {
  const div = element('div', undefined, `queue ${kind}`);
  div.append(element('h3', `${title} (${list.length})`));
  const ul = element('ol');
  for (const text of list.slice(0, 6)) ul.append(element('li', text));
  if (list.length > 6) ul.append(element('li', `and ${list.length - 6} more`, 'quiet'));
  if (list.length === 0) ul.append(element('li', 'empty', 'quiet'));
  div.append(ul);
  return div;
}

function showQueues(event) {
  const t = start[event];
  const { phase } = details[detail[event]];
  const pool = poolAt(t);
  const drained = drainedAfter(event);
  const flying = operations.filter((i) => start[i] <= t && endOf(i) > t).map(nameOf);
  byId('queues').replaceChildren(
    box(`still to come in ${phase}`, nextOf(event), phase),
    ...(isNode ? [box('ticks, drained after it', drained.ticks, 'drain')] : []),
    box('microtasks, drained after it', drained.microtasks, 'drain'),
    box('pool: running', pool.running, 'job'),
    box('pool: in the queue', pool.waiting, 'job'),
    box('ring: in flight', flying, 'ring'),
  );
}

// ---- the mode ----

const isStepping = () => !byId('step').hidden;

function stepMode(on) {
  byId('step').hidden = !on;
  document.querySelector('[data-do="step"]').setAttribute('aria-pressed', String(on));
  if (!on) return;
  // From what is seen.
  stepAt = Math.max(
    0,
    calls.findIndex((i) => start[i] >= view.from),
  );
  step(0);
}

module.exports = { isStepping, step, stepMode };
