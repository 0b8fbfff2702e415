'use strict';

// The functions that a guest imports: they take numbers and addresses in the guest's memory, and return WASI's number
// of an error, or 0. Those on files are in descriptors.js and paths.js; the rest, and the common code, is here.

const native = internalBinding('wasi');
const { codes } = require('internal/errors');
const { randomFillSync } = require('crypto');
const { errno, right } = require('internal/wasi/numbers');
const { Failure, check, fail } = require('internal/wasi/table');
const descriptors = require('internal/wasi/descriptors');
const paths = require('internal/wasi/paths');

const clockKind = 0,
  readKind = 1,
  writeKind = 2; // of subscriptions
const subscriptionSize = 48,
  eventSize = 32;
const isAbsolute = 1; // of a clock's flags
const hungUp = 1; // of an event's flags
const POLLIN = 1,
  POLLOUT = 4,
  POLLHUP = 16,
  POLLNVAL = 32;

const time = new Float64Array(2);
function clock(which, isResolution) {
  check(native.clock(which, isResolution, time));
  return BigInt(time[0]) * 1000000000n + BigInt(time[1]);
}

const endOfText = (text) => Buffer.from(`${text}\0`);
const lengthOf = (texts) => texts.reduce((sum, text) => sum + text.length, 0);

function subscriptionAt(call, at) {
  const { view } = call.memory;
  const kind = view.getUint8(at + 8);
  const subscription = { userdata: view.getBigUint64(at, true), kind };
  if (kind === clockKind) {
    subscription.clock = view.getUint32(at + 16, true);
    subscription.timeout = view.getBigUint64(at + 24, true);
    if ((view.getUint16(at + 40, true) & isAbsolute) !== 0) {
      const left = subscription.timeout - clock(subscription.clock, false);
      subscription.timeout = left > 0n ? left : 0n;
    }
  } else if (kind === readKind || kind === writeKind) {
    subscription.fd = view.getUint32(at + 16, true);
  } else {
    fail('EINVAL');
  }
  return subscription;
}

function setEvent(call, at, { userdata, kind }, error, flags) {
  const { view } = call.memory;
  view.setBigUint64(at, userdata, true);
  view.setUint16(at + 8, error, true);
  view.setUint8(at + 10, kind);
  view.setBigUint64(at + 16, 0n, true);
  view.setUint16(at + 24, flags, true);
}

// Blocks the thread until one of the events has occurred.
function poll(call, inAt, outAt, count, out) {
  if (count === 0) fail('EINVAL');
  const subscriptions = Array.from({ length: count }, (_, i) => subscriptionAt(call, inAt + i * subscriptionSize));
  const clocks = subscriptions.filter(({ kind }) => kind === clockKind);
  const first = clocks.reduce(
    (least, each) => (least === undefined || each.timeout < least.timeout ? each : least),
    undefined,
  );
  const files = subscriptions.filter(({ kind }) => kind !== clockKind);
  const events = [];
  const polled = [];
  for (const file of files) {
    try {
      polled.push([file, call.table.get(file.fd, right.poll_fd_readwrite).host]);
    } catch (error) {
      events.push([file, error.number, 0]);
    }
  }
  const pairs = Int32Array.from(polled.flatMap(([{ kind }, host]) => [host, kind === readKind ? POLLIN : POLLOUT]));
  let wait = -1;
  if (events.length > 0) wait = 0;
  else if (first !== undefined) wait = Number((first.timeout + 999999n) / 1000000n);
  const ready = check(native.poll(pairs, wait));
  polled.forEach(([file], i) => {
    const seen = pairs[i * 2 + 1];
    if (seen !== 0) events.push([file, (seen & POLLNVAL) !== 0 ? errno.EBADF : 0, (seen & POLLHUP) !== 0 ? hungUp : 0]);
  });
  if (ready === 0 && events.length === 0 && first !== undefined) {
    for (const each of clocks) if (each.timeout <= first.timeout) events.push([each, 0, 0]);
  }
  events.forEach((event, i) => setEvent(call, outAt + i * eventSize, ...event));
  call.memory.setU32(out, events.length);
}

// `call`: { memory, table }, `exit` is called with the guest's code.
function functionsFor(call, { args, env, exit }) {
  const argumentTexts = args.map(endOfText);
  const environmentTexts = env.map(endOfText);

  return {
    args_get(pointers, texts) {
      call.memory.setTexts(pointers, texts, argumentTexts);
    },
    args_sizes_get(count, size) {
      call.memory.setU32(count, argumentTexts.length);
      call.memory.setU32(size, lengthOf(argumentTexts));
    },
    clock_res_get(which, out) {
      call.memory.setU64(out, clock(which, true));
    },
    clock_time_get(which, precision, out) {
      call.memory.setU64(out, clock(which, false));
    },
    environ_get(pointers, texts) {
      call.memory.setTexts(pointers, texts, environmentTexts);
    },
    environ_sizes_get(count, size) {
      call.memory.setU32(count, environmentTexts.length);
      call.memory.setU32(size, lengthOf(environmentTexts));
    },
    poll_oneoff: (...given) => poll(call, ...given),
    proc_exit(code) {
      exit(code);
    },
    proc_raise() {
      fail('ENOSYS');
    },
    random_get(at, length) {
      randomFillSync(call.memory.bytes(at, length));
    },
    sched_yield() {},
    ...descriptors(call),
    ...paths(call),
  };
}

// Wraps a function for the guest: it always returns a number.
function answering(name, call, fn) {
  return {
    [name](...given) {
      if (call.memory === undefined) throw new codes.ERR_WASI_NOT_STARTED();
      try {
        fn(...given);
        return errno.SUCCESS;
      } catch (error) {
        if (error instanceof Failure) return error.number;
        if (error instanceof RangeError) return errno.EOVERFLOW; // outside of the memory
        throw error;
      }
    },
  }[name];
}

function makeImports(call, options) {
  const functions = functionsFor(call, options);
  return Object.fromEntries(
    Object.keys(functions)
      .sort()
      .map((name) => [name, answering(name, call, functions[name])]),
  );
}

module.exports = { makeImports };
