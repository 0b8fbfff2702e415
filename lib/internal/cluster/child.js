'use strict';

// A worker's side of a cluster.

const EventEmitter = require('events');
const mode = require('internal/cluster/mode');
const { kOwner } = require('internal/stream_base');
const { Worker, makeSender } = require('internal/cluster/worker');

const cluster = new EventEmitter();
module.exports = cluster;

const sender = makeSender();
const send = (message, callback) => sender.send(process, message, null, callback);
const handles = new Map();
const indexes = new Map();
const noop = () => {};

cluster.isWorker = true;
cluster.isMaster = false;
cluster.isPrimary = false;
cluster.worker = null;
cluster.Worker = Worker;

cluster._setupWorker = function() {
  const worker = new Worker({ id: +mode.id | 0, process, state: 'online' });
  cluster.worker = worker;
  process.once('disconnect', () => {
    process.channel = null;
    worker.emit('disconnect');
    // The primary is gone without a word: there is nothing left to do.
    if (!worker.exitedAfterDisconnect) process.exit(0);
  });
  process.on('internalMessage', sender.receive(worker, onmessage));
  send({ act: 'online' });
};

function onmessage(message, handle) {
  if (message.act === 'newconn') onconnection(message, handle);
  else if (message.act === 'disconnect') leave(cluster.worker, true);
}

// net and dgram ask here for the handle of an address that the primary holds.
cluster._getServer = function(object, options, callback) {
  let { address } = options;
  if (options.port < 0 && typeof address === 'string' && !address.startsWith('/') && !address.startsWith('\0')) {
    address = require('path').resolve(address);
  }
  // Listening again on the same address after closing is another question.
  const name = `${address}:${options.port}:${options.addressType}:${options.fd}`;
  let set = indexes.get(name);
  if (set === undefined) indexes.set(name, (set = { next: 0, used: new Set() }));
  const index = set.next++;
  set.used.add(index);
  const message = { act: 'queryServer', index, data: null, ...options, address };
  if (object._getServerData) message.data = object._getServerData();
  send(message, (reply, handle) => {
    if (typeof object._setServerData === 'function') object._setServerData(reply.data);
    if (handle) shared(reply, handle, name, index, callback);
    else roundRobin(reply, name, index, callback);
  });
  object.once('listening', () => {
    if (!indexes.has(name)) return;
    cluster.worker.state = 'listening';
    const info = object.address();
    send({ ...message, act: 'listening', port: (info && info.port) || options.port });
  });
};

function forget(name, index) {
  const set = indexes.get(name);
  if (set === undefined) return;
  set.used.delete(index);
  if (set.used.size === 0) indexes.delete(name);
}

// The socket itself.
function shared(message, handle, name, index, callback) {
  const { key } = message;
  const { close } = handle;
  handle.close = function(...args) {
    send({ act: 'close', key });
    handles.delete(key);
    forget(name, index);
    handle.close = close;
    return close.apply(handle, args);
  };
  handles.set(key, handle);
  callback(message.errno, handle);
}

// Something that looks like a handle; the connections come from the primary.
function roundRobin(message, name, index, callback) {
  if (message.errno) {
    callback(message.errno, null);
    return;
  }
  let { key } = message;
  // It keeps the worker alive while it listens.
  let keep;
  const handle = {
    id: 0,
    listen: () => 0,
    close(done) {
      if (key === undefined) return;
      unref();
      send({ act: 'close', key });
      handles.delete(key);
      forget(name, index);
      key = undefined;
      if (typeof done === 'function') process.nextTick(done);
    },
    ref,
    unref,
    hasRef: () => keep !== undefined,
  };
  function ref() {
    keep ??= setInterval(noop, 2147483647);
  }
  function unref() {
    clearInterval(keep);
    keep = undefined;
  }
  ref();
  if (message.sockname) {
    handle.getsockname = (out) => {
      Object.assign(out, message.sockname);
      return 0;
    };
  }
  handles.set(key, handle);
  callback(0, handle);
}

function onconnection(message, client) {
  const server = handles.get(message.key);
  const owner = server?.[kOwner];
  const full = owner != null && owner.maxConnections != null && owner._connections >= owner.maxConnections && !owner.dropMaxConnection;
  const accepted = server !== undefined && server.onconnection !== undefined && client !== undefined && !full;
  send({ ack: message.seq, accepted });
  if (accepted) server.onconnection(0, client);
  else client?.close();
}

// Everything is closed first; then the channel.
function leave(worker, byPrimary) {
  worker.exitedAfterDisconnect = true;
  let waiting = 1;
  function closed() {
    if (--waiting !== 0) return;
    if (byPrimary) {
      process.disconnect();
    } else {
      send({ act: 'exitedAfterDisconnect' }, () => process.disconnect());
    }
  }
  for (const handle of [...handles.values()]) {
    waiting++;
    const server = handle[kOwner];
    if (server && typeof server.close === 'function') server.close(closed);
    else handle.close(closed);
  }
  handles.clear();
  closed();
}

Worker.prototype.disconnect = function() {
  if (this.state !== 'disconnecting' && this.state !== 'destroying') {
    this.state = 'disconnecting';
    leave(this, false);
  }
  return this;
};

Worker.prototype.destroy = function() {
  if (this.state === 'destroying') return;
  this.exitedAfterDisconnect = true;
  if (!this.isConnected()) {
    process.exit(0);
  } else {
    this.state = 'destroying';
    send({ act: 'exitedAfterDisconnect' }, () => process.disconnect());
    process.once('disconnect', () => process.exit(0));
  }
};
