'use strict';

// The prototype of a context's global. In the engine it is immutable, but programs that simulate a browser's
// window replace it: so the two functions that set prototypes handle these globals. The engine also does not
// start a script while there is a Proxy among the prototypes of the global; then they are removed, and the script
// itself restores them first.

const { isProxy } = require('util').types;

const chains = new WeakMap(); // global -> its Prototypes

const kRestore = '__rota_restore__';
const kHead = `${kRestore}();`;
const directive = /^(?:\s|\/\/[^\n]*\n|\/\*[^]*?\*\/)*(?:'use strict'|"use strict")/;

class Prototypes {
  #global;
  #set;
  needsCare = false;

  constructor(global, set) {
    this.#global = global;
    this.#set = set;
  }

  // Whether it is possible: the chain must not contain a cycle.
  change(prototype) {
    let proxied = false;
    for (let object = prototype; object !== null && !proxied; object = Object.getPrototypeOf(object)) {
      if (object === this.#global) return false;
      proxied = isProxy(object);
    }
    this.#set(prototype);
    this.needsCare = proxied;
    return true;
  }

  evaluate(evaluate, code, url, line) {
    const prototype = Object.getPrototypeOf(this.#global);
    const restore = () => {
      delete this.#global[kRestore];
      if (Object.getPrototypeOf(this.#global) === null) this.#set(prototype);
    };
    Object.defineProperty(this.#global, kRestore, { __proto__: null, value: restore, configurable: true });
    const head = directive.test(code) ? `'use strict';${kHead}` : kHead;
    require('internal/errors/frames').registerSource(url, head.length);
    this.#set(null);
    try {
      return evaluate(head + code, url, line);
    } finally {
      restore(); // a script that declares a name twice does not start
    }
  }
}

function replace(owner, answers) {
  const original = owner.setPrototypeOf;
  const { setPrototypeOf } = {
    setPrototypeOf(object, prototype) {
      const chain = chains.get(object);
      if (
        chain === undefined ||
        (prototype !== null && typeof prototype !== 'object' && typeof prototype !== 'function')
      ) {
        return original(object, prototype);
      }
      const done = chain.change(prototype);
      if (!done && !answers) throw new TypeError('Cyclic __proto__ value');
      return answers ? done : object;
    },
  };
  owner.setPrototypeOf = setPrototypeOf;
}

let replaced = false;
function allow(global, set) {
  const chain = new Prototypes(global, set);
  chains.set(global, chain);
  if (!replaced) {
    replaced = true;
    replace(Object, false);
    replace(Reflect, true);
  }
  return chain;
}

module.exports = { allow };
