'use strict';

// The shortest edit between two lists (Myers' algorithm), for util.diff and for the messages of assert.

const { codes } = require('internal/errors');
const { validateStringArray } = require('internal/validators');

const kInsert = 1;
const kDelete = -1;
const kKeep = 0;

// Steps from the last to the first; insert means: only in `actual`.
function myersDiff(actual, expected, checkComma = false) {
  const n = actual.length;
  const m = expected.length;
  const max = n + m;
  const v = new Int32Array(2 * max + 1);
  const trace = [];
  const same = (a, b) => a === b || (checkComma && (`${a},` === b || a === `${b},`));
  for (let d = 0; d <= max; d++) {
    trace.push(v.slice());
    for (let k = -d; k <= d; k += 2) {
      const offset = k + max;
      let x;
      if (k === -d || (k !== d && v[offset - 1] < v[offset + 1])) x = v[offset + 1];
      else x = v[offset - 1] + 1;
      let y = x - k;
      while (x < n && y < m && same(actual[x], expected[y])) {
        x++;
        y++;
      }
      v[offset] = x;
      if (x >= n && y >= m) return backtrack(trace, actual, expected, checkComma, max);
    }
  }
  return [];
}

function backtrack(trace, actual, expected, checkComma, max) {
  let x = actual.length;
  let y = expected.length;
  const result = [];
  for (let d = trace.length - 1; d >= 0; d--) {
    const v = trace[d];
    const k = x - y;
    const offset = k + max;
    const previousK = k === -d || (k !== d && v[offset - 1] < v[offset + 1]) ? k + 1 : k - 1;
    const previousX = v[previousK + max];
    const previousY = previousX - previousK;
    while (x > previousX && y > previousY) {
      // If two lines differ only in a comma, the one with the comma is shown.
      const value = checkComma && !actual[x - 1].endsWith(',') ? expected[y - 1] : actual[x - 1];
      result.push([kKeep, value]);
      x--;
      y--;
    }
    if (d > 0) {
      if (x > previousX) {
        result.push([kInsert, actual[x - 1]]);
        x--;
      } else {
        result.push([kDelete, expected[y - 1]]);
        y--;
      }
    }
  }
  return result;
}

function checkInput(value, name) {
  if (!Array.isArray(value) && typeof value !== 'string')
    throw new codes.ERR_INVALID_ARG_TYPE(name, ['Array', 'string'], value);
  if (Array.isArray(value)) validateStringArray(value, name);
}

function diff(actual, expected) {
  if (actual === expected) return [];
  checkInput(actual, 'actual');
  checkInput(expected, 'expected');
  return myersDiff(actual, expected).reverse();
}

module.exports = { diff, myersDiff };
