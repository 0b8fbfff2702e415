'use strict';

// All that is known of a program's run: what its main loop did, in the order in which it did it, how the process ended,
// and whether the machine let it run.

const { Events } = require('internal/cli/events');

const kIsWindows = process.platform === 'win32';
const kSignals = { 129: 'SIGHUP', 130: 'SIGINT', 143: 'SIGTERM' }; // as a shell and npm tell them

class Case {
  // `scheduled` is what the kernel says of the first thread: how long it ran, and how long it could have run and got no
  // processor. Of a child only its parent's share is known.
  constructor(trace, { census = [], ended, scheduled, isChild = false, processors, threads }) {
    const events = new Events(trace);
    const { loops, process } = trace.meta;
    // On Windows no thread has the number of the process; the first loop is that of the main thread.
    const isFirst = ({ loop, thread }) => loop === 1 && (thread === undefined || kIsWindows);
    const main = loops.find(({ thread }) => thread === process) ?? loops.find(isFirst);
    Object.assign(this, { trace, events, census, ended, processors, threads, main });
    this.track = trace.tracks.get(main?.thread ?? process);
    this.calls = events.insight.ofTrack(this.track).calls.filter((i) => events.detailOf(i).phase !== 'outside');
    this.outside = events.calls.filter((i) => events.track[i] === this.track && this.phaseOf(i) === 'outside');
    this.share = scheduled === undefined ? 1 : scheduled.ran / (scheduled.ran + scheduled.waited || 1);
    this.waitedForProcessor = scheduled === undefined ? 0 : isChild ? Infinity : scheduled.waited;
    this.end = [...events.calls, ...events.waits, ...events.jobs].reduce((t, i) => Math.max(t, events.endOf(i)), 0);
    this.endedBy = ended?.startsWith('SIG') ? ended : kSignals[ended];
  }
  phaseOf(i) {
    return this.events.detailOf(i).phase;
  }
  // What is the platform's own has no file.
  isOwn(i) {
    const { file } = this.events.detailOf(i);
    return file !== undefined && !file.startsWith('node:');
  }
  // How long it would have taken, about, if the thread had always had a processor.
  cleared(ns) {
    return Math.max(ns * this.share, ns - this.waitedForProcessor);
  }
  lateness(i) {
    return this.events.b[i] - 1; // negative: unknown
  }
  placeOf(i) {
    const { file, line } = this.events.detailOf(i);
    return { function: this.events.nameOf(i), file, line };
  }
}

// Ranges, sorted, those that touch each other made one.
function united(ranges) {
  const found = [];
  for (const [from, to] of ranges.sort((x, y) => x[0] - y[0])) {
    const last = found.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else found.push([from, to]);
  }
  return found;
}

module.exports = { Case, united };
