'use strict';

// What other rooms ask of fs: streams of files read their arguments with it.

const { readDescriptor, readOptions, readPath } = require('internal/fs/arguments');

// An object's properties and those that it inherits, in one that may be changed.
const copyObject = (source) => {
  const chain = [];
  for (let each = source; each !== null && each !== undefined; each = Object.getPrototypeOf(each)) chain.unshift(each);
  return Object.assign({}, ...chain);
};

module.exports = { copyObject, getOptions: readOptions, getValidatedFd: readDescriptor, getValidatedPath: readPath };
