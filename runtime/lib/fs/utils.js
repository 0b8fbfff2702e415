'use strict';

// fs functions for other modules: streams of files convert their arguments with them.

const { readDescriptor, readOptions, readPath } = require('internal/fs/arguments');

// An object's own and inherited properties, copied into an object that may be changed.
const copyObject = (source) => {
  const chain = [];
  for (let each = source; each !== null && each !== undefined; each = Object.getPrototypeOf(each)) chain.unshift(each);
  return Object.assign({}, ...chain);
};

module.exports = { copyObject, getOptions: readOptions, getValidatedFd: readDescriptor, getValidatedPath: readPath };
