'use strict';

// Bytes: buffers, views and typed arrays.

const { Member, plural, numberText, bigintText } = require('internal/inspect/layout');
const { kindMember } = require('internal/inspect/members');

const typedPrototype = Object.getPrototypeOf(Uint8Array.prototype);
const typedName = Object.getOwnPropertyDescriptor(typedPrototype, Symbol.toStringTag).get;
const typedLength = Object.getOwnPropertyDescriptor(typedPrototype, 'length').get;
const sharedLength = Object.getOwnPropertyDescriptor(SharedArrayBuffer.prototype, 'byteLength').get;
const kTypedMembers = ['BYTES_PER_ELEMENT', 'length', 'byteLength', 'byteOffset', 'buffer'];

function isShared(value) {
  try {
    sharedLength.call(value);
    return true;
  } catch {
    return false;
  }
}

function hex(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i++)
    text += `${i === 0 ? '' : ' '}${bytes[i] < 16 ? '0' : ''}${bytes[i].toString(16)}`;
  return text;
}

const buffer = {
  sketch(describer, { value, title, block, inside, isBare }) {
    block.open = `${title.before(isShared(value) ? 'SharedArrayBuffer' : 'ArrayBuffer')}{`;
    if (!inside || !isBare) return undefined;
    return `${block.open} [byteLength]: ${describer.describe(value.byteLength, 0)} }`;
  },
  fill(describer, { value, block, inside }, level) {
    const { view } = describer;
    if (!inside) {
      let bytes;
      try {
        bytes = new Uint8Array(value);
      } catch {
        bytes = undefined;
      }
      if (bytes === undefined || value.detached) {
        block.items.push(view.paint('(detached)', 'special'));
      } else {
        const shown = Math.min(Math.max(0, view.maxArrayLength), bytes.length);
        const rest = bytes.length - shown;
        const text = `${hex(bytes.subarray(0, shown))}${rest > 0 ? ` ... ${plural(rest, 'more byte')}` : ''}`;
        block.items.push(new Member(view.paint('[Uint8Contents]', 'special'), `<${text}>`, false));
      }
    }
    block.items.push(kindMember(describer, 'byteLength', describer.describe(value.byteLength, level)));
  },
};

// If a view's buffer is detached, only the length can be read.
function readOr(value, name) {
  try {
    return value[name];
  } catch {
    return undefined;
  }
}

const view = {
  sketch(describer, { title, block }) {
    block.open = `${title.before('DataView')}{`;
  },
  fill(describer, { value, block }, level) {
    const bytes = readOr(value, 'buffer');
    if (bytes?.detached) {
      block.shift = 4; // as Node shows it
      block.items.push(kindMember(describer, 'byteLength', describer.describe(0, level)));
      block.items.push(kindMember(describer, 'byteOffset', describer.describe(undefined, level)));
    } else {
      block.items.push(kindMember(describer, 'byteLength', describer.describe(value.byteLength, level)));
      block.items.push(kindMember(describer, 'byteOffset', describer.describe(value.byteOffset, level)));
    }
    block.items.push(kindMember(describer, 'buffer', describer.describe(bytes, level)));
  },
};

const typedarray = {
  isIterable: true,
  hasElements: true,
  sketch(describer, { value, title, block, keys }) {
    const name = typedName.call(value);
    block.open = `${title.before(title.name === null ? name : '', `(${typedLength.call(value)})`)}[`;
    block.close = ']';
    if (typedLength.call(value) === 0 && keys.length === 0 && !describer.view.showHidden) return `${block.open}]`;
    block.array = value;
    return undefined;
  },
  fill(describer, { value, block, title }, level) {
    const settings = describer.view;
    const { items } = block;
    const length = typedLength.call(value);
    const shown = Math.min(Math.max(0, settings.maxArrayLength), length);
    const { paint, numericSeparator } = settings;
    // `length` and the first element, as the program shows them, decide how numbers are printed.
    const areNumbers =
      title.name === null ? !typedName.call(value).startsWith('Big') : value.length > 0 && typeof value[0] === 'number';
    for (let i = 0; i < shown; i++) {
      const element = value[i];
      items.push(
        areNumbers
          ? paint(numberText(element, numericSeparator), 'number')
          : paint(bigintText(element, numericSeparator), 'bigint'),
      );
    }
    if (length > shown) items.push(`... ${plural(length - shown, 'more item')}`);
    if (!settings.showHidden) return;
    for (const name of kTypedMembers)
      items.push(kindMember(describer, name, describer.describe(value[name], level, true)));
  },
};

module.exports = { buffer, view, typedarray };
