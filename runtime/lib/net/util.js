'use strict';

// Addresses, arguments and observers for net, dgram and dns.

const { isIP: versionOf } = internalBinding('stream');
const { now } = internalBinding('performance');

const isIP = (input) => versionOf(`${input}`);
const isIPv4 = (input) => versionOf(`${input}`) === 4;
const isIPv6 = (input) => versionOf(`${input}`) === 6;

// A number of zero or more, as such or as text; otherwise undefined.
function countOf(value) {
  const number = Number(value);
  return number >= 0 ? number : undefined;
}

// The forms of arguments: (options), (path), (port[, host]), each with further arguments; the last may be a callback.
// -> [options, callback or null], marked as normalized
function normalizeArgs(args) {
  const [first, second] = args;
  const last = args.at(-1);
  let options = {};
  if (typeof first === 'object' && first !== null) options = first;
  else if (typeof first === 'string' && countOf(first) === undefined) options.path = first;
  else if (args.length > 0) options = typeof second === 'string' ? { port: first, host: second } : { port: first };
  return Object.defineProperty([options, typeof last === 'function' ? last : null], 'normalized', { value: true });
}

// A method for util.inspect: a class's name, and the properties that are shown.
function inspectAs(name, view) {
  return function (depth, options) {
    if (depth < 0) return `[${name}]`;
    const deeper = typeof options.depth === 'number' ? options.depth - 1 : null;
    return `${name} ${require('internal/util/inspect').inspect(view(this), { ...options, depth: deeper })}`;
  };
}

// The hooks for perf_hooks' observers of 'net' and 'dns'. Without an observer, the two functions are undefined, and
// nothing is measured.

const observed = {
  dns: undefined, // (name, startTime, duration, detail)
  net: undefined,
  now,

  // Wraps a callback (error, ...values): a success becomes an entry first, with the details that `detailOf` gives.
  asked(name, heard, detailOf) {
    const began = now();
    return (error, ...values) => {
      if (!error) observed.dns?.(name, began, now() - began, detailOf(...values));
      heard(error, ...values);
    };
  },

  connected(began, host, port) {
    observed.net?.('connect', began, now() - began, { host, port });
  },
};

module.exports = { observed, inspectAs, isIP, isIPv4, isIPv6, countOf, normalizeArgs };
