'use strict';
// The panel beside the chart: the selected callback, statistics of what is in view or marked, and delays.

const {
  CAT,
  b,
  category,
  cause,
  detail,
  details,
  duration,
  endOf,
  isNode,
  nameOf,
  number,
  start,
} = require('./trace.js');
const { jobs } = require('./lanes.js');
const { causes } = require('./causes.js');
const { keyOf, lines, many, place, time } = require('./words.js');
const { byId, chainList, delayTable, element, facts, link, tableOf } = require('./dom.js');
const { view } = require('./view.js');
const { showFlame } = require('./flame.js');

let tab = 'range';
let timer = 0;
let shown; // what the tab shows is of this part of the time

const TABS = { selected: showCallback, range: showStatistics, delays: showDelays, flame: showFlames };

function markTab() {
  for (const button of document.querySelectorAll('[data-tab]')) {
    button.setAttribute('aria-selected', String(button.dataset.tab === tab));
  }
}

function showTab(wanted) {
  tab = wanted;
  markTab();
  const content = byId('content');
  content.replaceChildren();
  TABS[tab](content);
}

const isShown = (wanted) => tab === wanted;

// Bars keep the focus while nothing but the mouse moves.
function updateShown(from, to) {
  const key = [from, to, view.range?.from, view.range?.to].join(' ');
  if (isShown('range') || (isShown('flame') && key !== shown)) showTab(tab);
}

// The view has changed: statistics follow when it rests.
function updateStatistics() {
  if (!isShown('range') && !isShown('flame')) return;
  clearTimeout(timer);
  timer = setTimeout(() => updateShown(view.from, view.to), 120);
}

// ---- the selected callback ----

const POOL_KINDS = /^(fs|work|random|getaddrinfo|getnameinfo)$/;

// The pool's job behind a callback: it ended when the callback became ready.
function jobOf(call) {
  if (b[call] === 0 || !POOL_KINDS.test(details[detail[call]].on)) return undefined;
  const done = start[call] - (b[call] - 1);
  let best;
  for (let k = causes.firstFrom(jobs, start[call]) - 1, n = 0; k >= 0 && n < 2000; k--, n++) {
    if (cause[jobs[k]] === cause[call] && Math.abs(endOf(jobs[k]) - done) < 2000) best = jobs[k];
  }
  return best;
}

// Who asked for what is no callback.
function showAsker(content, event) {
  const isDrain = category[event] === CAT.drain;
  if (!isDrain && category[event] !== CAT.job && category[event] !== CAT.operation) return;
  const call = causes.eventOf(isDrain ? number[event] : cause[event]);
  if (call !== undefined) facts(content, [[isDrain ? 'after' : 'asked for by', link(nameOf(call), call)]]);
}

function showReasons(content, call) {
  const { delay, event } = causes.blame(call);
  if (event !== undefined) {
    const took = ` ${place(event)}, which took ${time(duration[event])}`;
    facts(content, [[`${time(delay)} late because of`, link(nameOf(event), event), took]]);
  }
  const job = jobOf(call);
  if (job !== undefined) {
    const stood = time(Math.max(0, b[job] - 1));
    const about = `, a job that stood ${stood} in the queue and ran for ${time(duration[job])}`;
    facts(content, [['waited for', link(nameOf(job), job), about]]);
  }
}

function showCallback(content) {
  const { selected } = view;
  if (selected < 0) {
    const hint = 'Click a callback: who has scheduled it, what it waited for, what made it late.';
    content.append(element('p', hint, 'quiet'));
    return;
  }
  content.append(element('h3', nameOf(selected)));
  for (const line of lines(selected)) {
    if (!/because of |^scheduled by /.test(line)) content.append(element('div', line, 'quiet'));
  }
  showAsker(content, selected);
  if (category[selected] !== CAT.call) return;
  showReasons(content, selected);
  const chain = causes.chain(selected);
  content.append(element('h4', chain.length > 1 ? 'Scheduled by' : 'Nobody is known to have scheduled it'));
  if (chain.length > 1) content.append(chainList(chain.slice(1)));
  const effects = causes.effects(selected, 20);
  if (effects.length === 0) return;
  content.append(element('h4', `Has scheduled${effects.length === 20 ? ', the first 20' : ''}`), chainList(effects));
}

// ---- statistics, and delays ----

function rangeInView() {
  const { range } = view;
  return range === null ? [view.from, view.to] : [range.from, range.to].sort((x, y) => x - y);
}

function showFlames(content) {
  shown = [view.from, view.to, view.range?.from, view.range?.to].join(' ');
  showFlame(content, ...rangeInView());
}

function showStatistics(content) {
  const { range } = view;
  const [from, to] = rangeInView();
  const phases = causes.byPhase(from, to);
  const callbacks = causes.byCallback(from, to, keyOf);
  const title = range === null ? 'What is in view' : 'The marked range';
  const hint = range === null ? 'shift and drag to mark a part' : 'Escape takes it back';
  content.append(element('p', `${title}: ${time(to - from)} (${hint})`, 'quiet'));
  if (callbacks.length === 0) return void content.append(element('p', 'No callback begins here.'));
  const all = phases.reduce((sum, p) => sum + p.total, 0);
  const phaseRows = phases.map((p) => ({
    cells: [p.key, many(p.count), time(p.total), time(p.p50), time(p.p90), time(p.p99)],
    share: p.total / all,
  }));
  const callbackRows = callbacks.slice(0, 60).map(({ worst, count, total, waited }) => ({
    cells: [nameOf(worst), many(count), time(total), time(duration[worst]), waited > 0 ? time(waited) : ''],
    event: worst,
    where: place(worst),
    share: total / all,
  }));
  content.append(
    element('h4', isNode ? 'By phase' : 'By task source'),
    tableOf(['', 'calls', 'total', 'p50', 'p90', 'p99'], phaseRows),
    element('h4', 'By callback'),
    tableOf(['', 'calls', 'total', 'longest', 'waited'], callbackRows),
  );
}

function showDelays(content) {
  const delays = causes.worstDelays(1e5, 40);
  content.append(element('p', 'Callbacks that were ready and could not run, by what ran in their place.', 'quiet'));
  content.append(delays.length > 0 ? delayTable(delays) : element('p', 'none'));
}

module.exports = { isShown, markTab, showTab, updateStatistics };
