'use strict';

// --secure-heap=SIZE and --secure-heap-min=SIZE: memory for private numbers that is neither swapped nor dumped.

const binding = internalBinding('crypto');

function sizeOf(option, otherwise) {
  const given = require('internal/process/flags')
    .words()
    .findLast((each) => each.startsWith(`${option}=`));
  return given === undefined ? otherwise : Number(given.slice(option.length + 1));
}

const least = sizeOf('--secure-heap-min', 2);
const wanted = sizeOf('--secure-heap', 0);
const total = wanted > 0 && binding.secureHeap(wanted, least) ? wanted : 0;

function secureHeapUsed() {
  const used = binding.secureHeapUsed();
  return { total, used, utilization: used / total, min: least };
}

module.exports = { secureHeapUsed };
