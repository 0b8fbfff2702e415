'use strict';
// Warnings: callbacks and drains that took long, jobs that no thread was free for, errors, and a file that is not
// whole.

const { CAT, b, category, duration, header, nameOf, number, start } = require('./trace.js');
const { calls, drains, errors, jobs } = require('./lanes.js');
const { causes } = require('./causes.js');
const { many, time } = require('./words.js');
const { byId, element, row } = require('./dom.js');
const { view } = require('./view.js');

// What is long by itself, and what nobody would call so: half of the longest callback is not a warning.
function chooseThreshold() {
  let longest = 0;
  for (const i of calls) longest = Math.max(longest, duration[i]);
  view.warnNs = [50e6, 10e6, 5e6].find((ns) => longest >= ns) ?? 1e6;
  byId('threshold').value = String(view.warnNs / 1e6);
}

// A callback and what is drained after it are one warning: of the one that took the larger part.
function collectWarnings() {
  const { warnNs } = view;
  const drained = new Map();
  for (const i of drains) {
    const before = drained.get(number[i]);
    const isLonger = before === undefined || duration[before] < duration[i];
    if (duration[i] >= warnNs / 2 && isLonger) drained.set(number[i], i);
  }
  const largerOf = (i) => {
    const drain = number[i] === 0 ? undefined : drained.get(number[i]);
    return drain !== undefined && duration[drain] * 2 >= duration[i] ? drain : i;
  };
  const isAlone = (i) => duration[i] >= warnNs && causes.eventOf(number[i]) === undefined;
  view.warnings = [...calls.filter((i) => duration[i] >= warnNs).map(largerOf), ...drains.filter(isAlone)];
  view.warnings.sort((x, y) => start[x] - start[y]);
}

function warnOfPool(list) {
  const waited = jobs.filter((i) => b[i] - 1 >= view.warnNs);
  if (waited.length === 0) return;
  const longest = waited.reduce((x, y) => (b[y] > b[x] ? y : x));
  const jobsInWords = waited.length === 1 ? 'a job' : `${many(waited.length)} jobs`;
  row(list, [`the pool was full: ${jobsInWords} waited`, time(b[longest] - 1)], longest);
}

function nameOfWarning(i) {
  if (category[i] !== CAT.drain) return `blocked by ${nameOf(i)}`;
  const call = causes.eventOf(number[i]);
  return `starved by ${nameOf(i)}${call === undefined ? '' : ` of ${nameOf(call)}`}`;
}

function tellWarnings(block) {
  const { warnings, warnNs } = view;
  const { dropped, ended } = header.meta;
  const list = element('table');
  for (const i of errors.slice(0, 3)) row(list, [nameOf(i), ''], i);
  // Starvation comes first: it is rarer, and worse.
  const worst = warnings.slice().sort((x, y) => category[y] - category[x] || duration[y] - duration[x]);
  for (const i of worst.slice(0, 5)) row(list, [nameOfWarning(i), time(duration[i])], i);
  if (warnings.length > 5) row(list, [`and ${warnings.length - 5} more (!)`]);
  warnOfPool(list);
  if (dropped > 0) row(list, [`${many(dropped)} events were dropped`]);
  if (!ended) row(list, ['The file breaks off: the program did not end by itself.']);
  if (list.children.length === 0) row(list, [`none: nothing took ${time(warnNs)}`]);
  else block.className = 'warn';
  block.append(list);
}

module.exports = { chooseThreshold, collectWarnings, tellWarnings };
