'use strict';

// A worker's side of a cluster: net and dgram ask this module for the address on which they want to listen. They get
// the primary's own handle, or a substitute that delivers the connections that the primary accepts.

const EventEmitter = require('events');
const { cluster: mode } = require('internal/state');
const { kOwner } = require('internal/stream_base');
const { Worker, Line } = require('internal/cluster/worker');

const FOREVER_MS = 2 ** 31 - 1;

const listeners = new Map(); // key -> handle or stand-in
const asked = new Map(); // place -> { next, open }: each question about a place is another one
let line;

const cluster = (module.exports = Object.assign(new EventEmitter(), {
  isWorker: true,
  isMaster: false,
  isPrimary: false,
  worker: null,
  Worker,
  _setupWorker: setUp,
  _getServer: ask,
}));

function setUp() {
  const worker = (cluster.worker = new Worker({ id: Number(mode.id), process, state: 'online' }));
  process.once('disconnect', () => {
    process.channel = null;
    worker.emit('disconnect');
    // The primary has ended without a message: the worker ends, too.
    if (!worker.exitedAfterDisconnect) process.exit(0);
  });
  line = new Line(process, {
    newconn: arrived,
    disconnect: () => leave(worker, () => process.disconnect()),
  });
  line.tell({ act: 'online' });
}

// ---- addresses ----

function ask(owner, place, callback) {
  const address = wholePath(place);
  const name = `${address}:${place.port}:${place.addressType}:${place.fd}`;
  const index = enter(name);
  const question = { ...place, address, index, data: owner._getServerData?.() ?? null };
  line.ask({ ...question, act: 'queryServer' }, (reply, handle) => {
    owner._setServerData?.(reply.data);
    const close = () => {
      line.tell({ act: 'close', key: reply.key });
      listeners.delete(reply.key);
      forget(name, index);
    };
    const listener = handle ? watched(handle, close) : reply.errno ? null : new StandIn(reply.sockname, close);
    if (listener !== null) listeners.set(reply.key, listener);
    callback(reply.errno || (handle ? reply.errno : 0), listener);
  });
  owner.once('listening', () => {
    if (!asked.has(name)) return;
    cluster.worker.state = 'listening';
    line.tell({ ...question, act: 'listening', port: owner.address()?.port || place.port });
  });
}

// The primary may be in another directory.
function wholePath({ address, port }) {
  const isPath = port < 0 && typeof address === 'string' && !/^[/\0]/.test(address);
  return isPath ? require('path').resolve(address) : address;
}

function enter(name) {
  const entry = asked.get(name) ?? { next: 0, open: new Set() };
  asked.set(name, entry);
  entry.open.add(entry.next);
  return entry.next++;
}

function forget(name, index) {
  const entry = asked.get(name);
  entry?.open.delete(index);
  if (entry?.open.size === 0) asked.delete(name);
}

// A handle of the primary, which is told when it is closed here.
function watched(handle, closing) {
  handle.close = function (callback) {
    delete handle.close;
    closing();
    handle.close(callback);
  };
  return handle;
}

// It has the interface of a listening handle, and keeps the process alive like one.
class StandIn {
  id = 0;
  #closing;
  #alive;

  constructor(name, closing) {
    this.#closing = closing;
    if (name) {
      this.getsockname = (out) => {
        Object.assign(out, name);
        return 0;
      };
    }
    this.ref();
  }

  listen() {
    return 0;
  }

  ref() {
    this.#alive ??= setInterval(() => {}, FOREVER_MS);
  }

  unref() {
    clearInterval(this.#alive);
    this.#alive = undefined;
  }

  hasRef() {
    return this.#alive !== undefined;
  }

  close(callback) {
    if (this.#closing === undefined) return;
    this.unref();
    this.#closing();
    this.#closing = undefined;
    if (typeof callback === 'function') process.nextTick(callback);
  }
}

function arrived({ key }, client, answer) {
  const listener = listeners.get(key);
  const server = listener?.[kOwner];
  const full =
    server?.maxConnections != null && server._connections >= server.maxConnections && !server.dropMaxConnection;
  const accepted = listener?.onconnection !== undefined && client !== undefined && !full;
  answer({ accepted });
  if (accepted) listener.onconnection(0, client);
  else client?.close();
}

// ---- the end ----

// Closes all handles, then the channel.
function leave(worker, done) {
  worker.exitedAfterDisconnect = true;
  const open = [...listeners.values()].map((listener) => listener[kOwner] ?? listener);
  listeners.clear();
  let left = open.length;
  const closed = () => {
    if (left-- === 0) done();
  };
  for (const listener of open) listener.close(closed);
  closed();
}

// Tells the primary that the exit was intended.
function announceExit() {
  line.ask({ act: 'exitedAfterDisconnect' }, () => process.disconnect());
}

Worker.prototype.disconnect = function () {
  if (this.state === 'disconnecting' || this.state === 'destroying') return this;
  this.state = 'disconnecting';
  leave(this, announceExit);
  return this;
};

Worker.prototype.destroy = function () {
  if (this.state === 'destroying') return;
  this.exitedAfterDisconnect = true;
  if (!this.isConnected()) process.exit(0);
  this.state = 'destroying';
  process.once('disconnect', () => process.exit(0));
  announceExit();
};
