'use strict';
// The chart: the lanes with what is visible of their events, on a canvas.

const { CAT, PHASES, category, endOf, nameOf, start, track } = require('./trace.js');
const { OWN, lanes } = require('./lanes.js');
const { causes } = require('./causes.js');
const { GAP, GROUP, TOP, gapOf, groupName, heightOf, tOf, view, xOf } = require('./view.js');
const { drawBands, drawIterations, drawRuler } = require('./ruler.js');

const canvas = document.getElementById('chart');
const context = canvas.getContext('2d');

const COLORS = 'back front quiet line lane strong wait drain found warn job ring sample span band arrow share';

function readColors() {
  const style = getComputedStyle(document.documentElement);
  for (const key of [...COLORS.split(' '), ...PHASES]) {
    view.colors[`--${key}`] = style.getPropertyValue(`--${key}`).trim();
  }
}

function resizeChart() {
  canvas.width = Math.round(canvas.clientWidth * devicePixelRatio);
  canvas.height = Math.round(canvas.clientHeight * devicePixelRatio);
}

// The text, or as much of it as there is room for.
function shortened(text, room) {
  if (context.measureText(text).width <= room) return text;
  let length = text.length - 1;
  while (length > 1 && context.measureText(`${text.slice(0, length)}\u2026`).width > room) length--;
  return `${text.slice(0, length)}\u2026`;
}

// A heading above the lanes that belong together. Returns its height.
function drawGroup(l, y) {
  const text = groupName(l);
  if (text === '') return GAP;
  if (y + GROUP > TOP && y < view.height) {
    context.fillStyle = view.colors['--front'];
    context.font = '600 11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    context.fillText(shortened(text, view.width - 16), 8, y + GROUP / 2 + 1);
  }
  return GROUP;
}

// ---- the events of a lane ----

const isFaint = (isMatch) => view.onlyFound && view.matches !== null && !isMatch;

function anyMatch(items, i, j) {
  for (let k = i; k < j && k < i + 200; k++) if (view.matches(items[k])) return true;
  return false;
}

function drawName(event, isMatch, from, to, y, h) {
  context.globalAlpha = 1;
  context.fillStyle = isMatch ? '#1f2328' : view.colors['--back'];
  context.save();
  context.beginPath();
  context.rect(from, y, to - from - 3, h);
  context.clip();
  context.fillText(shortened(nameOf(event), to - from - 8), from + 4, y + h / 2);
  context.restore();
}

function drawEvent(event, x0, x1, { y, h, color, strength, isLabelled }) {
  const from = Math.max(view.left, x0);
  const to = Math.min(view.width, x1);
  const isMatch = view.matches !== null && view.matches(event);
  context.globalAlpha = isFaint(isMatch) ? strength * 0.12 : strength;
  context.fillStyle = isMatch ? view.colors['--found'] : color;
  context.fillRect(from, y, to - from - (to - from > 4 ? 0.5 : 0), h);
  if (event === view.selected) {
    context.strokeStyle = view.colors['--front'];
    context.lineWidth = 2;
    context.strokeRect(from, y, to - from, h);
  }
  if (isLabelled && to - from > 34) drawName(event, isMatch, from, to, y, h);
}

// All that begins in one pixel, as one: the darker, the busier. Returns the index of the first that does not.
function drawColumn(series, i, x0, { y, h, color, strength }) {
  const { items, sums } = series;
  const column = (view.to - view.from) / (view.width - view.left);
  const x = Math.max(view.left, Math.floor(x0));
  const j = series.nextLong(i + 1, Math.max(i + 1, series.search(tOf(x + 1), i + 1)), column * 1.5);
  const busy = (sums[j] - sums[i]) / column;
  const isMatch = view.matches !== null && anyMatch(items, i, j);
  context.globalAlpha = strength * Math.min(1, 0.35 + busy * 0.65) * (isFaint(isMatch) ? 0.12 : 1);
  context.fillStyle = isMatch ? view.colors['--found'] : color;
  context.fillRect(x, y, 1.2, h);
  return j;
}

function drawSeries(series, style) {
  const { items } = series;
  let i = Math.max(0, series.search(view.from) - 1);
  while (i < items.length && start[items[i]] < view.to) {
    const event = items[i];
    const x0 = xOf(start[event]);
    const x1 = xOf(endOf(event));
    if (x1 >= view.left && x1 - x0 < 1.5) {
      i = drawColumn(series, i, x0, style);
      continue;
    }
    if (x1 >= view.left) drawEvent(event, x0, x1, style);
    i++;
  }
  context.globalAlpha = 1;
}

