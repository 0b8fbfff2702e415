'use strict';

// The global Temporal, which the engine does not have yet: a package that brings the whole of the proposal. It puts
// itself, and an Intl.DateTimeFormat that knows its types, in place when it is loaded: when a program first names it.

const kOrder = [
  'Now',
  'PlainDate',
  'PlainTime',
  'PlainDateTime',
  'ZonedDateTime',
  'Duration',
  'Instant',
  'PlainYearMonth',
  'PlainMonthDay',
];

const plain = (value) => ({ __proto__: null, value, writable: true, configurable: true, enumerable: false });

// What the package would take for the engine's own has to be out of its way.
Object.defineProperty(globalThis, 'Temporal', plain(undefined));
require('internal/deps/temporal');
const { Temporal } = globalThis;

for (const name of kOrder) {
  const value = Temporal[name];
  delete Temporal[name];
  Object.defineProperty(Temporal, name, plain(value));
}

module.exports = { Temporal };
