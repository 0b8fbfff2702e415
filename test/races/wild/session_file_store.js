'use strict';
// session-file-store 1.5.0: touch brings an older session back. It reads the file, sets the time, and writes all of it; what another
// request has saved between is lost. express-session calls touch at the end of each request that has not changed its session.
// It hardly needs a schedule: most orders show it.

const assert = require('assert');
const { EventEmitter } = require('events');
const { promisify } = require('util');
const folder = require('./scratch.js');

function Store() {}
Object.setPrototypeOf(Store.prototype, EventEmitter.prototype);
const FileStore = require('session-file-store-1.5.0')({ Store });

const store = new FileStore({ path: folder, logFn() {}, reapInterval: -1 });
const [get, set, touch] = ['get', 'set', 'touch'].map((name) => promisify(store[name].bind(store)));
const session = (visits) => ({ cookie: { originalMaxAge: null }, visits });

async function main() {
  await set('id', session(1));
  await Promise.all([touch('id', session(1)), set('id', session(2))]);
  assert.strictEqual((await get('id')).visits, 2, 'what was saved is lost');
  process.exit(0);
}
main();
