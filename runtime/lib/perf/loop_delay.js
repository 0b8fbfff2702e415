'use strict';

// monitorEventLoopDelay: how late timers of the loop run. Node measures it with a timer, which wakes an idle loop at
// every interval; here the loop computes the values in C without a timer (observe/stats/delay.h). JavaScript reads them
// only when the program asks for them.

const { codes, uvException } = require('internal/errors');
const { validateBoolean, validateInteger, validateObject } = require('internal/validators');
const { Histogram, Tally } = require('internal/histogram');

const native = internalBinding('loop_delay');
const [COUNT, EXCEEDING, LEAST, GREATEST] = [0, 1, 2, 3];
const FIGURES = 3;

class LoopTally extends Tally {
  #monitor;

  constructor(monitor) {
    super(FIGURES);
    this.#monitor = monitor;
  }

  #read(which) {
    native.read(this.#monitor);
    return native.values[which];
  }

  get count() {
    return this.#read(COUNT);
  }

  get exceeds() {
    return this.#read(EXCEEDING);
  }

  get min() {
    return this.#read(LEAST);
  }

  get max() {
    return this.#read(GREATEST);
  }

  entries() {
    const flat = native.buckets(this.#monitor);
    return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i], flat[2 * i + 1]]);
  }

  reset() {
    native.reset(this.#monitor);
  }
}

class ELDHistogram extends Histogram {
  #monitor;

  // A program cannot construct this class.
  constructor() {
    const monitor = arguments[0];
    super(monitor === undefined ? undefined : new LoopTally(monitor));
    this.#monitor = monitor;
  }

  // Both return whether they changed anything.
  #turn(change) {
    const err = change(this.#monitor);
    if (err !== 0 && err !== internalBinding('uv').UV_EALREADY)
      throw uvException({ errno: err, syscall: 'monitorEventLoopDelay' });
    return err === 0;
  }

  enable() {
    if (!(#monitor in Object(this))) throw new codes.ERR_INVALID_THIS('ELDHistogram');
    return this.#turn(native.start);
  }

  disable() {
    if (!(#monitor in Object(this))) throw new codes.ERR_INVALID_THIS('ELDHistogram');
    return this.#turn(native.stop);
  }

  [Symbol.dispose]() {
    this.disable();
  }
}

// The argument for the monitor: milliseconds, or 0 for every iteration. The resolution must be valid even if
// it is not used.
function intervalOf({ samplePerIteration: everyIteration = false, resolution: milliseconds = 10 }) {
  validateBoolean(everyIteration, 'options.samplePerIteration');
  validateInteger(milliseconds, 'options.resolution', 1);
  return everyIteration ? 0 : milliseconds;
}

function monitorEventLoopDelay(options = {}) {
  validateObject(options, 'options');
  const monitor = native.create(intervalOf(options));
  if (typeof monitor === 'number') throw uvException({ errno: monitor, syscall: 'monitorEventLoopDelay' });
  return new ELDHistogram(monitor);
}

module.exports = { monitorEventLoopDelay };
