'use strict';
// Causes of the selected callback, as arrows between lanes.

const { CAT, category, endOf, start, track } = require('./trace.js');
const { OWN, lanes } = require('./lanes.js');
const { causes } = require('./causes.js');
const { TOP, heightOf, view, xOf } = require('./view.js');

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

module.exports = { drawArrows, findArrows, laneOfEvent };
