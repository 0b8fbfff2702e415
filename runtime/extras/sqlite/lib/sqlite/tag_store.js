'use strict';

// SQLTagStore: statements written as template literals; the most recently used ones are kept prepared. A Map keeps the
// order in which its keys were added, so the first one is the least recently used.

const { argument, outOfRange, wrongType, wrongValue, isInt32, needKey, present } = require('internal/sqlite/arguments');
const { inner: statements } = require('internal/sqlite/statement');

let inner;

class SQLTagStore {
  #connection; // of its database
  #capacity;
  #kept = new Map(); // SQL -> StatementSync

  constructor(shown, connection, capacity) {
    needKey(shown);
    if (typeof capacity !== 'number') throw argument('maxSize', 'a positive integer');
    if (!isInt32(capacity) || capacity < 1) throw outOfRange('The "maxSize" argument must be a positive integer.');
    this.#connection = connection;
    this.#capacity = capacity;
    Object.defineProperties(this, properties);
  }

  #statementFor(parts, count) {
    this.#connection.use();
    if (!Array.isArray(parts)) throw wrongType('First argument must be an array of strings (template literal).');
    for (const part of parts) if (typeof part !== 'string') throw wrongType('Template literal parts must be strings.');
    const sql = parts.join('?');
    let statement = this.#kept.get(sql);
    this.#kept.delete(sql);
    if (statement === undefined || !statements.isLive(statement)) statement = this.#connection.prepare(sql);
    this.#kept.set(sql, statement);
    if (this.#kept.size > this.#capacity) this.#kept.delete(this.#kept.keys().next().value);
    if (statements.parameterCount(statement) !== count) {
      throw wrongValue('SQLite parameters must be bound using template literal placeholders.');
    }
    return statement;
  }

  get(parts, ...given) {
    return statements.perform(this.#statementFor(parts, given.length), 'get', given);
  }

  all(parts, ...given) {
    return statements.perform(this.#statementFor(parts, given.length), 'all', given);
  }

  iterate(parts, ...given) {
    return statements.perform(this.#statementFor(parts, given.length), 'iterate', given);
  }

  run(parts, ...given) {
    return statements.perform(this.#statementFor(parts, given.length), 'run', given);
  }

  clear() {
    this.#kept.clear();
  }

  static {
    inner = {
      capacity: (store) => store.#capacity,
      db: (store) => store.#connection.database,
      size: (store) => store.#kept.size,
    };
  }
}

// Each store has these as properties of its own.
const property = (read) => ({
  get() {
    return read(this);
  },
  enumerable: true,
});
const properties = { capacity: property(inner.capacity), db: property(inner.db), size: property(inner.size) };

present(SQLTagStore, ['get', 'all', 'iterate', 'run', 'clear']);

module.exports = { SQLTagStore };
