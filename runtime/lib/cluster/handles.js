'use strict';

// Addresses that the primary holds for its workers. A Shared one is given to each worker, which listens itself. For a
// Dealt one the primary accepts the connections, and distributes them to the free workers in turn.

class Held {
  handle = null;
  members = new Set();

  constructor(key) {
    this.key = key;
  }

  // -> whether it was the last one: then the address is released
  leave(worker) {
    if (!this.members.delete(worker) || this.members.size > 0) return false;
    this.letGo();
    return true;
  }

  letGo() {
    this.handle?.close();
    this.handle = null;
  }
}

function bindDatagrams({ addressType, address, port, fd, flags }) {
  const { UDP } = require('internal/dgram');
  const handle = new UDP();
  let err;
  if (typeof fd === 'number' && fd >= 0) err = handle.open(fd);
  else if (addressType === 'udp6') err = handle.bind6(address || '::', port || 0, flags);
  else err = handle.bind(address || '0.0.0.0', port || 0, flags);
  if (!err) return handle;
  handle.close();
  return err;
}

class Shared extends Held {
  #errno = 0;

  constructor(key, place) {
    super(key);
    const { address, port, addressType, fd, flags } = place;
    const handle =
      addressType === 'udp4' || addressType === 'udp6'
        ? bindDatagrams(place)
        : require('net')._createServerHandle(address, port, addressType, fd, flags);
    if (typeof handle === 'number') this.#errno = handle;
    else this.handle = handle;
  }

  // joined(errno, further data, the handle to pass)
  join(worker, joined) {
    this.members.add(worker);
    joined(this.#errno, undefined, this.handle);
  }
}

class Dealt extends Held {
  #server;
  #idle = new Set(); // workers, the longest idle first
  #clients = []; // connections for which nobody is idle

  constructor(key, place) {
    super(key);
    const { address, port, fd, flags, backlog, readableAll, writableAll } = place;
    this.#server = require('net').createServer();
    if (typeof fd === 'number' && fd >= 0) this.#server.listen({ fd, backlog });
    else if (port >= 0) this.#server.listen({ port, host: address, ipv6Only: (flags & 1) === 1, backlog });
    else this.#server.listen({ path: address, backlog, readableAll, writableAll });
    this.#server.once('listening', () => this.#opened());
  }

  // Only the handle of the server is used.
  #opened() {
    this.handle = this.#server._handle;
    this.handle.onconnection = (err, client) => {
      if (!err) this.#arrived(client);
    };
    this.#server._handle = null;
    this.#server = null;
  }

  join(worker, joined) {
    this.members.add(worker);
    const opened = () => {
      const name = {};
      const isPipe = this.handle.fchmod !== undefined;
      if (!isPipe) this.handle.getsockname(name);
      joined(null, isPipe ? undefined : { sockname: name });
      this.#serve(worker);
    };
    if (this.#server === null) {
      opened();
    } else {
      this.#server.once('listening', opened);
      this.#server.once('error', ({ errno }) => joined(errno));
    }
  }

  leave(worker) {
    this.#idle.delete(worker);
    return super.leave(worker);
  }

  letGo() {
    for (const client of this.#clients.splice(0)) client.close();
    this.#server?.close();
    super.letGo();
  }

  #arrived(client) {
    this.#clients.push(client);
    const [worker] = this.#idle;
    if (worker === undefined) return;
    this.#idle.delete(worker);
    this.#serve(worker);
  }

  // Gives a worker one connection; if there is none, the worker is idle.
  #serve(worker) {
    if (!this.members.has(worker)) return;
    const client = this.#clients.shift();
    if (client === undefined) {
      this.#idle.add(worker);
      return;
    }
    worker.line.ask(
      { act: 'newconn', key: this.key },
      ({ accepted }) => {
        if (accepted) client.close();
        else this.#arrived(client); // then it goes to another worker
        this.#serve(worker);
      },
      client,
    );
  }
}

module.exports = { Shared, Dealt };
