'use strict';

// node:v8 on another engine: the serializer writes V8's own format; the heap statistics are JavaScriptCore's, under
// V8's names; functions that only V8 can implement throw an error that says so.

const { codes, E } = require('internal/errors');
const permission = require('internal/process/permission');
const {
  validateFunction,
  validateObject,
  validateOneOf,
  validateString,
  validateUint32,
} = require('internal/validators');
const { Writer, viewName } = require('internal/v8/writer');
const { Reader } = require('internal/v8/reader');
const { Buffer } = require('internal/buffer/class');

E('ERR_NOT_BUILDING_SNAPSHOT', 'Operation cannot be invoked when not building startup snapshot', Error);

const binding = internalBinding('v8');

// ---- the serializer ----

// Constructors whose error for a missing `new` has Node's message.
function mustBeNew(Class) {
  return new Proxy(Class, {
    apply() {
      const error = new codes.ERR_CONSTRUCT_CALL_REQUIRED(Class.name);
      error.message = `Class constructor ${Class.name} cannot be invoked without 'new'`;
      throw error;
    },
  });
}

function bytesOf(source, name) {
  if (!ArrayBuffer.isView(source)) {
    const error = new TypeError(`${name} must be a TypedArray or a DataView`);
    error.code = 'ERR_INVALID_ARG_TYPE';
    throw error;
  }
  return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
}

const hostObjects = new WeakSet();

const Serializer = mustBeNew(
  class Serializer {
    #writer = new Writer({
      dataCloneError: (text) => this._getDataCloneError(text),
      isHost: (object) => hostObjects.has(object) || typeof object._externalStream !== 'undefined',
      hostObject: (object) => {
        if (typeof this._writeHostObject !== 'function')
          throw this._getDataCloneError(`${shown(object)} could not be cloned.`);
        this._writeHostObject(object);
      },
      sharedId: (buffer) => {
        if (typeof this._getSharedArrayBufferId !== 'function')
          throw this._getDataCloneError('#<SharedArrayBuffer> could not be cloned.');
        return this._getSharedArrayBufferId(buffer) >>> 0;
      },
    });

    writeHeader() {
      this.#writer.header();
    }

    writeValue(value) {
      this.#writer.value(value);
      return true;
    }

    releaseBuffer() {
      const bytes = this.#writer.release();
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }

    transferArrayBuffer(id, arrayBuffer) {
      this.#writer.transfer(id >>> 0, arrayBuffer);
    }

    writeUint32(value) {
      this.#writer.varint(value >>> 0);
    }

    writeUint64(hi, lo) {
      this.#writer.varint64(hi, lo);
    }

    writeDouble(value) {
      this.#writer.double(Number(value));
    }

    writeRawBytes(source) {
      this.#writer.raw(bytesOf(source, 'source'));
    }

    _setTreatArrayBufferViewsAsHostObjects(flag) {
      this.#writer.viewsAreHost = Boolean(flag);
    }
  },
);
Serializer.prototype._getDataCloneError = Error;

function shown(object) {
  return `#<${object.constructor?.name || 'Object'}>`;
}

const Deserializer = mustBeNew(
  class Deserializer {
    #reader;

    constructor(buffer) {
      const bytes = bytesOf(buffer, 'buffer');
      this.buffer = buffer;
      this.#reader = new Reader(bytes, {
        hostObject: () => {
          if (typeof this._readHostObject !== 'function') throw new Error('Unable to deserialize cloned data.');
          return this._readHostObject();
        },
      });
    }

    readHeader() {
      try {
        this.#reader.header();
      } catch {
        throw new Error('Unable to deserialize cloned data due to invalid or unsupported version.');
      }
      return true;
    }

    readValue() {
      return this.#reader.value();
    }

    transferArrayBuffer(id, arrayBuffer) {
      this.#reader.transfer(id >>> 0, arrayBuffer);
    }

    getWireFormatVersion() {
      return this.#reader.version;
    }

    #try(name, read) {
      try {
        return read();
      } catch {
        throw new Error(`${name}() failed`);
      }
    }

    readUint32() {
      return this.#try('ReadUint32', () => this.#reader.varint());
    }

    readUint64() {
      return this.#try('ReadUint64', () => this.#reader.varint64());
    }

    readDouble() {
      return this.#try('ReadDouble', () => this.#reader.double());
    }

    readRawBytes(length) {
      return this.#try('ReadRawBytes', () => {
        const bytes = this.#reader.raw(length);
        return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      });
    }

    _readRawBytes(length) {
      const bytes = this.#reader.raw(length);
      return bytes.byteOffset - this.buffer.byteOffset;
    }
  },
);

