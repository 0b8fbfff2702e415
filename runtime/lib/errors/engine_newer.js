'use strict';

// Messages of newer releases of the engine (2.54), as the release that the rules are written for (2.50) says them.

const kNewer = [
  [
    /^Cannot destructure (?:property '[^]*' from )?null or undefined value$/,
    'Right side of assignment cannot be destructured',
  ],
  [/^Cannot access ('[^]*') before initialization\.$/, 'Cannot access $1 before initialization'],
  [/^Cannot call a class constructor \S+ without \|new\|$/, 'Cannot call a class constructor without |new|'],
  [/^Cannot call a constructor Promise without \|new\|$/, 'Cannot call a constructor without |new|'],
  [/^(Cannot return a non-object type in the constructor of a derived class) .+\.$/, '$1.'],
  [/^Disposable value must be an object, null, or undefined$/, 'Disposable value must be an object'],
  [/^(?:@@asyncDispose and )?@@dispose must not be undefined or null$/, '@@dispose must be callable'],
  [/^length larger than \(2 \*\* 53\) - 1$/, 'length too large'],
  [
    /^byteOffset modulo TypedArray\.BYTES_PER_ELEMENT must be 0$/,
    'ArrayBuffer length minus the byteOffset is not a multiple of the element size',
  ],
];

function asBefore(message) {
  for (const [pattern, replacement] of kNewer) {
    if (pattern.test(message)) return message.replace(pattern, replacement);
  }
  return message;
}

module.exports = { asBefore };
