'use strict';

// The primary's side of a cluster: it starts workers, and holds the addresses that they listen on.

const EventEmitter = require('events');
const { Worker, Line } = require('internal/cluster/worker');
const { Shared, Dealt } = require('internal/cluster/handles');
const { validatePort } = require('internal/validators');

const SCHED_NONE = 1;
const SCHED_RR = 2;
const policies = { __proto__: null, none: SCHED_NONE, rr: SCHED_RR };

const held = new Map(); // key -> address
const waitingForAll = []; // to be called when the last worker is gone
let lastId = 0;

const cluster = (module.exports = Object.assign(new EventEmitter(), {
  isWorker: false,
  isMaster: true,
  isPrimary: true,
  Worker,
  workers: {},
  settings: {},
  SCHED_NONE,
  SCHED_RR,
  schedulingPolicy: policies[process.env.NODE_CLUSTER_SCHED_POLICY] ?? SCHED_RR,
  setupPrimary,
  setupMaster: setupPrimary,
  fork,
  disconnect,
}));

function setupPrimary(options) {
  const { argv, execArgv } = process;
  const settings = { args: argv.slice(2), exec: argv[1], execArgv, silent: false, ...cluster.settings, ...options };
  cluster.settings = settings;
  process.nextTick(() => cluster.emit('setup', settings));
}

function start(id, variables) {
  const { exec, args, inspectPort, execArgv, ...options } = cluster.settings;
  if (inspectPort != null) validatePort(typeof inspectPort === 'function' ? inspectPort() : inspectPort);
  const { cwd, serialization, silent, windowsHide, stdio, gid, uid } = options;
  const env = { ...process.env, ...variables, NODE_UNIQUE_ID: String(id) };
  return require('child_process').fork(exec, args, {
    cwd,
    env,
    serialization,
    silent,
    windowsHide,
    execArgv: [...execArgv],
    stdio,
    gid,
    uid,
  });
}

function fork(variables) {
  setupPrimary();
  const id = ++lastId;
  const worker = new Worker({ id, process: start(id, variables) });
  // util.inspect does not show these properties.
  Object.defineProperty(worker, 'line', { value: new Line(worker.process, handlersFor(worker)) });
  worker.on('message', (...args) => cluster.emit('message', worker, ...args));
  worker.process.once('exit', (...how) => {
    if (!worker.isConnected()) releaseAddresses(worker, true);
    leaving(worker, 'dead');
    tell(worker, 'exit', ...how);
  });
  worker.process.once('disconnect', () => {
    releaseAddresses(worker, worker.isDead());
    leaving(worker, 'disconnected');
    tell(worker, 'disconnect');
  });
  process.nextTick(() => cluster.emit('fork', worker));
  return (cluster.workers[id] = worker);
}

// An event of a worker is also an event of the cluster.
function tell(worker, name, ...args) {
  worker.emit(name, ...args);
  cluster.emit(name, worker, ...args);
}

function leaving(worker, state) {
  worker.exitedAfterDisconnect = Boolean(worker.exitedAfterDisconnect);
  worker.state = state;
}

// It holds no addresses any more; when nothing is left of it, it is removed from the workers.
function releaseAddresses(worker, wholly) {
  for (const [key, address] of held) if (address.leave(worker)) held.delete(key);
  if (wholly) strikeOff(worker);
}

function strikeOff(worker) {
  delete cluster.workers[worker.id];
  if (Object.keys(cluster.workers).length === 0) for (const callback of waitingForAll.splice(0)) callback();
}

function disconnect(callback) {
  const workers = Object.values(cluster.workers);
  if (typeof callback === 'function') {
    if (workers.length === 0) process.nextTick(callback);
    else waitingForAll.push(callback);
  }
  for (const worker of workers) if (worker.isConnected()) worker.disconnect();
}

// ---- messages of workers ----

function handlersFor(worker) {
  return {
    online() {
      worker.state = 'online';
      tell(worker, 'online');
    },
    listening({ addressType, address, port, fd }) {
      worker.state = 'listening';
      tell(worker, 'listening', { addressType, address, port, fd });
    },
    exitedAfterDisconnect(message, handle, answer) {
      worker.exitedAfterDisconnect = true;
      answer();
    },
    queryServer(message, handle, answer) {
      // A worker that is leaving gets no more handles.
      if (!worker.exitedAfterDisconnect) admit(worker, message, answer);
    },
    close({ key }) {
      if (held.get(key)?.leave(worker)) held.delete(key);
    },
  };
}

function admit(worker, place, answer) {
  const { addressType, port, fd, index, data } = place;
  const key = [place.address, port, addressType, fd, index].join(':');
  let address = held.get(key);
  if (address === undefined) {
    const dealt = cluster.schedulingPolicy === SCHED_RR && addressType !== 'udp4' && addressType !== 'udp6';
    address = new (dealt ? Dealt : Shared)(key, { ...place, address: shortest(place) });
    held.set(key, address);
  }
  address.data ??= data;
  address.join(worker, (errno, more, passed) => {
    if (errno) held.delete(key); // the next one may try again
    answer({ errno, key, data: address.data, ...more }, passed);
  });
}

// The names of unix sockets must be short: the shorter of the two spellings is used.
function shortest({ address, port }) {
  if (port >= 0 || typeof address !== 'string' || !address.startsWith('/')) return address;
  const relative = require('path').relative(process.cwd(), address);
  return relative.length < address.length ? relative : address;
}

// ---- messages to workers ----

Worker.prototype.disconnect = function () {
  this.exitedAfterDisconnect = true;
  this.line.tell({ act: 'disconnect' });
  releaseAddresses(this, true);
  return this;
};

Worker.prototype.destroy = function (signal = 'SIGTERM') {
  this.process.kill(signal);
};
