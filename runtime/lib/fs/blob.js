'use strict';

// A file as a Blob: its bytes are read when they are asked for. A file that has changed since the Blob was made is not
// read at all.

const notReadable = () => {
  const { DOMException } = require('internal/dom_exception');
  return new DOMException('The blob could not be read', 'NotReadableError');
};

// A part of a file, used like bytes: it has a length, can be sliced, and is loaded piece by piece.
class FilePart {
  #file; // { path, size, changed }
  #start;

  constructor(file, start, length) {
    this.#file = file;
    this.#start = start;
    this.length = length;
  }

  subarray(from, to) {
    return new FilePart(this.#file, this.#start + from, to - from);
  }

  async load(from, to) {
    const { path, size, changed } = this.#file;
    let handle;
    try {
      handle = await require('fs/promises').open(path);
      const bytes = new Uint8Array(to - from);
      for (let at = 0; at < bytes.length;) {
        const { bytesRead } = await handle.read(bytes, at, bytes.length - at, this.#start + from + at);
        if (bytesRead === 0) throw notReadable();
        at += bytesRead;
      }
      // This is checked last: then the bytes that were read before belong to this state, too.
      const stats = await handle.stat({ bigint: true });
      if (stats.size !== size || stats.mtimeNs !== changed) throw notReadable();
      return bytes;
    } catch {
      throw notReadable();
    } finally {
      await handle?.close();
    }
  }
}

function createFileBlob(path, type) {
  const { size, mtimeNs } = require('fs').statSync(path, { bigint: true });
  const length = Number(size);
  return require('internal/blob').createBlobFromParts(
    [new FilePart({ path, size, changed: mtimeNs }, 0, length)],
    length,
    type,
  );
}

module.exports = { createFileBlob };
