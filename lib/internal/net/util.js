'use strict';

// Addresses and arguments, as net, dgram and dns need them.

const { isIP: nativeIsIP } = internalBinding('stream');

function isIP(input) {
  return nativeIsIP(`${input}`);
}

function isIPv4(input) {
  return isIP(input) === 4;
}

function isIPv6(input) {
  return isIP(input) === 6;
}

function toNumber(value) {
  const number = Number(value);
  return number >= 0 ? number : false;
}

function isPipeName(value) {
  return typeof value === 'string' && toNumber(value) === false;
}

// (options | path | port[, host], ..., callback) -> [options, callback or null]
function normalizeArgs(args) {
  let list;
  if (args.length === 0) {
    list = [{}, null];
  } else {
    const first = args[0];
    let options = {};
    if (typeof first === 'object' && first !== null) {
      options = first;
    } else if (isPipeName(first)) {
      options.path = first;
    } else {
      options.port = first;
      if (args.length > 1 && typeof args[1] === 'string') options.host = args[1];
    }
    const last = args[args.length - 1];
    list = [options, typeof last === 'function' ? last : null];
  }
  Object.defineProperty(list, 'normalized', { value: true, enumerable: false });
  return list;
}

module.exports = { isIP, isIPv4, isIPv6, toNumber, isPipeName, normalizeArgs };
