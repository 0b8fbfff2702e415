'use strict';
// bluebird issue 1417: an operation ends before its time is over, and timeout() rejects all the same, when both timers come in one turn.

const { bug, isFixed } = require('../driver.js');
const Promise = require('bluebird-3.5.3');

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const work = wait(50);
const limited = isFixed ? work : work.timeout(53);
limited.catch(Promise.TimeoutError, () => {
  if (work.isFulfilled()) bug('the time was over for what was there');
});
