'use strict';

// Structured clones as bytes, for the 'advanced' channel: the format of v8.serialize, with one difference that Node's
// channel has (one side may be Node): an object that the format itself does not support is preceded by a number, 0 for
// a view of bytes, 1 for an object that is sent as its plain properties.

const { DefaultSerializer, DefaultDeserializer } = require('v8');

const VIEW = 0;
const PLAIN = 1;

class Writer extends DefaultSerializer {
  _writeHostObject(object) {
    const isView = ArrayBuffer.isView(object);
    this.writeUint32(isView ? VIEW : PLAIN);
    if (isView) super._writeHostObject(object);
    else this.writeValue({ ...object });
  }
}

class Reader extends DefaultDeserializer {
  _readHostObject() {
    const kind = this.readUint32();
    if (kind === VIEW) return super._readHostObject();
    if (kind === PLAIN) return this.readValue();
    throw new Error('Unable to deserialize cloned data: an object of an unknown kind.');
  }
}

function serialize(value) {
  const writer = new Writer();
  writer.writeHeader();
  writer.writeValue(value);
  return writer.releaseBuffer();
}

function deserialize(bytes) {
  const reader = new Reader(bytes);
  reader.readHeader();
  return reader.readValue();
}

module.exports = { serialize, deserialize };
