'use strict';

// `using` and `await using` at run time: the resources of one block, in the order of their declaration. The code that
// internal/modules/using generates has one instance for each block. The block itself awaits, each time `step` says so:
// a promise of ours in between would take more jobs, which programs can observe. The class uses nothing outside of
// itself: its text is evaluated again in other contexts (vm).

class Resources {
  // { value, method, waits }; without a method: the value was null or undefined, and only the await is left
  #entries = [];
  #error;
  #hasFailed = false;
  #owesWait = false;
  #hasWaited = false;
  value; // what the block has to await

  use(value) {
    if (value === null || value === undefined) return value;
    this.#add(value, Resources.#method(value), false);
    return value;
  }

  useLater(value) {
    if (value === null || value === undefined) {
      this.#entries.push({ value: undefined, method: undefined, waits: true });
      return value;
    }
    const later = Resources.#object(value)[Symbol.asyncDispose];
    if (later !== undefined && later !== null) {
      if (typeof later !== 'function') throw new TypeError('Symbol(Symbol.asyncDispose) is not a function');
      this.#add(value, later, true);
      return value;
    }
    const now = Resources.#method(value);
    this.#add(
      value,
      function () {
        try {
          Reflect.apply(now, this, []);
          return undefined;
        } catch (error) {
          return Promise.reject(error);
        }
      },
      true,
    );
    return value;
  }

  static #object(value) {
    if (typeof value !== 'object' && typeof value !== 'function')
      throw new TypeError('An object is expected with `using` declarations');
    return value;
  }

  static #method(value) {
    const method = Resources.#object(value)[Symbol.dispose];
    if (typeof method !== 'function') throw new TypeError('Symbol(Symbol.dispose) is not a function');
    return method;
  }

  #add(value, method, waits) {
    this.#entries.push({ value, method, waits });
  }

  // The block, or one of its resources, has thrown.
  fail(error) {
    this.#error = this.#hasFailed
      ? new SuppressedError(error, this.#error, 'An error was suppressed during disposal')
      : error;
    this.#hasFailed = true;
  }

  // Disposes of resources, the last first, until one has to be awaited. false: all are disposed of.
  step() {
    while (this.#entries.length > 0) {
      const entry = this.#entries.at(-1);
      if (!entry.waits && this.#owesWait && !this.#hasWaited) {
        this.#owesWait = false;
        this.value = undefined;
        return true;
      }
      this.#entries.pop();
      if (entry.method === undefined) {
        this.#owesWait = true;
        continue;
      }
      try {
        this.value = Reflect.apply(entry.method, entry.value, []);
      } catch (error) {
        this.fail(error);
        continue;
      }
      if (entry.waits) {
        this.#hasWaited = true;
        return true;
      }
    }
    if (!this.#owesWait || this.#hasWaited) return false;
    this.#owesWait = false;
    this.value = undefined;
    return true;
  }

  // The end of the block: an error is thrown again.
  end() {
    while (this.step());
    if (this.#hasFailed) throw this.#error;
  }
}

module.exports = { Resources };
