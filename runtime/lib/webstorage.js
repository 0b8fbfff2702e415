'use strict';

// Web Storage: sessionStorage in memory, localStorage in the file that --localstorage-file names (an SQLite database
// with a table as Node has it, so that both can use the file). A proxy shows items as properties, too; keys are sorted,
// as in a table.

const { Buffer } = require('internal/buffer/class');

const kMost = 10 * 1024 * 1024; // bytes, two for each character
const sizeOf = (key, value) => 2 * (key.length + value.length);
const kToken = Symbol('storage');

class MemoryItems {
  #map = new Map();
  #sorted;
  size = 0;

  get(key) {
    return this.#map.get(key);
  }

  set(key, value) {
    if (!this.#map.has(key)) this.#sorted = undefined;
    this.#map.set(key, value);
  }

  delete(key) {
    this.#map.delete(key);
    this.#sorted = undefined;
  }

  clear() {
    this.#map.clear();
    this.#sorted = undefined;
  }

  keys() {
    return (this.#sorted ??= [...this.#map.keys()].sort((a, b) =>
      Buffer.compare(Buffer.from(a, 'utf16le'), Buffer.from(b, 'utf16le')),
    ));
  }
}

const kTable = 'nodejs_webstorage';
const encode = (text) => Buffer.from(text, 'utf16le');
const decode = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf16le');

// The file is made when the first item is wanted or set.
class FileItems {
  #file;
  #statements;
  size = 0;

  constructor(file) {
    this.#file = file;
  }

