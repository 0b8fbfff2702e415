'use strict';

// The global console, when it is used for more than printing plain lines.

const { hasBuiltin, builtinCache } = internalBinding('runtime');

// A minimal console, for builds without the console module.
function small() {
  const { writeSync } = internalBinding('stdio');
  const print =
    (fd) =>
    (...args) => {
      writeSync(fd, `${require('internal/util/inspect').format(...args)}\n`);
    };
  return {
    log: print(1),
    info: print(1),
    debug: print(1),
    error: print(2),
    warn: print(2),
    dir: print(1),
    trace: print(2),
  };
}

function fill(target) {
  const full = hasBuiltin('console') ? require('console') : small();
  for (const key of Reflect.ownKeys(target)) delete target[key];
  Object.setPrototypeOf(target, Object.getPrototypeOf(full));
  Object.defineProperties(target, Object.getOwnPropertyDescriptors(full));
  if (builtinCache.has('console')) builtinCache.get('console').exports = target;
}

module.exports = { fill };
