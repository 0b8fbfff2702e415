'use strict';
// Times and iterations: the ruler above the lanes, the columns behind them.

const { a, endOf, first, start } = require('./trace.js');
const { iterations } = require('./lanes.js');
const { TOP, view, xOf } = require('./view.js');

// With as many digits as it takes to tell one from the next.
function mark(t, step) {
  const [unit, text] = step >= 1e8 ? [1e9, 's'] : step >= 1e2 ? [1e6, 'ms'] : [1e3, '\u00b5s'];
  return `${(t / unit).toFixed(Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-9)))} ${text}`;
}

// Iterations are shown only if there are few enough to tell them apart.
const areFew = () => iterations.search(view.to) - iterations.search(view.from) <= (view.width - view.left) / 10;

function* iterationsInView() {
  if (!areFew()) return;
  for (let k = Math.max(0, iterations.search(view.from) - 1); k < iterations.items.length; k++) {
    const event = iterations.items[k];
    const x = xOf(start[event]);
    if (Math.max(view.left, x) > view.width) return;
    yield { event, x };
  }
}

// Columns: every second one is tinted.
function drawBands(context) {
  context.fillStyle = view.colors['--band'];
  for (const { event, x } of iterationsInView()) {
    const from = Math.max(view.left, x);
    if (a[event] % 2 === 0) context.fillRect(from, TOP, Math.max(0, xOf(endOf(event)) - from), view.height);
  }
}

function drawIterations(context) {
  context.strokeStyle = view.colors['--line'];
  context.lineWidth = 1;
  for (const { x } of iterationsInView()) {
    if (x < view.left) continue;
    context.beginPath();
    context.moveTo(x, TOP);
    context.lineTo(x, view.height);
    context.stroke();
  }
}

function drawTimes(context) {
  const { width, left } = view;
  const span = view.to - view.from;
  let step = 10 ** Math.floor(Math.log10(span / 6));
  if (span / step > 14) step *= 5;
  else if (span / step > 8) step *= 2;
  let until = 0;
  for (let t = Math.ceil((view.from - first) / step) * step; t <= view.to - first; t += step) {
    const x = xOf(t + first);
    const text = mark(t, step);
    if (x < left || x < until) continue;
    until = x + context.measureText(text).width + 14;
    if (until - 10 > width) break;
    context.fillText(text, x + 4, 11);
    context.fillRect(x, 4, 1, 12);
  }
}

function drawRuler(context) {
  context.fillStyle = view.colors['--back'];
  context.fillRect(0, 0, view.width, TOP - 3);
  context.fillStyle = view.colors['--quiet'];
  context.font = '11px system-ui, sans-serif';
  drawTimes(context);
  if (areFew()) context.fillText('iteration', 8, TOP - 12);
  for (const { event, x } of iterationsInView()) {
    const from = Math.max(view.left, x);
    const text = `${a[event] - 1}`;
    if (xOf(endOf(event)) - from > context.measureText(text).width + 8) context.fillText(text, from + 4, TOP - 12);
  }
}

module.exports = { drawBands, drawIterations, drawRuler };
