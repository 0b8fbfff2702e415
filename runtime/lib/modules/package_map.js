'use strict';

// --experimental-package-map: a JSON file says which package may use which others, and where they are; node_modules is
// not used. The file is read when the first bare specifier is resolved. A package owns the files below its directory,
// the deepest directory first.

const path = require('path');
const { codes } = require('internal/errors');
const { readText, realpath } = internalBinding('modules');

class PackageMap {
  #file;
  #directories = new Map(); // package key -> directory
  #owners = []; // { directory, dependencies }, the longest directory first

  constructor(file) {
    const real = realpath(file);
    this.#file = typeof real === 'string' ? real : file;
    this.#read();
  }

  #invalid(reason, cause) {
    const error = new codes.ERR_PACKAGE_MAP_INVALID(this.#file, reason);
    if (cause !== undefined)
      Object.defineProperty(error, 'cause', { value: cause, writable: true, configurable: true, enumerable: false });
    return error;
  }

  #parse() {
    const text = readText(this.#file);
    if (typeof text === 'number') {
      const { uvException } = require('internal/errors');
      throw this.#invalid('failed to read', uvException({ errno: text, syscall: 'open', path: this.#file }));
    }
    try {
      return require('internal/modules/json').parseJson(text);
    } catch (cause) {
      throw this.#invalid('invalid JSON', cause);
    }
  }

  #read() {
    const packages = this.#parse()?.packages;
    if (typeof packages !== 'object' || packages === null) throw this.#invalid('missing "packages" object');
    const base = require('url').pathToFileURL(this.#file);
    const keyOf = new Map(); // directory -> package key
    for (const [key, entry] of Object.entries(packages)) {
      if (typeof entry?.url !== 'string') throw this.#invalid(`package "${key}" is missing "url" field`);
      const directory = this.#directoryOf(key, entry.url, base);
      if (keyOf.has(directory)) {
        throw this.#invalid(
          `packages "${keyOf.get(directory)}" and "${key}" have the same url "${entry.url}"; ` +
            'this will be supported in the future',
        );
      }
      keyOf.set(directory, key);
      this.#directories.set(key, directory);
      this.#owners.push({ directory, dependencies: new Map(Object.entries(entry.dependencies ?? {})) });
    }
    this.#owners.sort((a, b) => b.directory.length - a.directory.length);
  }

  #directoryOf(key, text, base) {
    let url;
    try {
      url = new URL(text, base);
    } catch (cause) {
      throw this.#invalid(`package "${key}" has invalid url "${text}"`, cause);
    }
    if (url.protocol !== 'file:') {
      throw this.#invalid(
        `package "${key}" has unsupported URL scheme in url "${text}"; ` +
          'only file: URLs and relative URLs are currently supported',
      );
    }
    return path.resolve(require('url').fileURLToPath(url));
  }

  // The directory of the package that `file` may import by this name, or undefined.
  find(name, specifier, file) {
    const owner = this.#owners.find(({ directory }) => file === directory || file.startsWith(`${directory}/`));
    if (owner === undefined) throw new codes.ERR_PACKAGE_MAP_EXTERNAL_FILE(specifier, file, this.#file);
    const key = owner.dependencies.get(name);
    if (key === undefined) return undefined;
    const directory = this.#directories.get(key);
    if (directory === undefined) throw new codes.ERR_PACKAGE_MAP_KEY_NOT_FOUND(key, this.#file);
    return directory;
  }
}

let current;

// The map of this process, or null.
function packageMap() {
  if (current !== undefined) return current;
  const file = require('internal/process/flags').valuesOf('--experimental-package-map').at(-1);
  if (file === undefined) return (current = null);
  process.emitWarning('Package maps is an experimental feature and might change at any time', 'ExperimentalWarning');
  return (current = new PackageMap(path.resolve(file)));
}

module.exports = { packageMap };
