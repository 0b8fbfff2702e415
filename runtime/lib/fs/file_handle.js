'use strict';

// FileHandle: an open file for promises. A handle counts its users (active operations, streams); closing waits until
// there are none. A handle that was closed has the descriptor -1. One that is collected is closed, which is an error of
// the program, unless the handle was in a message that nobody has received.

const EventEmitter = require('events');
const { codes } = require('internal/errors');
const { validateBoolean, validateObject } = require('internal/validators');
const frame = require('internal/async/context');
const { binding, start, lateError } = require('internal/fs/native');
const { operations } = require('internal/fs/operations');
const { checkViews, mode, owner, readLength, readOptions, textOrBytesKinds, time } = require('internal/fs/arguments');
const { planOfRead, planOfWrite, planText, positionOf } = require('internal/fs/read_write');
const {
  abortion,
  checkDestination,
  readDefaults,
  readToEnd,
  readWriteOptions,
  writeAll,
  writeDefaults,
  appendDefaults,
  bytesOf,
} = require('internal/fs/whole_file');
const { runPromise } = require('internal/fs/tasks');

const kRef = Symbol('kRef');
const kUnref = Symbol('kUnref');
const readMode = mode('mode');
const readUser = owner('uid');
const readGroup = owner('gid');
const readAccess = time('atime');
const readModification = time('mtime');

function closedError(syscall, isGone) {
  const error = new Error(isGone ? 'The FileHandle has been transferred' : 'file closed');
  error.code = 'EBADF';
  error.syscall = syscall;
  return error;
}

const isWritableSource = (data) =>
  typeof data === 'object' &&
  data !== null &&
  !ArrayBuffer.isView(data) &&
  (typeof data[Symbol.asyncIterator] === 'function' || typeof data[Symbol.iterator] === 'function');

// The source of a web stream of a handle's bytes. It uses the handle until the stream ends or the handle is closed.
class ByteSource {
  type = 'bytes';
  autoAllocateChunkSize = 16384;
  #handle;
  #autoClose;
  #controller;
  #ended = false;

