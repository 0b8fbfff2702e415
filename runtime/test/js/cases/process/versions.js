// process.versions: entries cannot be changed, and programs may add their own (Yarn adds pnp).
'use strict';
const { versions } = process;
console.log(Object.isExtensible(versions));
for (const name of ['node', 'v8', 'uv', 'zlib']) {
  const { writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(versions, name);
  console.log(name, writable, enumerable, configurable);
}
try {
  versions.node = '1.2.3';
} catch (error) {
  console.log(error.constructor.name);
}
versions.pnp = '3';
console.log(versions.node === process.version.slice(1), versions.pnp, process.versions.pnp);
console.log(/pnp: '3'/.test(require('util').inspect(versions)));
