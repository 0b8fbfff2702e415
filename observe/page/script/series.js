'use strict';
// Events that are sorted and do not overlap. With running sums of their durations any pixel column costs two searches,
// however many events lie in it: the time of a frame depends on the width of the window, not on the trace.

const { start, duration } = require('./trace.js');

class Series {
  constructor() {
    this.items = [];
  }
  // All items are there.
  seal() {
    this.items = new Uint32Array(this.items);
    this.sums = new Float64Array(this.items.length + 1);
    this.longest = new Float64Array((this.items.length >> 6) + 1); // of each 64
    for (let i = 0; i < this.items.length; i++) {
      const lasts = duration[this.items[i]];
      this.sums[i + 1] = this.sums[i] + lasts;
      if (lasts > this.longest[i >> 6]) this.longest[i >> 6] = lasts;
    }
  }
  // The first from i on, before j, that lasts at least so long; or j.
  nextLong(i, j, least) {
    while (i < j) {
      if ((i & 63) === 0 && this.longest[i >> 6] < least) i += 64;
      else if (duration[this.items[i]] >= least) return i;
      else i++;
    }
    return j;
  }
  // The first whose start is not before t. From `low` on the search leaps: the result is near as a rule.
  search(t, low = 0) {
    let high = this.items.length;
    for (let leap = 1; low > 0 && low + leap < high; leap *= 2) {
      if (start[this.items[low + leap]] < t) low += leap;
      else high = low + leap;
    }
    while (low < high) {
      const middle = (low + high) >> 1;
      if (start[this.items[middle]] < t) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

module.exports = { Series };
