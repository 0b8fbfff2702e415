'use strict';

// Settings of a session: their ranges, and their form on the wire (a number of two bytes, a value of four).

const { Buffer } = require('internal/buffer/class');
const { codes } = require('internal/http2/constants');
const { isAnyArrayBuffer, isTypedArray } = require('internal/util/types');
const { validateObject } = require('internal/validators');

const MOST = 2 ** 32 - 1;
const MOST_CUSTOM = 10;
const ENTRY = 6;

// name, number, least and most; two names have no bounds: they are on or off.
const known = [
  ['headerTableSize', 1, 0, MOST],
  ['enablePush', 2],
  ['maxConcurrentStreams', 3, 0, MOST],
  ['initialWindowSize', 4, 0, 2 ** 31 - 1],
  ['maxFrameSize', 5, 2 ** 14, 2 ** 24 - 1],
  ['maxHeaderListSize', 6, 0, MOST],
  ['enableConnectProtocol', 8],
];
const byNumber = new Map(known.map((entry) => [entry[1], entry]));

function getDefaultSettings() {
  return {
    __proto__: null,
    headerTableSize: 4096,
    enablePush: true,
    initialWindowSize: 65535,
    maxFrameSize: 16384,
    maxConcurrentStreams: MOST,
    maxHeaderSize: 65535,
    maxHeaderListSize: 65535,
    enableConnectProtocol: false,
  };
}

function checkRange(name, value, least, most) {
  if (value === undefined) return;
  if (typeof value !== 'number' || !(value >= least && value <= most)) {
    throw new codes.ERR_HTTP2_INVALID_SETTING_VALUE.RangeError(name, value, least, most);
  }
}

function validateSettings(settings) {
  if (settings === undefined) return settings;
  const { customSettings } = settings;
  if (customSettings !== undefined && customSettings !== null) {
    const entries = Object.entries(customSettings);
    if (entries.length > MOST_CUSTOM) throw new codes.ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS();
    for (const [number, value] of entries) {
      checkRange('customSettings:id', Number(number), 0, 0xffff);
      checkRange('customSettings:value', Number(value), 0, MOST);
    }
  }
  for (const [name, , least, most] of known) {
    if (least !== undefined) checkRange(name, settings[name], least, most);
  }
  checkRange('maxHeaderSize', settings.maxHeaderSize, 0, MOST);
  for (const name of ['enablePush', 'enableConnectProtocol']) {
    const value = settings[name];
    if (value !== undefined && typeof value !== 'boolean') throw new codes.ERR_HTTP2_INVALID_SETTING_VALUE(name, value);
  }
  return settings;
}

// -> numbers and values in turn
function entriesOf(settings) {
  const list = [];
  for (const [name, number] of known) {
    let value = settings[name];
    if (number === 6 && settings.maxHeaderSize !== undefined) {
      if (value !== settings.maxHeaderSize) {
        process.emitWarning('settings.maxHeaderSize overwrite settings.maxHeaderListSize');
      }
      value = settings.maxHeaderSize;
    }
    if (value !== undefined) list.push(number, Number(value));
  }
  const custom = settings.customSettings;
  if (custom) for (const number of Object.keys(custom)) list.push(Number(number), Number(custom[number]));
  return list;
}

function getPackedSettings(settings = undefined) {
  if (settings === undefined) return Buffer.alloc(0);
  validateObject(settings, 'settings');
  validateSettings(settings);
  const entries = entriesOf(settings);
  const packed = Buffer.alloc((entries.length / 2) * ENTRY);
  for (let i = 0; i < entries.length; i += 2) {
    packed.writeUInt16BE(entries[i], i * 3);
    packed.writeUInt32BE(entries[i + 1], i * 3 + 2);
  }
  return packed;
}

function put(into, number, value) {
  const entry = byNumber.get(number);
  if (entry === undefined) {
    (into.customSettings ??= {})[number] = value;
  } else {
    into[entry[0]] = entry[2] === undefined ? value !== 0 : value;
    if (number === 6) into.maxHeaderSize = value;
  }
}

function getUnpackedSettings(packed, options = {}) {
  if (!isTypedArray(packed) || isAnyArrayBuffer(packed))
    throw new codes.ERR_INVALID_ARG_TYPE('buf', ['Buffer', 'TypedArray'], packed);
  if (packed.length % ENTRY !== 0) throw new codes.ERR_HTTP2_INVALID_PACKED_SETTINGS_LENGTH();
  const settings = {};
  for (let i = 0; i < packed.length; i += ENTRY) {
    // The elements may be wider than bytes; each stands for one byte.
    const number = packed[i] * 256 + packed[i + 1];
    const value = ((packed[i + 2] * 256 + packed[i + 3]) * 256 + packed[i + 4]) * 256 + packed[i + 5];
    put(settings, number, value);
  }
  if (options !== null && options !== undefined && options.validate) validateSettings(settings);
  return settings;
}

// C's values of a side (see settingsOf in runtime/extras/http2/http2_state.c), and the custom settings that were seen.
function describeSettings(values, custom) {
  const [
    headerTableSize,
    enablePush,
    maxConcurrentStreams,
    initialWindowSize,
    maxFrameSize,
    maxHeaderListSize,
    enableConnectProtocol,
  ] = values;
  const settings = {
    headerTableSize,
    enablePush: enablePush !== 0,
    initialWindowSize,
    maxFrameSize,
    maxConcurrentStreams,
    maxHeaderListSize,
    maxHeaderSize: maxHeaderListSize,
    enableConnectProtocol: enableConnectProtocol !== 0,
  };
  if (custom !== undefined) settings.customSettings = custom;
  return settings;
}

module.exports = {
  describeSettings,
  entriesOf,
  getDefaultSettings,
  getPackedSettings,
  getUnpackedSettings,
  validateSettings,
};
