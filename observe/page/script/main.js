'use strict';
// The timeline: its parts put together. tools/bundle makes one script of these modules, which begins here.

const { count, duration, endOf, first, last, nameOf, start } = require('./trace.js');
const { calls, errors, jobs, lanes, operations } = require('./lanes.js');
const { causes } = require('./causes.js');
const { lines } = require('./words.js');
const { byId } = require('./dom.js');
const { choose, listeners, scrollTo, setSize, setView, show, view, xOf } = require('./view.js');
const { canvas, drawChart, findArrows, laneOfEvent, resizeChart } = require('./chart.js');
const { drawOverview, listenToOverview, resizeOverview } = require('./overview.js');
const { chooseThreshold, summarize } = require('./summary.js');
const { markTab, showTab, updateStatistics } = require('./panel.js');
const { listenToKeys, search, setTheme } = require('./keys.js');
const { step } = require('./step.js');
const { hover, listenToMouse } = require('./mouse.js');

const frames = []; // how long the last ones took to draw, in milliseconds

function draw() {
  const began = performance.now();
  drawChart();
  drawOverview();
  hover(); // what is under the mouse may have changed
  updateStatistics();
  frames.push(performance.now() - began);
  if (frames.length > 600) frames.shift();
}

function resize() {
  resizeChart();
  resizeOverview();
  setSize(canvas.clientWidth, canvas.clientHeight, canvas.clientWidth < 600);
}

// The line below the chart, which screen readers announce.
function showStatus(event) {
  byId('status').textContent = event < 0 ? '' : `${nameOf(event)}: ${lines(event).join('; ')}`;
}

function bringIntoView(event) {
  const lane = event < 0 ? undefined : laneOfEvent(event);
  if (lane !== undefined) scrollTo(lane);
}

listeners.draw = draw;
listeners.choose.push(findArrows, showStatus, bringIntoView, () => showTab('selected'));
listenToKeys();
listenToMouse();
listenToOverview();
new ResizeObserver(resize).observe(canvas);

chooseThreshold();
summarize();
markTab(); // it is filled in after the first picture
setTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
resize();
setView(first, last);

// For tests and measurements.
window.timeline = {
  placeOf: (l, i) => ({ x: Math.max(view.left + 1, (xOf(start[i]) + xOf(endOf(i))) / 2), y: l.y + 6 }),
  middleOf: (i) => start[i] + duration[i] / 2,
  causes,
  choose,
  view,
  show,
  search,
  step,
  setView,
  lanes,
  frames,
  count,
  calls,
  jobs,
  operations,
  errors,
  nameOf,
  ready: true,
  get warnings() {
    return view.warnings;
  },
};