// A view is written as its type, its size and only the bytes that it shows.
const { integers, Float16Array } = require('internal/util/views').typedArrays();
const viewKinds = [
  ...integers,
  Float32Array,
  Float64Array,
  DataView,
  Buffer,
  BigInt64Array,
  BigUint64Array,
  Float16Array,
];
const kBuffer = 10;
const kDataView = 9;

class DefaultSerializer extends Serializer {
  constructor() {
    super();
    this._setTreatArrayBufferViewsAsHostObjects(true);
  }

  _writeHostObject(object) {
    if (!ArrayBuffer.isView(object)) {
      throw this._getDataCloneError(`Unserializable host object: ${require('internal/util/inspect').inspect(object)}`);
    }
    const name = viewName.call(object);
    const kind = Buffer.isBuffer(object)
      ? kBuffer
      : name === undefined
        ? kDataView
        : viewKinds.findIndex((each) => each?.name === name);
    this.writeUint32(kind);
    this.writeUint32(object.byteLength);
    this.writeRawBytes(object);
  }
}

class DefaultDeserializer extends Deserializer {
  _readHostObject() {
    const Class = viewKinds[this.readUint32()];
    const size = this.readUint32();
    const bytes = this.readRawBytes(size);
    if (Class === Buffer) return Buffer.from(bytes);
    if (Class === undefined) throw new Error('Unable to deserialize cloned data.');
    const unit = Class.BYTES_PER_ELEMENT ?? 1;
    // A view with an unaligned offset is copied.
    const place = bytes.byteOffset % unit === 0 ? bytes : new Uint8Array(bytes);
    return new Class(place.buffer, place.byteOffset, size / unit);
  }
}

function serialize(value) {
  const serializer = new DefaultSerializer();
  serializer.writeHeader();
  serializer.writeValue(value);
  return serializer.releaseBuffer();
}

function deserialize(buffer) {
  const deserializer = new DefaultDeserializer(buffer);
  deserializer.readHeader();
  return deserializer.readValue();
}

// ---- figures ----

function getHeapStatistics() {
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  const limit = binding.limit();
  return {
    total_heap_size: heapTotal,
    total_heap_size_executable: 0,
    total_physical_size: rss,
    total_available_size: Math.max(0, limit - heapUsed),
    used_heap_size: heapUsed,
    heap_size_limit: limit,
    malloced_memory: external,
    peak_malloced_memory: external,
    does_zap_garbage: 0,
    number_of_native_contexts: 1 + require('internal/async/realms').count(),
    number_of_detached_contexts: 0,
    total_global_handles_size: 0,
    used_global_handles_size: 0,
    external_memory: external,
    total_allocated_bytes: heapTotal,
  };
}

const spaceNames = [
  'read_only_space',
  'new_space',
  'old_space',
  'code_space',
  'shared_space',
  'trusted_space',
  'shared_trusted_space',
  'new_large_object_space',
  'large_object_space',
  'code_large_object_space',
  'shared_large_object_space',
  'shared_trusted_large_object_space',
  'trusted_large_object_space',
];