function drawLane(l, y) {
  const color = view.colors[l.color];
  const tall = heightOf(l);
  context.globalAlpha = 0.55;
  context.fillStyle = view.colors['--lane'];
  context.fillRect(view.left, y, view.width - view.left, tall);
  context.globalAlpha = 1;
  context.fillStyle = color;
  if (l.label !== '') context.fillRect(8, y + tall / 2 - 4, 8, 8);
  context.fillStyle = view.colors['--quiet'];
  context.font = '12px system-ui, sans-serif';
  context.textBaseline = 'middle';
  context.fillText(shortened(l.label, view.left - 28), 22, y + tall / 2);
  const high = l.under.items.length > 0 ? tall - 10 : tall - 2;
  if (l.phases !== undefined) drawSeries(l.phases, { y, h: tall, color, strength: 0.18 });
  drawSeries(l.behind, { y: y + 7, h: tall - 14, color: view.colors['--wait'], strength: 1 });
  drawSeries(l.events, { y: y + 1, h: high, color, strength: 1, isLabelled: true });
  drawSeries(l.under, { y: y + tall - 8, h: 7, color: view.colors['--drain'], strength: 1 });
}

// ---- arrows ----

// Causes of the selected callback, as arrows between lanes.
let arrows = []; // [from, to]

function laneOfEvent(event) {
  for (const l of lanes) {
    if (track[event] !== l.group && l.group < OWN) continue;
    for (const series of [l.events, l.under]) {
      const { items } = series;
      for (let k = series.search(start[event]); k < items.length && start[items[k]] === start[event]; k++) {
        if (items[k] === event) return l;
      }
    }
  }
  return undefined;
}

function findArrows(event) {
  arrows = [];
  if (event < 0 || category[event] !== CAT.call) return;
  const chain = causes.chain(event);
  for (let k = 0; k + 1 < chain.length; k++) arrows.push([chain[k + 1], chain[k]]);
  for (const effect of causes.effects(event, 40)) arrows.push([event, effect]);
}

function drawArrow(context, from, to) {
  const fromLane = laneOfEvent(from);
  const toLane = laneOfEvent(to);
  if (fromLane === undefined || toLane === undefined) return;
  const x0 = xOf(endOf(from));
  const x1 = xOf(start[to]);
  if (x1 < view.left - 50 || x0 > view.width + 50) return;
  const y0 = fromLane.y + heightOf(fromLane) / 2;
  const y1 = toLane.y + heightOf(toLane) / 2;
  const bend = Math.min(60, Math.max(12, (x1 - x0) / 2));
  context.beginPath();
  context.moveTo(x0, y0);
  context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1 - 4, y1);
  context.stroke();
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x1 - 7, y1 - 4);
  context.lineTo(x1 - 7, y1 + 4);
  context.fill();
}

function drawArrows(context) {
  if (arrows.length === 0) return;
  context.save();
  context.beginPath();
  context.rect(view.left, TOP - 2, view.width - view.left, view.height);
  context.clip();
  context.strokeStyle = context.fillStyle = view.colors['--arrow'];
  context.lineWidth = 1.5;
  for (const [from, to] of arrows) drawArrow(context, from, to);
  context.restore();
}

// ---- the whole ----

function drawRange() {
  const { range, height } = view;
  if (range === null) return;
  const from = Math.max(view.left, xOf(Math.min(range.from, range.to)));
  const to = Math.min(view.width, xOf(Math.max(range.from, range.to)));
  context.globalAlpha = 0.14;
  context.fillStyle = view.colors['--strong'];
  context.fillRect(from, TOP, Math.max(1, to - from), height);
  context.globalAlpha = 1;
  context.fillRect(from, TOP, 1, height);
  context.fillRect(to, TOP, 1, height);
}

function drawLanes() {
  let y = TOP - view.top;
  let group;
  for (const l of lanes) {
    if (group !== l.group) y += drawGroup(l, y);
    group = l.group;
    l.y = y;
    if (y + heightOf(l) > TOP && y < view.height) drawLane(l, y);
    y += heightOf(l) + gapOf(l);
  }
}

function drawChart() {
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  context.fillStyle = view.colors['--back'];
  context.fillRect(0, 0, view.width, view.height);
  drawBands(context);
  drawIterations(context);
  drawLanes();
  drawRange();
  drawArrows(context);
  drawRuler(context);
}

module.exports = { canvas, drawChart, findArrows, laneOfEvent, readColors, resizeChart };
