'use strict';

// The primary's side of a cluster.

const EventEmitter = require('events');
const { Worker, makeSender } = require('internal/cluster/worker');
const { SharedHandle, RoundRobinHandle } = require('internal/cluster/handles');
const { validatePort } = require('internal/validators');

const cluster = new EventEmitter();
module.exports = cluster;

const SCHED_NONE = 1;
const SCHED_RR = 2;
const { send, receive } = makeSender();
const handles = new Map();
const intercom = new EventEmitter();
let ids = 0;
let initialized = false;

cluster.isWorker = false;
cluster.isMaster = true;
cluster.isPrimary = true;
cluster.Worker = Worker;
cluster.workers = {};
cluster.settings = {};
cluster.SCHED_NONE = SCHED_NONE;
cluster.SCHED_RR = SCHED_RR;
cluster.schedulingPolicy = { none: SCHED_NONE, rr: SCHED_RR }[process.env.NODE_CLUSTER_SCHED_POLICY] ?? SCHED_RR;

cluster.setupPrimary = function(options) {
  const settings = { args: process.argv.slice(2), exec: process.argv[1], execArgv: process.execArgv, silent: false, ...cluster.settings, ...options };
  cluster.settings = settings;
  if (initialized) {
    process.nextTick(() => cluster.emit('setup', settings));
    return;
  }
  initialized = true;
  process.nextTick(() => cluster.emit('setup', settings));
};
cluster.setupMaster = cluster.setupPrimary;

function createWorkerProcess(id, env) {
  const { settings } = cluster;
  const execArgv = [...settings.execArgv];
  if (settings.inspectPort !== undefined && settings.inspectPort !== null) {
    const port = typeof settings.inspectPort === 'function' ? settings.inspectPort() : settings.inspectPort;
    validatePort(port);
  }
  return require('child_process').fork(settings.exec, settings.args, {
    cwd: settings.cwd,
    env: { ...process.env, ...env, NODE_UNIQUE_ID: `${id}` },
    serialization: settings.serialization,
    silent: settings.silent,
    windowsHide: settings.windowsHide,
    execArgv,
    stdio: settings.stdio,
    gid: settings.gid,
    uid: settings.uid,
  });
}

function removeWorker(worker) {
  delete cluster.workers[worker.id];
  if (Object.keys(cluster.workers).length === 0) intercom.emit('disconnect');
}

function removeHandlesForWorker(worker) {
  for (const [key, handle] of handles) if (handle.remove(worker)) handles.delete(key);
}

cluster.fork = function(env) {
  cluster.setupPrimary();
  const id = ++ids;
  const worker = new Worker({ id, process: createWorkerProcess(id, env) });
  worker.on('message', function(message, handle) {
    cluster.emit('message', this, message, handle);
  });
  worker.process.once('exit', (exitCode, signalCode) => {
    if (!worker.isConnected()) {
      removeHandlesForWorker(worker);
      removeWorker(worker);
    }
    worker.exitedAfterDisconnect = !!worker.exitedAfterDisconnect;
    worker.state = 'dead';
    worker.emit('exit', exitCode, signalCode);
    cluster.emit('exit', worker, exitCode, signalCode);
  });
  worker.process.once('disconnect', () => {
    removeHandlesForWorker(worker);
    if (worker.isDead()) removeWorker(worker);
    worker.exitedAfterDisconnect = !!worker.exitedAfterDisconnect;
    worker.state = 'disconnected';
    worker.emit('disconnect');
    cluster.emit('disconnect', worker);
  });
  worker.process.on('internalMessage', receive(worker, onmessage));
  process.nextTick(() => cluster.emit('fork', worker));
  cluster.workers[worker.id] = worker;
  return worker;
};

cluster.disconnect = function(callback) {
  const workers = Object.values(cluster.workers);
  if (workers.length === 0) {
    process.nextTick(() => intercom.emit('disconnect'));
  } else {
    for (const worker of workers) {
      if (worker.isConnected()) worker.disconnect();
    }
  }
  if (typeof callback === 'function') intercom.once('disconnect', callback);
};

const acts = {
  online(worker) {
    worker.state = 'online';
    worker.emit('online');
    cluster.emit('online', worker);
  },
  exitedAfterDisconnect(worker, message) {
    worker.exitedAfterDisconnect = true;
    send(worker.process, { ack: message.seq });
  },
  queryServer,
  listening(worker, message) {
    const info = { addressType: message.addressType, address: message.address, port: message.port, fd: message.fd };
    worker.state = 'listening';
    worker.emit('listening', info);
    cluster.emit('listening', worker, info);
  },
  close(worker, message) {
    const handle = handles.get(message.key);
    if (handle?.remove(worker)) handles.delete(message.key);
  },
};

function onmessage(message) {
  acts[message.act]?.(this, message);
}

function queryServer(worker, message) {
  // A worker that is leaving gets nothing any more.
  if (worker.exitedAfterDisconnect) return;
  const name = `${message.address}:${message.port}:${message.addressType}:${message.fd}:${message.index}`;
  let handle = handles.get(name);
  if (handle === undefined) {
    let { address } = message;
    // The names of unix sockets are short: the shorter of the two ways to write it.
    if (message.port < 0 && typeof address === 'string' && address.startsWith('/')) {
      const relative = require('path').relative(process.cwd(), address);
      if (relative.length < address.length) address = relative;
    }
    handle = cluster.schedulingPolicy !== SCHED_RR || message.addressType === 'udp4' || message.addressType === 'udp6' ?
      new SharedHandle(name, address, message) : new RoundRobinHandle(name, address, message, send);
    handles.set(name, handle);
  }
  handle.data ??= message.data;
  handle.add(worker, (errno, reply, native) => {
    const { data } = handles.get(name) ?? handle;
    if (errno) handles.delete(name); // the next one may try again
    send(worker.process, { errno, key: name, ack: message.seq, data, ...reply }, native);
  });
}

Worker.prototype.disconnect = function() {
  this.exitedAfterDisconnect = true;
  send(this.process, { act: 'disconnect' });
  removeHandlesForWorker(this);
  removeWorker(this);
  return this;
};

Worker.prototype.destroy = function(signal) {
  this.process.kill(signal || 'SIGTERM');
};