// The engine has one space; the others are empty.
function getHeapSpaceStatistics() {
  const { heapTotal, heapUsed } = process.memoryUsage();
  return spaceNames.map((name) => {
    const here = name === 'old_space';
    return {
      space_name: name,
      space_size: here ? heapTotal : 0,
      space_used_size: here ? heapUsed : 0,
      space_available_size: here ? Math.max(0, heapTotal - heapUsed) : 0,
      physical_space_size: here ? heapTotal : 0,
    };
  });
}

function getHeapCodeStatistics() {
  return {
    code_and_metadata_size: 0,
    bytecode_and_metadata_size: 0,
    external_script_source_size: 0,
    cpu_profiler_metadata_size: 0,
  };
}

function getCppHeapStatistics(detailLevel = 'detailed') {
  validateOneOf(detailLevel, 'detailLevel', ['detailed', 'brief']);
  return {
    committed_size_bytes: 0,
    resident_size_bytes: 0,
    used_size_bytes: 0,
    space_statistics: [],
    type_names: [],
    detail_level: detailLevel,
  };
}

function unavailable(name) {
  return function () {
    throw new codes.ERR_FEATURE_UNAVAILABLE_ON_PLATFORM(`v8.${name}`);
  };
}

// Flags are V8's: they have no meaning for this engine, and setting one has no effect.
function setFlagsFromString(flags) {
  validateString(flags, 'flags');
}

function isStringOneByteRepresentation(content) {
  validateString(content, 'content');
  return binding.isOneByte(content);
}

function setHeapSnapshotNearHeapLimit(limit) {
  validateUint32(limit, 'limit', true);
  permission.check(permission.kWrite, process.cwd());
}

// ---- promises ----

// The engine has no hook for promises: the functions exist, and the hooks are never called.
function watch(name) {
  return (callback) => {
    validateFunction(callback, `${name}Hook`);
    return () => {};
  };
}

const promiseHooks = {
  createHook(hooks = {}) {
    validateObject(hooks, 'hooks');
    for (const name of ['init', 'before', 'after', 'settled']) {
      if (hooks[name] !== undefined) validateFunction(hooks[name], `${name}Hook`);
    }
    return () => {};
  },
  onInit: watch('init'),
  onBefore: watch('before'),
  onAfter: watch('after'),
  onSettled: watch('settled'),
};

function notBuilding() {
  throw new codes.ERR_NOT_BUILDING_SNAPSHOT();
}

const startupSnapshot = {
  isBuildingSnapshot: () => false,
  addSerializeCallback: notBuilding,
  addDeserializeCallback: notBuilding,
  setDeserializeMainFunction: notBuilding,
};

class GCProfiler {
  #started;

  start() {
    this.#started ??= Date.now();
  }

  stop() {
    if (this.#started === undefined) return undefined;
    const startTime = this.#started;
    this.#started = undefined;
    return { version: 1, startTime, statistics: [], endTime: Date.now() };
  }

  [Symbol.dispose]() {
    this.stop();
  }
}

module.exports = {
  cachedDataVersionTag: () => 0x726f7461,
  getHeapSnapshot: unavailable('getHeapSnapshot'),
  getHeapStatistics,
  getHeapSpaceStatistics,
  getHeapCodeStatistics,
  getCppHeapStatistics,
  setFlagsFromString,
  Serializer,
  Deserializer,
  DefaultSerializer,
  DefaultDeserializer,
  deserialize,
  takeCoverage() {},
  stopCoverage() {},
  serialize,
  writeHeapSnapshot(filename) {
    permission.check(permission.kWrite, `${filename ?? process.cwd()}`);
    return unavailable('writeHeapSnapshot')();
  },
  promiseHooks,
  queryObjects: unavailable('queryObjects'),
  startupSnapshot,
  setHeapSnapshotNearHeapLimit,
  GCProfiler,
  isStringOneByteRepresentation,
  startCpuProfile: unavailable('startCpuProfile'),
};
