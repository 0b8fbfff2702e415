'use strict';

// navigator: information about the environment, as in a browser.

const { codes } = require('internal/errors');

const kMake = Symbol('kMake');

function platformName() {
  if (process.platform === 'darwin') return 'MacIntel';
  if (process.platform === 'win32') return 'Win32';
  if (process.platform === 'linux') {
    const arch = process.arch === 'ia32' ? 'i686' : process.arch === 'x64' ? 'x86_64' : process.arch;
    return `Linux ${arch}`;
  }
  return `${process.platform[0].toUpperCase()}${process.platform.slice(1)} ${process.arch}`;
}

class Navigator {
  #parallelism;
  #language;

  constructor(make = undefined) {
    if (make !== kMake) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
  }

  get hardwareConcurrency() {
    this.#parallelism ??= require('os').availableParallelism();
    return this.#parallelism;
  }

  get language() {
    this.#language ??= new Intl.NumberFormat().resolvedOptions().locale || 'en-US';
    return this.#language;
  }

  get languages() {
    return Object.freeze([this.language]);
  }

  get userAgent() {
    return `Node.js/${process.version.slice(1).split('.')[0]}`;
  }

  get locks() {
    return require('internal/locks').locks;
  }

  get platform() {
    return platformName();
  }
}
for (const name of ['hardwareConcurrency', 'language', 'languages', 'userAgent', 'platform']) {
  Object.defineProperty(Navigator.prototype, name, { __proto__: null, enumerable: true });
}

module.exports = { navigator: new Navigator(kMake), Navigator };
