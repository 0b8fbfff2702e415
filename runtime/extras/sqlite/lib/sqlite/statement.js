'use strict';

// StatementSync and the iterator over its rows.
//
// A statement runs in turns: each call of run, get, all and iterate begins a new turn, and ends the rows of an iterator
// with an older one. While SQLite works on a turn (`#running`), it may call functions of the program; these cannot
// begin another turn of the same statement.

const native = internalBinding('sqlite');
const {
  wrongState,
  wrongValue,
  needBoolean,
  needKey,
  needString,
  choice,
  optionsOf,
  present,
} = require('internal/sqlite/arguments');

// SQLite's numbers of its counters.
const counters = {
  __proto__: null,
  fullscanStep: 1,
  sort: 2,
  autoindex: 3,
  vmStep: 4,
  reprepare: 5,
  run: 6,
  filterMiss: 7,
  filterHit: 8,
  memused: 99,
};

const batch = 1 << 20; // rows of one fetch: as many as C has room for

function isNamed(value) {
  if (typeof value !== 'object' || value === null) return typeof value === 'function';
  return !ArrayBuffer.isView(value) && !(value instanceof ArrayBuffer) && !(value instanceof SharedArrayBuffer);
}

function rowOf(names, values, at) {
  const row = Object.create(null);
  for (let i = 0; i < names.length; i++) row[names[i]] = values[at + i];
  return row;
}

let inner;

class StatementSync {
  #connection; // of its database
  #handle;
  #names = [];
  #bigints;
  #arrays;
  #bare;
  #unknown;
  #indexes; // name -> index of the parameter, made when first needed
  #bareIndexes;
  #running = false;
  #turn = 0;

  constructor(shown, connection, handle, settings) {
    needKey(shown);
    this.#connection = connection;
    this.#handle = handle;
    this.#bigints = settings.readBigInts;
    this.#arrays = settings.returnArrays;
    this.#bare = settings.allowBareNamedParameters;
    this.#unknown = settings.allowUnknownNamedParameters;
    Object.defineProperty(this, 'sourceSQL', source);
    Object.defineProperty(this, 'expandedSQL', expanded);
  }

  // ---- turns ----

