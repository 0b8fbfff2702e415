'use strict';
// The mouse over the chart: the card of what is under it, dragging, the wheel.

const { duration, endOf, nameOf } = require('./trace.js');
const { lanes } = require('./lanes.js');
const { lines } = require('./words.js');
const { byId, element } = require('./dom.js');
const { choose, heightOf, move, schedule, scroll, setView, show, tOf, view, zoom } = require('./view.js');
const { canvas } = require('./chart.js');
const { isShown, showTab } = require('./panel.js');

let drag = null;

// The longest event at a place, and how many there are.
function eventsAt(x, y) {
  const hit = lanes.find((l) => y >= l.y && y < l.y + heightOf(l));
  if (hit === undefined || x < view.left) return null;
  const low = y - hit.y > heightOf(hit) - 9 && hit.under.items.length > 0;
  const near = ((view.to - view.from) / (view.width - view.left)) * 1.5;
  const t = tOf(x);
  for (const series of low ? [hit.under, hit.events, hit.behind] : [hit.events, hit.behind, hit.phases]) {
    if (series === undefined) continue;
    const { items } = series;
    let i = series.search(t + near) - 1;
    if (i < 0 || endOf(items[i]) < t - near) continue;
    let event = items[i];
    let n = 0;
    for (; i >= 0 && n < 5000 && endOf(items[i]) >= t - near; i--, n++) {
      if (duration[items[i]] > duration[event]) event = items[i];
    }
    return { event, n };
  }
  return null;
}

function hideCard() {
  byId('card').hidden = true;
}

function hover() {
  const { mouse, width, height } = view;
  if (mouse === null || drag !== null) return;
  const card = byId('card');
  const hit = eventsAt(mouse.x, mouse.y);
  card.hidden = hit === null;
  if (hit === null) return;
  card.replaceChildren(element('b', nameOf(hit.event)));
  for (const line of lines(hit.event)) card.append(element('div', line));
  if (hit.n > 1) card.append(element('div', `the longest of ${hit.n} here`, 'quiet'));
  card.style.left = `${Math.min(mouse.x + 14, width - card.offsetWidth - 8)}px`;
  card.style.top = `${Math.min(mouse.y + 16, height - card.offsetHeight - 8)}px`;
}

// ---- dragging moves the view; with shift it marks a range ----

function startDrag(event) {
  const { from, to, top } = view;
  drag = { x: event.clientX, y: event.clientY, from, to, top, moved: false };
  if (event.shiftKey && event.offsetX > view.left) drag.marks = tOf(event.offsetX);
  canvas.setPointerCapture(event.pointerId);
}

function markRange(event) {
  view.range = { from: drag.marks, to: tOf(Math.max(view.left, event.offsetX)) };
  drag.moved = true;
  if (!isShown('range')) showTab('range');
  schedule();
}

function dragView(event) {
  const byX = event.clientX - drag.x;
  const byY = event.clientY - drag.y;
  drag.moved ||= Math.abs(byX) + Math.abs(byY) > 4;
  if (!drag.moved) return;
  const by = (byX / (view.width - view.left)) * (drag.to - drag.from);
  hideCard();
  view.top = drag.top - byY;
  scroll(0);
  setView(drag.from - by, drag.to - by);
}

function onMove(event) {
  if (drag === null) {
    view.mouse = { x: event.offsetX, y: event.offsetY };
    hover();
  } else if (drag.marks !== undefined) {
    markRange(event);
  } else {
    dragView(event);
  }
}

function endDrag(event) {
  const hit = drag !== null && !drag.moved ? eventsAt(event.offsetX, event.offsetY) : null;
  drag = null;
  if (hit !== null) choose(hit.event);
}

function onWheel(event) {
  event.preventDefault();
  const { deltaX, deltaY } = event;
  if (event.shiftKey || Math.abs(deltaX) > Math.abs(deltaY)) move((deltaX || deltaY) / 1000);
  else zoom(Math.exp(deltaY * 0.0015), tOf(Math.max(view.left, event.offsetX)));
}

function listenToMouse() {
  canvas.addEventListener('wheel', onWheel, { passive: false });
  canvas.addEventListener('pointerdown', startDrag);
  canvas.addEventListener('pointermove', onMove);
  canvas.addEventListener('pointerup', endDrag);
  canvas.addEventListener('dblclick', (event) => {
    const hit = eventsAt(event.offsetX, event.offsetY);
    if (hit !== null) show(hit.event);
  });
  canvas.addEventListener('pointerleave', () => {
    view.mouse = null;
    hideCard();
  });
}

module.exports = { hideCard, hover, listenToMouse };
