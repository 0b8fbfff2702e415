'use strict';

// The guest's descriptors: numbers of its own for descriptors of the system, and the rights of each.

const native = internalBinding('wasi');
const { errno, bySystem, ofDirectory, ofFile, ofTerminal, type, typeOfMode } = require('internal/wasi/numbers');

// The error of a guest's call.
class Failure {
  constructor(number) {
    this.number = number;
  }
}

const fail = (name) => {
  throw new Failure(errno[name]);
};

// The binding's result, or the failure that it stands for.
function check(result) {
  if (typeof result !== 'number' || result >= 0) return result;
  throw new Failure(result === native.outside ? errno.ENOTCAPABLE : (bySystem.get(-result) ?? errno.EIO));
}

class Descriptor {
  constructor(host, kind, base, inheriting, { name, isOurs = true } = {}) {
    this.host = host;
    this.type = kind;
    this.base = base;
    this.inheriting = inheriting;
    this.name = name; // of a directory that was given at the start
    this.isOurs = isOurs; // to close
  }
}

const stats = new BigUint64Array(8);

class Table {
  #list = []; // by the guest's numbers

  // Descriptors that the program has: their type decides their rights.
  addStandard(host) {
    let kind = type.unknown;
    if (native.fstat(host, stats) === 0) kind = typeOfMode(Number(stats[2]));
    const base = kind === type.character ? ofTerminal : ofFile;
    return this.add(new Descriptor(host, kind, base, base, { isOurs: false }));
  }

  addDirectory(host, name) {
    return this.add(new Descriptor(host, type.directory, ofDirectory, ofDirectory | ofFile, { name }));
  }

  add(descriptor) {
    let number = this.#list.indexOf(undefined);
    if (number < 0) number = this.#list.length;
    this.#list[number] = descriptor;
    return number;
  }

  // With all of the rights.
  get(number, wanted = 0n) {
    const descriptor = this.#list[number];
    if (descriptor === undefined) fail('EBADF');
    if ((descriptor.base & wanted) !== wanted) fail('ENOTCAPABLE');
    return descriptor;
  }

  close(number) {
    const descriptor = this.get(number);
    this.#list[number] = undefined;
    if (descriptor.isOurs) check(native.close(descriptor.host));
  }

  // Moves `from` to `to`, which it replaces.
  renumber(from, to) {
    const moved = this.get(from);
    const replaced = this.get(to);
    if (from === to) return;
    this.#list[to] = moved;
    this.#list[from] = undefined;
    if (replaced.isOurs) check(native.close(replaced.host));
  }

  closeAll() {
    this.#list.forEach((descriptor, number) => {
      if (descriptor !== undefined && descriptor.isOurs) native.close(descriptor.host);
      this.#list[number] = undefined;
    });
  }
}

module.exports = { Descriptor, Failure, Table, check, fail, stats };