  constructor(handle, autoClose) {
    this.#handle = handle;
    this.#autoClose = autoClose;
    handle[kRef]();
    handle.once('close', () => this.#cutOff());
  }

  start(controller) {
    this.#controller = controller;
  }

  async pull(controller) {
    const request = controller.byobRequest;
    const { bytesRead } = await this.#handle.read(request.view, 0, request.view.byteLength);
    if (bytesRead === 0) {
      controller.close();
      await this.cancel();
    }
    request.respond(bytesRead);
  }

  async cancel() {
    if (this.#ended) return;
    this.#ended = true;
    this.#handle[kUnref]();
    if (this.#autoClose) await this.#handle.close();
  }

  #cutOff() {
    if (this.#ended) return;
    this.#ended = true;
    try {
      this.#controller.close();
      this.#controller.byobRequest?.respond(0);
    } catch {
      // The stream had ended already.
    }
    this.#handle[kUnref]();
  }
}

// What is known of the open file of a handle that was collected.
class OpenFile {
  constructor(fd, path, wasReceived) {
    this.fd = fd;
    this.path = path;
    this.wasReceived = wasReceived;
  }
}

let collected;

function onCollected({ fd, path, wasReceived }) {
  binding.close(-1, fd);
  if (!wasReceived) return;
  setImmediate(() => {
    const error = new Error(
      'A FileHandle object was closed during garbage collection. This used to be allowed with a deprecation warning ' +
        'but is now considered an error. Please close FileHandle objects explicitly. ' +
        `File descriptor: ${fd} (${path})`,
    );
    error.code = 'ERR_INVALID_STATE';
    error.stack = `Error: ${error.message}`; // no code of the program is here
    throw error;
  });
}

function watchForCollection(handle, file) {
  if (collected === undefined) {
    const { watched } = require('internal/async/engine_tasks');
    collected = new (watched(internalBinding('runtime').FinalizationRegistry))(onCollected);
  }
  collected.register(handle, file, handle);
}

// For a transfer: whether the handle is in use, releasing the descriptor, and what became of the message.
let isBusy;
let giveUp;
let received;
let notReceived;

class FileHandle extends EventEmitter {
  #isGone = false; // to another port
  #fd;
  #users = 1;
  #closing = null;
  #streamed = false;
  #file;

  static {
    received = (handle) => {
      handle.#file.wasReceived = true;
    };
    notReceived = (handle) => {
      if (handle.#fd === -1) return;
      binding.close(-1, handle.#release());
    };
    isBusy = (handle) => handle.#fd === -1 || handle.#users > 1 || handle.#closing !== null;
    giveUp = (handle) => {
      handle.#release();
      handle.#isGone = true;
    };
  }

  constructor(fd, path = '<unknown path>', wasReceived = true) {
    super();
    this.#fd = fd;
    this.#file = new OpenFile(fd, path, wasReceived);
    binding.handleOpened(fd);
    watchForCollection(this, this.#file);
    frame.tracker?.create('FILEHANDLE', this);
  }

  #release() {
    const fd = this.#fd;
    this.#fd = -1;
    collected.unregister(this);
    return fd;
  }

  get fd() {
    return this.#fd;
  }

  getAsyncId() {
    return -1;
  }

  // Work on the descriptor: it stays open until the promise of `work` is settled.
  async #use(syscall, work) {
    if (this.#fd === -1) throw closedError(syscall, this.#isGone);
    this[kRef]();
    try {
      return await work(this.#fd);
    } finally {
      this[kUnref]();
    }
  }

  appendFile(data, options) {
    return this.#writeAnything(data, options, appendDefaults);
  }

  chmod(mode) {
    return this.#use('fchmod', async (fd) => operations.fchmod.promise(fd, readMode(mode)));
  }

  chown(uid, gid) {
    return this.#use('fchown', async (fd) => {
      readUser(uid);
      readGroup(gid);
      return operations.fchown.promise(fd, uid, gid);
    });
  }

  datasync() {
    return this.#use('fdatasync', (fd) => operations.fdatasync.promise(fd));
  }

  sync() {
    return this.#use('fsync', (fd) => operations.fsync.promise(fd));
  }

  read(buffer, offset, length, position) {
    return this.#use('read', async (fd) => {
      const plan = planOfRead(buffer, offset, length, position, true);
      const bytesRead = plan.length === 0 ? 0 : await operations.read.move(fd, plan);
      return { __proto__: null, bytesRead, buffer: plan.bytes };
    });
  }

  readv(buffers, position) {
    return this.#vector(binding.readv, 'read', 'bytesRead', buffers, position);
  }

  writev(buffers, position) {
    return this.#vector(binding.writev, 'write', 'bytesWritten', buffers, position);
  }

  #vector(native, syscall, count, buffers, position) {
    return this.#use(syscall, async (fd) => {
      const list = checkViews(buffers);
      const moved =
        list.length === 0
          ? 0
          : await new Promise((resolve, reject) => {
              start(
                native,
                (result) => (result < 0 ? reject(lateError(result, syscall)) : resolve(result)),
                fd,
                list,
                positionOf(position),
              );
            });
      return { __proto__: null, [count]: moved, buffers };
    });
  }

  readFile(options) {
    return this.#use('readFile', async (fd) => {
      const read = readOptions(options, readDefaults);
      checkDestination(read);
      if (read.signal?.aborted) throw abortion(read.signal);
      return runPromise(readToEnd(fd, read));
    });
  }

  readLines(options = undefined) {
    return require('readline').createInterface({ input: this.createReadStream(options), crlfDelay: Infinity });
  }

  stat(options) {
    return this.#use('fstat', (fd) => operations.fstat.promise(fd, options?.bigint));
  }

  truncate(len = 0) {
    return this.#use('ftruncate', async (fd) => operations.ftruncate.promise(fd, readLength(len)));
  }

  utimes(atime, mtime) {
    return this.#use('futimes', async (fd) =>
      operations.futimes.promise(fd, readAccess(atime), readModification(mtime)),
    );
  }

  write(buffer, offset, length, position) {
    return this.#use('write', async (fd) => {
      let plan;
      if (ArrayBuffer.isView(buffer)) {
        if (buffer.byteLength === 0) return { __proto__: null, bytesWritten: 0, buffer };
        plan = planOfWrite(buffer, offset, length, position);
      } else {
        if (typeof buffer !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('buffer', textOrBytesKinds, buffer);
        plan = planText(buffer, offset, length);
      }
      const bytesWritten = await operations.write.move(fd, plan);
      return { __proto__: null, bytesWritten, buffer };
    });
  }

  writeFile(data, options) {
    return this.#writeAnything(data, options, writeDefaults);
  }

  #writeAnything(data, options, defaults) {
    return this.#use('writeFile', async (fd) => {
      const { encoding, signal, flush } = readWriteOptions(options, defaults);
      if (signal?.aborted) throw abortion(signal);
      if (isWritableSource(data)) {
        const { Buffer } = require('internal/buffer/class');
        for await (const chunk of data) {
          if (signal?.aborted) throw abortion(signal);
          const bytes = ArrayBuffer.isView(chunk) ? chunk : Buffer.from(chunk, encoding);
          if (bytes.byteLength > 0) await runPromise(writeAll(fd, bytes, signal));
        }
      } else {
        const bytes = bytesOf(data, encoding);
        if (bytes.byteLength > 0) await runPromise(writeAll(fd, bytes, signal));
      }
      if (flush) await operations.fsync.promise(fd);
    });
  }

  // Every caller gets its own promise; the file is closed once.
  close = () => {
    if (this.#fd === -1) return Promise.resolve();
    if (this.#closing !== null) return this.#closing.promise;
    this.#closing = Promise.withResolvers();
    const { promise } = this.#closing;
    this.emit('close');
    this.#leave();
    return promise;
  };

  #leave() {
    if (--this.#users > 0) return;
    const closing = this.#closing ?? Promise.withResolvers();
    const fd = this.#release();
    operations.close.promise(fd, undefined, undefined, 'FILEHANDLECLOSEREQ').then(closing.resolve, closing.reject);
    frame.tracker?.destroy(this);
  }

  [kRef]() {
    this.#users++;
  }

  [kUnref]() {
    this.#leave();
  }

  async [Symbol.asyncDispose]() {
    await this.close();
  }

  readableWebStream(options = {}) {
    validateObject(options, 'options');
    const state =
      this.#fd === -1 ? 'closed' : this.#closing !== null ? 'closing' : this.#streamed ? 'locked' : undefined;
    if (state !== undefined) throw new codes.ERR_INVALID_STATE(`The FileHandle is ${state}`);
    const { type = 'bytes', autoClose = false } = options;
    validateBoolean(autoClose, 'options.autoClose');
    if (type !== 'bytes') {
      process.emitWarning(
        'A non-"bytes" options.type has no effect. A byte-oriented steam is always created.',
        'ExperimentalWarning',
      );
    }
    this.#streamed = true;
    const { ReadableStream } = require('stream/web');
    return new ReadableStream(new ByteSource(this, autoClose));
  }

  createReadStream(options = undefined) {
    const { ReadStream } = require('internal/fs/streams');
    return new ReadStream(undefined, { ...readOptions(options), fd: this });
  }

  createWriteStream(options = undefined) {
    const { WriteStream } = require('internal/fs/streams');
    return new WriteStream(undefined, { ...readOptions(options), fd: this });
  }
}

const isFileHandle = (value) => value instanceof FileHandle;

module.exports = { FileHandle, isBusy, giveUp, received, notReceived, kRef, kUnref, isFileHandle };
