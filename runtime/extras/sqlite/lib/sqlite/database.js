'use strict';

// DatabaseSync: a connection, and the rules about when it may be used.
//
// SQLite calls functions of the program while it works: `#callbacks` counts those on the stack, `#authorizing` the
// authorizers among them. This object keeps the functions alive; C has only their addresses.

const native = internalBinding('sqlite');
const {
  argument,
  coded,
  wrongState,
  wrongValue,
  choice,
  isObject,
  key,
  needBoolean,
  needFunction,
  needInteger,
  needString,
  optionsOf,
  pathOf,
  present,
} = require('internal/sqlite/arguments');
const { StatementSync, settingsOf } = require('internal/sqlite/statement');
const { Session } = require('internal/sqlite/session');
const { SQLTagStore } = require('internal/sqlite/tag_store');
const functions = require('internal/sqlite/functions');
const { limitsOf, setLimits, viewOf } = functions;
const queries = require('diagnostics_channel').channel('sqlite.db.query');

// Bits of the second argument of open (enum open_flag).
const { kReadOnly, kForeignKeys, kDoubleQuoted, kExtensions, kDefensive } = require('internal/shared').sqliteOpenBits;

let inner;

class Connection {
  #path;
  #flags = 0;
  #timeout;
  #limits;
  #defaults; // of its statements
  #allowsExtensions;
  #handle = null;
  #functions = new Map();
  #authorizer = null;
  #profiler = null;
  #limitsView;
  #callbacks = 0;
  #authorizing = 0;

