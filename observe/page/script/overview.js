'use strict';
// The whole trace as a strip above the chart: how busy each phase was, one above the other. Dragging on it chooses what
// the chart shows.

const { endOf, first, last } = require('./trace.js');
const { OWN, lanes } = require('./lanes.js');
const { setView, view } = require('./view.js');

const strip = document.getElementById('overview');
const context = strip.getContext('2d');
let image = null; // what does not change with the view
let drag = null;

function forgetOverview() {
  image = null;
}

function resizeOverview() {
  strip.width = Math.round(strip.clientWidth * devicePixelRatio);
  strip.height = Math.round(strip.clientHeight * devicePixelRatio);
  forgetOverview();
}

// The time from `from` to `until` in which events of the series ran. Those before `i` began earlier; returns the first
// that begins later.
function busyIn(series, i, from, until) {
  const { items, sums } = series;
  const j = series.search(until, i);
  let busy = sums[j] - sums[i];
  // One that goes on into the next columns, and one that came from those before.
  if (j > i) busy -= Math.max(0, endOf(items[j - 1]) - until);
  if (i > 0) busy += Math.max(0, Math.min(endOf(items[i - 1]), until) - from);
  return { busy, next: j };
}

function paint() {
  const w = strip.clientWidth;
  const h = strip.clientHeight;
  const span = last - first;
  image = document.createElement('canvas');
  image.width = strip.width;
  image.height = strip.height;
  const to = image.getContext('2d');
  to.scale(devicePixelRatio, devicePixelRatio);
  to.fillStyle = view.colors['--lane'];
  to.fillRect(0, 0, w, h);
  const loops = lanes.filter((l) => l.group < OWN && l.events.items.length > 0);
  const at = loops.map(() => 0);
  for (let x = 0; x < w; x++) {
    const from = first + (x / w) * span;
    const until = first + ((x + 1) / w) * span;
    let y = h;
    loops.forEach((l, n) => {
      const { busy, next } = busyIn(l.events, at[n], from, until);
      at[n] = next;
      const part = Math.min(y, Math.max(busy > 0 ? 1 : 0, (busy / (until - from)) * h));
      if (part <= 0) return;
      y -= part;
      to.fillStyle = view.colors[l.color];
      to.fillRect(x, y, 1, part);
    });
  }
}

function drawOverview() {
  if (strip.clientWidth === 0) return;
  if (image === null) paint();
  const w = strip.clientWidth;
  const h = strip.clientHeight;
  const span = last - first;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.drawImage(image, 0, 0);
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  const from = Math.max(0, ((view.from - first) / span) * w);
  const to = Math.min(w, ((view.to - first) / span) * w);
  context.fillStyle = view.colors['--back'];
  context.globalAlpha = 0.7;
  context.fillRect(0, 0, from, h);
  context.fillRect(to, 0, w - to, h);
  context.globalAlpha = 1;
  context.strokeStyle = view.colors['--strong'];
  context.lineWidth = 1;
  context.strokeRect(from + 0.5, 0.5, Math.max(3, to - from - 1), h - 1);
}

// ---- dragging: what is in view moves; elsewhere, and if all is in view, a part is chosen ----

const timeAt = (event) =>
  first + ((event.clientX - strip.getBoundingClientRect().left) / strip.clientWidth) * (last - first);

function listenToOverview() {
  strip.addEventListener('pointerdown', (event) => {
    const t = timeAt(event);
    const isWhole = view.to - view.from > (last - first) * 0.98;
    drag = { from: t, moves: !isWhole && t >= view.from && t <= view.to, at: t - view.from };
    strip.setPointerCapture(event.pointerId);
  });
  strip.addEventListener('pointermove', (event) => {
    if (drag === null) return;
    const t = timeAt(event);
    const span = view.to - view.from;
    if (drag.moves) setView(t - drag.at, t - drag.at + span);
    else if (Math.abs(t - drag.from) > (last - first) / 500) setView(Math.min(t, drag.from), Math.max(t, drag.from));
  });
  strip.addEventListener('pointerup', () => {
    drag = null;
  });
}

module.exports = { drawOverview, forgetOverview, listenToOverview, resizeOverview };
