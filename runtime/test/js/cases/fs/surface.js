'use strict';
// The functions of fs and of fs.promises: their names, their order and how many arguments they have.
const fs = require('fs');
const show = (object) => Object.keys(object).filter((key) => key !== 'Stats' && key !== 'Dir').map((key) => {
  const { value } = Object.getOwnPropertyDescriptor(object, key);
  return typeof value === 'function' ? `${key}/${value.length}${value.name === key ? '' : ` as ${value.name}`}` : key;
});
console.log(show(fs).sort().join('\n'));
console.log(show(fs.promises).join('\n'));
const { FileHandle = undefined } = fs.promises;
console.log(FileHandle);
fs.promises.open(__filename).then(async (handle) => {
  const prototype = Object.getPrototypeOf(handle);
  console.log(Object.getOwnPropertyNames(prototype).filter((key) => key !== 'fd').map((key) => `${key}/${prototype[key].length}`).sort().join('\n'));
  console.log(typeof handle.close, prototype.constructor.name);
  await handle.close();
  console.log(handle.fd);
});
const stats = fs.statSync('.');
console.log(Object.keys(stats), Object.keys(fs.statSync('.', { bigint: true })), Object.keys(fs.statfsSync('.')));
console.log(['isDirectory', 'isFile', 'isSocket', 'isFIFO', 'isSymbolicLink', 'isBlockDevice', 'isCharacterDevice'].map((test) => stats[test]()));
