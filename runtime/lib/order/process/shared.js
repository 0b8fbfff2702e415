'use strict';

// The words of memory shared with the loop (enum js_word of runtime/order/env.h).

const { words } = internalBinding('runtime');

module.exports = {
  words,
  kTicks: 0,
  kRejections: 1,
  kImmediates: 2,
  kImmediateRefs: 3,
  kTimerDue: 4,
  kTimerRefs: 5,
  kExiting: 7,
  kReported: 8,
  kMakingError: 9,
  kInside: 10,
};