  // Functions for its statements, sessions and tag stores; these references keep it alive, too.
  #connection = {
    database: this,
    open: () => this.#open(),
    use: () => this.#usable(),
    // Before a statement runs: it is published to subscribers.
    run: () => this.#listen(this.#usable()),
    prepare: (sql) => this.#prepare(this.#usable(), sql, settingsOf(undefined, this.#defaults)),
  };

  constructor(path, given) {
    Object.defineProperties(this, properties);
    this[Symbol.for('sqlite-type')] = 'node:sqlite';
    this.#path = pathOf(path);
    const options = optionsOf(given);
    const open = choice(options, 'open', true);
    const bit = (name, otherwise, value) => {
      if (choice(options, name, otherwise)) this.#flags |= value;
    };
    bit('readOnly', false, kReadOnly);
    bit('enableForeignKeyConstraints', true, kForeignKeys);
    bit('enableDoubleQuotedStringLiterals', false, kDoubleQuoted);
    bit('allowExtension', false, kExtensions);
    this.#timeout = choice(options, 'timeout', 0, needInteger);
    this.#defaults = {
      readBigInts: choice(options, 'readBigInts', false),
      returnArrays: choice(options, 'returnArrays', false),
      allowBareNamedParameters: choice(options, 'allowBareNamedParameters', true),
      allowUnknownNamedParameters: choice(options, 'allowUnknownNamedParameters', false),
    };
    bit('defensive', true, kDefensive);
    this.#limits = limitsOf(options.limits);
    if (open) this.open();
  }

  // ---- when it may be used ----

  #open() {
    if (this.#handle === null) throw wrongState('database is not open');
    return this.#handle;
  }

  #usable() {
    const handle = this.#open();
    if (this.#authorizing > 0) throw wrongState('database cannot be accessed from an authorizer callback');
    return handle;
  }

  // Calls of a function by SQLite are counted.
  #guarded(fn) {
    return (...given) => {
      this.#callbacks++;
      try {
        return fn(...given);
      } finally {
        this.#callbacks--;
      }
    };
  }

  // SQLite reports finished statements only while there are subscribers.
  #listen(handle) {
    if (queries.hasSubscribers === (this.#profiler !== null)) return;
    this.#profiler = queries.hasSubscribers
      ? this.#guarded((sql, duration) => {
          queries.publish({ sql, database: this, duration });
        })
      : null;
    native.profile(handle, this.#profiler);
  }

  // ---- life ----

  open() {
    if (this.#handle !== null) throw wrongState('database is already open');
    if ((this.#flags & kExtensions) !== 0 && internalBinding('permission').isOn) {
      const text = 'Cannot load SQLite extensions when the permission model is enabled.';
      throw coded(Error, 'ERR_LOAD_SQLITE_EXTENSION', text);
    }
    const handle = native.open(this.#path, this.#flags, this.#timeout);
    setLimits(handle, this.#limits);
    this.#allowsExtensions = (this.#flags & kExtensions) !== 0;
    this.#handle = handle;
  }

  close() {
    const handle = this.#open();
    if (this.#callbacks > 0) throw wrongState('database cannot be closed while in a callback');
    this.#handle = null;
    native.close(handle);
    this.#functions.clear();
    this.#authorizer = this.#profiler = null;
  }

  [Symbol.dispose]() {
    if (this.#handle !== null && this.#callbacks === 0) this.close();
  }

  // ---- SQL ----

  #prepare(handle, sql, settings) {
    const statement = native.prepare(handle, sql, settings.persistent);
    if (statement === null) throw wrongValue('The SQL query contains no statements.');
    return new StatementSync(key, this.#connection, statement, settings);
  }

  prepare(sql, options) {
    const handle = this.#usable();
    return this.#prepare(handle, needString(sql, 'sql'), settingsOf(options, this.#defaults));
  }

  exec(sql) {
    const handle = this.#usable();
    needString(sql, 'sql');
    this.#listen(handle);
    native.exec(handle, sql);
  }

  createTagStore(size = 1000) {
    this.#usable();
    return new SQLTagStore(key, this.#connection, size);
  }

  // ---- functions that SQLite calls ----

  function(name, ...rest) {
    const handle = this.#usable();
    needString(name, 'name');
    const [given, fn] = rest.length > 1 ? rest : [undefined, rest[0]];
    const options = rest.length > 1 && !isObject(given) ? optionsOf(null) : optionsOf(given);
    const { bigints, varargs, flags } = functions.settings(options);
    needFunction(fn, 'function');
    const count = varargs ? -1 : fn.length;
    const callback = this.#guarded(fn);
    native.defineFunction(handle, name, count, flags, bigints, callback);
    this.#functions.set(functions.slot(name, count), callback);
  }

  aggregate(name, options) {
    const handle = this.#usable();
    const { count, flags, bigints, isWindow, answer } = functions.aggregate(options);
    const callback = this.#guarded(answer);
    native.defineAggregate(handle, String(name), count, flags, bigints, callback, isWindow);
    this.#functions.set(functions.slot(String(name), count), callback);
  }

  setAuthorizer(callback) {
    const handle = this.#usable();
    if (callback !== null && typeof callback !== 'function') throw argument('callback', 'a function or null');
    this.#authorizer =
      callback === null
        ? null
        : this.#guarded((...given) => {
            this.#authorizing++;
            try {
              return functions.verdict(callback(...given));
            } finally {
              this.#authorizing--;
            }
          });
    native.setAuthorizer(handle, this.#authorizer);
  }

  // ---- copies ----

  createSession(given) {
    const handle = this.#usable();
    const options = optionsOf(given);
    const table = choice(options, 'table', null, needString);
    return new Session(
      key,
      this.#connection,
      native.createSession(handle, choice(options, 'db', 'main', needString), table),
    );
  }

  applyChangeset(changeset, given) {
    const handle = this.#usable();
    if (!(changeset instanceof Uint8Array)) throw argument('changeset', 'a Uint8Array');
    const options = optionsOf(given);
    const filter = choice(options, 'filter', null, needFunction);
    const onConflict = choice(options, 'onConflict', null, needFunction);
    const status = native.apply(
      handle,
      changeset,
      filter && this.#guarded(filter),
      onConflict && this.#guarded(onConflict),
    );
    if (status === 0) return true;
    if (status === 4) return false; // SQLITE_ABORT
    throw Object.assign(coded(Error, 'ERR_SQLITE_ERROR', native.codeText(status)), { errcode: status });
  }

  serialize(name = 'main') {
    const handle = this.#usable();
    return native.serialize(handle, needString(name, 'dbName'));
  }

  deserialize(bytes, given) {
    const handle = this.#open();
    if (this.#callbacks > 0) throw wrongState('database cannot be deserialized while in a callback');
    if (!(bytes instanceof Uint8Array)) throw argument('buffer', 'a Uint8Array');
    if (bytes.length === 0) throw wrongValue('The "buffer" argument must not be empty.');
    const name = choice(optionsOf(given), 'dbName', 'main', needString);
    native.finalizeAll(handle);
    native.deserialize(handle, bytes, name);
  }

  // ---- settings ----

  location(name = 'main') {
    const handle = this.#open();
    return native.location(handle, needString(name, 'dbName'));
  }

  enableLoadExtension(allow) {
    const handle = this.#usable();
    needBoolean(allow, 'allow');
    if (allow && (this.#flags & kExtensions) === 0) {
      throw wrongState('Cannot enable extension loading because it was disabled at database creation.');
    }
    this.#allowsExtensions = allow;
    native.allowExtensions(handle, allow);
  }

  enableDefensive(active) {
    const handle = this.#usable();
    native.defend(handle, needBoolean(active, 'active'));
  }

  loadExtension(path, entryPoint) {
    this.#open();
    if (!this.#allowsExtensions) throw wrongState('extension loading is not allowed');
    const handle = this.#usable();
    const problem = native.loadExtension(handle, needString(path, 'path'), entryPoint);
    if (problem !== undefined) throw coded(Error, 'ERR_LOAD_SQLITE_EXTENSION', problem);
  }

  static {
    inner = {
      isOpen: (database) => database.#handle !== null,
      isTransaction: (database) => native.inTransaction(database.#open()),
      limits(database) {
        database.#open();
        return (database.#limitsView ??= viewOf(database.#connection));
      },
      handleOf: (database) => database.#usable(),
      isOne: (value) => isObject(value) && #handle in value,
    };
  }
}

// Each database has these as properties of its own.
const property = (read) => ({
  get() {
    return read(this);
  },
  enumerable: true,
});
const properties = {
  isOpen: property(inner.isOpen),
  isTransaction: property(inner.isTransaction),
  limits: property(inner.limits),
};

function DatabaseSync(path, options) {
  if (new.target === undefined)
    throw coded(TypeError, 'ERR_CONSTRUCT_CALL_REQUIRED', 'Cannot call constructor without `new`');
  return Reflect.construct(Connection, [path, options], new.target);
}
Object.defineProperty(DatabaseSync, 'prototype', { value: Connection.prototype });
present(DatabaseSync, [
  'open',
  'close',
  'prepare',
  'exec',
  'function',
  'createTagStore',
  'location',
  'aggregate',
  'createSession',
  'applyChangeset',
  'enableLoadExtension',
  'enableDefensive',
  'loadExtension',
  'serialize',
  'deserialize',
  'setAuthorizer',
  Symbol.dispose,
]);

module.exports = { DatabaseSync, inner };
