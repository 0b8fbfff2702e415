'use strict';

// The global Temporal, which the engine does not have yet: a package that implements the whole proposal. When
// a program first uses the name, the package is loaded; it then installs itself, and an Intl.DateTimeFormat
// that supports its types.

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

// Objects that the package would take for the engine's own are removed before.
Object.defineProperty(globalThis, 'Temporal', plain(undefined));
require('internal/deps/temporal');
const { Temporal } = globalThis;

for (const name of kOrder) {
  const value = Temporal[name];
  delete Temporal[name];
  Object.defineProperty(Temporal, name, plain(value));
}

module.exports = { Temporal };
