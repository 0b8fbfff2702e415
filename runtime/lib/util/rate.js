'use strict';

// util.debounce and util.throttle: wrappers that limit how often a function is called.

const { validateFunction, validateNumber } = require('internal/validators');

function debounce(fn, wait) {
  validateFunction(fn, 'fn');
  validateNumber(wait, 'wait', 0);
  let timer;
  function debounced(...args) {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      Reflect.apply(fn, this, args);
    }, wait);
  }
  debounced.cancel = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return debounced;
}

function throttle(fn, wait) {
  validateFunction(fn, 'fn');
  validateNumber(wait, 'wait', 0);
  let timer;
  let pending;
  function run() {
    if (pending === undefined) {
      timer = undefined;
      return;
    }
    const { self, args } = pending;
    pending = undefined;
    timer = setTimeout(run, wait);
    Reflect.apply(fn, self, args);
  }
  function throttled(...args) {
    pending = { self: this, args };
    if (timer === undefined) run();
  }
  throttled.cancel = () => {
    clearTimeout(timer);
    timer = undefined;
    pending = undefined;
  };
  return throttled;
}

module.exports = { debounce, throttle };