  #live() {
    const handle = this.#handle;
    if (!native.isLive(handle)) throw wrongState('statement has been finalized');
    return handle;
  }

  #enter() {
    const handle = this.#live();
    if (this.#running) throw wrongState('statement is already being executed');
    this.#connection.run();
    return handle;
  }

  #begin() {
    const handle = this.#enter();
    this.#running = true;
    this.#turn++;
    return handle;
  }

  // ---- parameters ----

  #learnParameters() {
    this.#indexes = new Map();
    native.parameters(this.#handle).forEach((name, i) => {
      if (name !== null) this.#indexes.set(name, i + 1);
    });
  }

  #learnBare() {
    this.#bareIndexes = new Map();
    const full = new Map();
    for (const [name, index] of this.#indexes) {
      const bare = name.slice(1);
      if (full.has(bare)) {
        this.#bareIndexes = undefined;
        throw wrongState(
          `Cannot create bare named parameter '${bare}' because of conflicting names ` +
            `'${full.get(bare)}' and '${name}'.`,
        );
      }
      full.set(bare, name);
      this.#bareIndexes.set(bare, index);
    }
  }

  #bindNamed(handle, values) {
    native.begin(handle);
    if (this.#indexes === undefined) this.#learnParameters();
    if (this.#bare && this.#bareIndexes === undefined) this.#learnBare();
    for (const name of Object.keys(values)) {
      const index = this.#indexes.get(name) ?? (this.#bare ? this.#bareIndexes.get(name) : undefined);
      if (index !== undefined) native.bind(handle, index, values[name]);
      else if (!this.#unknown) throw wrongState(`Unknown named parameter '${name}'`);
    }
  }

  // Whether C begins the turn: not if values were bound by name, which uses the first argument.
  #isFresh(handle, given) {
    if (given.length === 0 || !isNamed(given[0])) return true;
    this.#bindNamed(handle, given.shift());
    return false;
  }

  // ---- results ----

  #row(values, at = 0) {
    return this.#arrays ? values.slice(at, at + this.#names.length) : rowOf(this.#names, values, at);
  }

  #learnNames(handle) {
    this.#names = native.names(handle) ?? this.#names;
  }

  #run(handle, fresh, given) {
    const bigints = this.#bigints;
    const changes = native.run(handle, bigints, fresh, ...given);
    return { changes, lastInsertRowid: native.lastRow(handle, bigints) };
  }

  #get(handle, fresh, given) {
    const values = native.get(handle, this.#bigints, fresh, ...given);
    if (values === undefined) return undefined;
    this.#learnNames(handle);
    return this.#arrays ? values : rowOf(this.#names, values, 0);
  }

  #all(handle, fresh, given) {
    native.arm(handle, fresh, ...given);
    const rows = [];
    for (let values; (values = native.fetch(handle, this.#bigints, batch)) !== null;) {
      if (rows.length === 0) this.#learnNames(handle);
      for (let at = 0; at < values.length; at += this.#names.length) rows.push(this.#row(values, at));
    }
    return rows;
  }

  #iterate(handle, fresh, given) {
    native.arm(handle, fresh, ...given);
    return new StatementSyncIterator(this, this.#turn);
  }

  iterate(...given) {
    const handle = this.#begin();
    try {
      return this.#iterate(handle, this.#isFresh(handle, given), given);
    } finally {
      this.#running = false;
    }
  }

  all(...given) {
    const handle = this.#begin();
    try {
      return this.#all(handle, this.#isFresh(handle, given), given);
    } finally {
      this.#running = false;
    }
  }

  get(...given) {
    const handle = this.#begin();
    try {
      return this.#get(handle, this.#isFresh(handle, given), given);
    } finally {
      this.#running = false;
    }
  }

  run(...given) {
    const handle = this.#begin();
    try {
      return this.#run(handle, this.#isFresh(handle, given), given);
    } finally {
      this.#running = false;
    }
  }

  // ---- properties and settings ----

  columns() {
    const told = native.columns(this.#live());
    const columns = [];
    for (let i = 0; i < told.length; i += 5) {
      columns.push({
        __proto__: null,
        column: told[i],
        database: told[i + 1],
        name: told[i + 2],
        table: told[i + 3],
        type: told[i + 4],
      });
    }
    return columns;
  }

  stat(counter) {
    const handle = this.#live();
    const number = counters[needString(counter, 'counter')];
    if (number === undefined) throw wrongValue('The "counter" argument is not a valid statistic name.');
    return native.count(handle, number, false);
  }

  resetStats() {
    const handle = this.#live();
    for (const number of Object.values(counters)) native.count(handle, number, true);
  }

  setAllowBareNamedParameters(enabled) {
    this.#live();
    this.#bare = needBoolean(enabled, 'allowBareNamedParameters');
  }

  setAllowUnknownNamedParameters(enabled) {
    this.#live();
    this.#unknown = needBoolean(enabled, 'enabled');
  }

  setReadBigInts(enabled) {
    this.#live();
    this.#bigints = needBoolean(enabled, 'readBigInts');
  }

  setReturnArrays(enabled) {
    this.#live();
    this.#arrays = needBoolean(enabled, 'returnArrays');
  }

  close() {
    const handle = this.#live();
    if (this.#running) throw wrongState('statement is already being executed');
    if (native.isBusy(handle)) this.#connection.use();
    native.finalize(handle);
  }

  [Symbol.dispose]() {
    if (native.isLive(this.#handle)) this.close();
  }

  // Operations on a statement for the rest of the module, which a program cannot do.
  static {
    inner = {
      isLive: (statement) => native.isLive(statement.#handle),
      parameterCount: (statement) => native.parameters(statement.#handle).length,
      text: (statement, withValues) => native.sql(statement.#live(), withValues),

      // One turn, for the tag store: its values are never names.
      perform(statement, how, given) {
        const handle = statement.#begin();
        try {
          switch (how) {
            case 'run':
              return statement.#run(handle, true, given);
            case 'get':
              return statement.#get(handle, true, given);
            case 'all':
              return statement.#all(handle, true, given);
            default:
              return statement.#iterate(handle, true, given);
          }
        } finally {
          statement.#running = false;
        }
      },

      // The next row of an iterator that began at `turn`; undefined at the end.
      next(statement, turn) {
        const handle = statement.#enter();
        if (turn !== statement.#turn) throw wrongState('iterator was invalidated');
        statement.#running = true;
        try {
          const values = native.fetch(handle, statement.#bigints, 1);
          if (values === null) return undefined;
          statement.#learnNames(handle);
          return statement.#row(values);
        } finally {
          statement.#running = false;
        }
      },

      stop(statement, turn) {
        const handle = statement.#enter();
        if (turn === statement.#turn) native.rewind(handle);
      },
    };
  }
}

present(StatementSync, [
  'iterate',
  'all',
  'get',
  'run',
  'columns',
  'stat',
  'resetStats',
  'setAllowBareNamedParameters',
  'setAllowUnknownNamedParameters',
  'setReadBigInts',
  'setReturnArrays',
  'close',
  Symbol.dispose,
]);

// Each statement has these as properties of its own.
const textOf = (withValues) => ({
  get() {
    return inner.text(this, withValues);
  },
  enumerable: true,
});
const source = textOf(false);
const expanded = textOf(true);

class StatementSyncIterator extends Iterator {
  #statement;
  #turn;
  #isDone = false;

  constructor(statement, turn) {
    super();
    this.#statement = statement;
    this.#turn = turn;
  }

  next() {
    if (!this.#isDone) {
      const value = inner.next(this.#statement, this.#turn);
      if (value !== undefined) return { __proto__: null, done: false, value };
      this.#isDone = true;
    }
    return { __proto__: null, done: true, value: null };
  }

  return() {
    if (!this.#isDone) {
      inner.stop(this.#statement, this.#turn);
      this.#isDone = true;
    }
    return { __proto__: null, done: true, value: null };
  }
}

present(StatementSyncIterator, ['next', 'return']);

// The settings of a statement: the given ones, else the database's.
function settingsOf(given, defaults) {
  const options = optionsOf(given);
  return {
    readBigInts: choice(options, 'readBigInts', defaults.readBigInts),
    returnArrays: choice(options, 'returnArrays', defaults.returnArrays),
    allowBareNamedParameters: choice(options, 'allowBareNamedParameters', defaults.allowBareNamedParameters),
    allowUnknownNamedParameters: choice(options, 'allowUnknownNamedParameters', defaults.allowUnknownNamedParameters),
    persistent: choice(options, 'persistent', false),
  };
}

module.exports = { StatementSync, inner, settingsOf };
