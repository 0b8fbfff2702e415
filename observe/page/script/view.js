'use strict';
// What is shown: the time and the lanes in view, what is selected, marked or sought. All that changes by the user's
// hands is in `view`; whoever changes it calls `schedule`.

const { OWN, POOL, RING, lanes } = require('./lanes.js');
const { duration, endOf, first, header, last, start, trackName } = require('./trace.js');

const TOP = 36; // of the ruler
const GAP = 4; // between lanes
const GROUP = 24; // of the heading of a group of lanes
const SLIM = 18; // of a row of a stack

const view = {
  from: first,
  to: last,
  top: 0, // how far the lanes are scrolled
  width: 0, // of the chart; see resize
  height: 0,
  left: 130, // the width of the labels
  tall: 28, // of a lane
  colors: {},
  selected: -1,
  range: null, // { from, to }: marked
  mouse: null, // { x, y }: over the chart
  isDragged: false,
  matches: null, // whether an event matches the query
  onlyFound: false,
  warnNs: 50e6, // from how long on something is a warning; see chooseThreshold
  warnings: [],
};

// main.js puts in who listens.
const listeners = { draw: () => {}, choose: [] };
let isScheduled = false;

function schedule() {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    isScheduled = false;
    listeners.draw();
  });
}

// ---- time ----

const xOf = (t) => view.left + ((t - view.from) / (view.to - view.from)) * (view.width - view.left);
const tOf = (x) => view.from + ((x - view.left) / (view.width - view.left)) * (view.to - view.from);

function setView(from, to) {
  const whole = last - first;
  const span = Math.min(Math.max(to - from, 200), whole * 1.1);
  const middle = (from + to) / 2;
  const least = first - span * 0.05;
  view.from = Math.min(Math.max(middle - span / 2, least), Math.max(least, last + span * 0.05 - span));
  view.to = view.from + span;
  schedule();
}

function zoom(factor, at = (view.from + view.to) / 2) {
  setView(at - (at - view.from) * factor, at + (view.to - at) * factor);
}

function move(part) {
  const by = (view.to - view.from) * part;
  setView(view.from + by, view.to + by);
}

// ---- lanes ----

const heightOf = (l) => (l.slim ? SLIM : view.tall);
const gapOf = (l) => (l.slim ? 1 : GAP);

function groupName(l) {
  if (l.group === POOL) {
    const count = lanes.filter((o) => o.group === POOL).length;
    return `thread pool, ${count} ${count === 1 ? 'thread' : 'threads'}`;
  }
  if (l.group === RING) return 'ring: file operations without a thread';
  return l.group >= OWN ? '' : `loop on thread ${header.tracks[l.group]} (${trackName(l.group)})`;
}

const groups = new Set(lanes.map((l) => l.group)).size;

function scroll(by) {
  const all = lanes.reduce((sum, l) => sum + heightOf(l) + gapOf(l), 0) + groups * GROUP + 40;
  view.top = Math.min(Math.max(0, view.top + by), Math.max(0, all - (view.height - TOP)));
  schedule();
}

// Few lanes take the room that there is.
function setSize(width, height, isNarrow) {
  view.width = width;
  view.height = height;
  view.left = isNarrow ? 84 : 130;
  const slim = lanes.filter((l) => l.slim).length;
  const room = height - TOP - groups * GROUP - slim * (SLIM + 1) - 8;
  view.tall = Math.min(64, Math.max(26, Math.floor(room / Math.max(1, lanes.length - slim)) - GAP));
  scroll(0);
}

// Of a lane, from the first one's top.
function offsetOf(lane) {
  let y = 0;
  let group;
  for (const l of lanes) {
    if (group !== l.group) y += groupName(l) === '' ? GAP : GROUP;
    group = l.group;
    if (l === lane) return y;
    y += heightOf(l) + gapOf(l);
  }
  return y;
}

function scrollTo(lane) {
  const y = offsetOf(lane);
  if (y < view.top) view.top = y;
  else if (y + heightOf(lane) + TOP > view.top + view.height) view.top = y + heightOf(lane) + TOP - view.height;
}

// ---- events ----

function choose(event) {
  view.selected = event;
  for (const listen of listeners.choose) listen(event);
  schedule();
}

// Selects an event, and moves it into view.
function show(event) {
  const around = Math.max(duration[event] * 2, 2e4);
  setView(start[event] - around, endOf(event) + around);
  choose(event);
  document.getElementById('chart').focus({ preventScroll: true });
}

module.exports = {
  GAP,
  GROUP,
  TOP,
  choose,
  gapOf,
  groupName,
  heightOf,
  listeners,
  move,
  schedule,
  scroll,
  scrollTo,
  setSize,
  setView,
  show,
  tOf,
  view,
  xOf,
  zoom,
};
