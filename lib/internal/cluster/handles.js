'use strict';

// What the primary holds for its workers: an address that they share. Either each worker gets the socket itself, or the
// primary accepts and hands the connections round.

class SharedHandle {
  constructor(key, address, { port, addressType, fd, flags }) {
    this.key = key;
    this.workers = new Map();
    this.handle = null;
    this.errno = 0;
    let handle;
    if (addressType === 'udp4' || addressType === 'udp6') {
      const { UDP } = require('internal/dgram');
      handle = new UDP();
      const err = typeof fd === 'number' && fd >= 0 ? handle.open(fd) :
        addressType === 'udp4' ? handle.bind(address || '0.0.0.0', port || 0, flags) : handle.bind6(address || '::', port || 0, flags);
      if (err) {
        handle.close();
        handle = err;
      }
    } else {
      handle = require('net')._createServerHandle(address, port, addressType, fd, flags);
    }
    if (typeof handle === 'number') this.errno = handle;
    else this.handle = handle;
  }

  add(worker, send) {
    this.workers.set(worker.id, worker);
    send(this.errno, null, this.handle);
  }

  remove(worker) {
    if (!this.workers.delete(worker.id) || this.workers.size !== 0) return false;
    this.handle?.close();
    this.handle = null;
    return true;
  }

  has(worker) {
    return this.workers.has(worker.id);
  }
}

class RoundRobinHandle {
  constructor(key, address, { port, fd, flags, backlog, readableAll, writableAll }, send) {
    const net = require('net');
    this.key = key;
    this.sendTo = send;
    this.workers = new Map();
    this.free = new Map();
    this.waiting = []; // connections for which no worker is free
    this.handle = null;
    this.server = net.createServer(() => {});
    if (typeof fd === 'number' && fd >= 0) {
      this.server.listen({ fd, backlog });
    } else if (port >= 0) {
      this.server.listen({ port, host: address, ipv6Only: Boolean(flags & 1), backlog });
    } else {
      this.server.listen({ path: address, backlog, readableAll, writableAll });
    }
    this.server.once('listening', () => {
      this.handle = this.server._handle;
      this.handle.onconnection = (err, client) => this.distribute(err, client);
      this.server._handle = null;
      this.server = null;
    });
  }

  add(worker, send) {
    this.workers.set(worker.id, worker);
    const done = () => {
      if (this.handle.getsockname && !this.handle.fchmod) {
        const out = {};
        this.handle.getsockname(out);
        send(null, { sockname: out }, null);
      } else {
        send(null, null, null); // a pipe
      }
      this.handoff(worker);
    };
    if (this.server === null) {
      done();
      return;
    }
    this.server.once('listening', done);
    this.server.once('error', (error) => send(error.errno, null));
  }

  remove(worker) {
    if (!this.workers.delete(worker.id)) return false;
    this.free.delete(worker.id);
    if (this.workers.size !== 0) return false;
    for (const client of this.waiting.splice(0)) client.close();
    this.handle?.close();
    this.handle = null;
    if (this.server !== null) this.server.close();
    return true;
  }

  has(worker) {
    return this.workers.has(worker.id);
  }

  distribute(err, client) {
    if (err) return;
    this.waiting.push(client);
    const first = this.free.entries().next().value;
    if (first === undefined) return;
    this.free.delete(first[0]);
    this.handoff(first[1]);
  }

  handoff(worker) {
    if (!this.workers.has(worker.id)) return;
    const client = this.waiting.shift();
    if (client === undefined) {
      this.free.set(worker.id, worker);
      return;
    }
    this.sendTo(worker.process, { act: 'newconn', key: this.key }, client, (reply) => {
      if (reply.accepted) client.close();
      else this.distribute(0, client);
      this.handoff(worker);
    });
  }
}

module.exports = { SharedHandle, RoundRobinHandle };