  get #sql() {
    if (this.#statements !== undefined) return this.#statements;
    const { DatabaseSync } = requireQuietly();
    const database = new DatabaseSync(this.#file);
    // Node's own triggers in such a file call this function; the library may be too old to have it.
    database.function('octet_length', { deterministic: true }, (value) =>
      typeof value === 'string' ? Buffer.byteLength(value) : value.byteLength,
    );
    database.exec(`CREATE TABLE IF NOT EXISTS ${kTable} (key BLOB NOT NULL PRIMARY KEY, value BLOB NOT NULL) STRICT`);
    const prepare = (text) => database.prepare(text);
    this.#statements = {
      get: prepare(`SELECT value FROM ${kTable} WHERE key = ?`),
      set: prepare(
        `INSERT INTO ${kTable} (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
      ),
      delete: prepare(`DELETE FROM ${kTable} WHERE key = ?`),
      clear: prepare(`DELETE FROM ${kTable}`),
      keys: prepare(`SELECT key FROM ${kTable} ORDER BY key`),
    };
    this.size = prepare(`SELECT coalesce(sum(length(key) + length(value)), 0) AS size FROM ${kTable}`).get().size;
    return this.#statements;
  }

  get(key) {
    const row = this.#sql.get.get(encode(key));
    return row && decode(row.value);
  }

  set(key, value) {
    this.#sql.set.run(encode(key), encode(value));
  }

  delete(key) {
    this.#sql.delete.run(encode(key));
  }

  clear() {
    this.#sql.clear.run();
  }

  keys() {
    return this.#sql.keys.all().map(({ key }) => decode(key));
  }
}

// The runtime uses the database here, not the program: the experimental warning is not shown.
function requireQuietly() {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return require('sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

function need(given, count, method) {
  if (given >= count) return;
  const error = new TypeError(
    `Failed to execute '${method}' on 'Storage': ${count} argument${count === 1 ? '' : 's'} required`,
  );
  error.code = 'ERR_MISSING_ARGS';
  throw error;
}

class Storage {
  #items;

  constructor(token, items) {
    if (token !== kToken) throw Object.assign(new Error('Illegal constructor'), { code: 'ERR_ILLEGAL_CONSTRUCTOR' });
    this.#items = items;
    const proxy = new Proxy(this, traps);
    owners.set(proxy, this);
    return proxy;
  }

  // The storage behind its proxy.
  static #of(value) {
    const storage = owners.get(value) ?? value;
    if (typeof storage !== 'object' || storage === null || !(#items in storage))
      throw new TypeError('Illegal invocation');
    return storage.#items;
  }

  get length() {
    return Storage.#of(this).keys().length;
  }

  clear() {
    const items = Storage.#of(this);
    items.clear();
    items.size = 0;
  }

  getItem(key) {
    const items = Storage.#of(this);
    need(arguments.length, 1, 'getItem');
    return items.get(`${key}`) ?? null;
  }

  key(index) {
    const items = Storage.#of(this);
    need(arguments.length, 1, 'key');
    return items.keys()[index >>> 0] ?? null;
  }

  removeItem(key) {
    const items = Storage.#of(this);
    need(arguments.length, 1, 'removeItem');
    const name = `${key}`;
    const before = items.get(name);
    if (before === undefined) return;
    items.delete(name);
    items.size -= sizeOf(name, before);
  }

  setItem(key, value) {
    const items = Storage.#of(this);
    need(arguments.length, 2, 'setItem');
    const name = `${key}`;
    const text = `${value}`;
    const before = items.get(name);
    const size = items.size + sizeOf(name, text) - (before === undefined ? 0 : sizeOf(name, before));
    if (size > kMost) throw new QuotaExceededError('Setting the value exceeded the quota');
    items.set(name, text);
    items.size = size;
  }

  static keysOf(storage) {
    return Storage.#of(storage)
      .keys()
      .filter((key) => !(key in Storage.prototype));
  }
}

const { keysOf } = Storage;
delete Storage.keysOf;
Object.defineProperty(Storage, 'length', { __proto__: null, value: 0, configurable: true });
for (const name of ['length', 'clear', 'getItem', 'key', 'removeItem', 'setItem']) {
  Object.defineProperty(Storage.prototype, name, { __proto__: null, enumerable: true });
}
Object.defineProperty(Storage.prototype, Symbol.for('nodejs.util.inspect.custom'), {
  __proto__: null,
  value(depth, options, inspect) {
    return `Storage ${inspect(Object.fromEntries(keysOf(this).map((key) => [key, this.getItem(key)])), options)}`;
  },
  configurable: true,
});

const owners = new WeakMap(); // proxy -> storage
const isItem = (key) => typeof key === 'string' && !(key in Storage.prototype);

const traps = {
  __proto__: null,
  get: (storage, key, receiver) =>
    isItem(key)
      ? (storage.getItem(key) ?? undefined)
      : Reflect.get(storage, key, key === 'length' ? storage : receiver),
  has: (storage, key) => (isItem(key) ? storage.getItem(key) !== null : Reflect.has(storage, key)),
  set(storage, key, value) {
    if (typeof key === 'symbol') return Reflect.set(storage, key, value);
    storage.setItem(key, value);
    return true;
  },
  defineProperty(storage, key, descriptor) {
    if (typeof key === 'symbol') return Reflect.defineProperty(storage, key, descriptor);
    storage.setItem(key, descriptor.value);
    return true;
  },
  deleteProperty(storage, key) {
    if (typeof key === 'symbol') return Reflect.deleteProperty(storage, key);
    storage.removeItem(key);
    return true;
  },
  ownKeys: (storage) => [...keysOf(storage), ...Reflect.ownKeys(storage)],
  getOwnPropertyDescriptor(storage, key) {
    if (!isItem(key)) return Reflect.getOwnPropertyDescriptor(storage, key);
    const value = storage.getItem(key);
    return value === null ? undefined : { value, writable: true, enumerable: true, configurable: true };
  },
};

const file = require('internal/process/flags').valuesOf('--localstorage-file').at(-1);

let local;
let warned = false;
function localStorage() {
  if (file === undefined || file === '') {
    if (!warned)
      process.emitWarning(
        'localStorage is not available because --localstorage-file was not provided.',
        'ExperimentalWarning',
      );
    warned = true;
    return undefined;
  }
  return (local ??= new Storage(kToken, new FileItems(file)));
}

let session;
const sessionStorage = () => (session ??= new Storage(kToken, new MemoryItems()));

module.exports = { Storage, localStorage, sessionStorage };
