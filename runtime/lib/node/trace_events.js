'use strict';

// node:trace_events: events in Chrome's format while their categories are enabled. V8 has categories of its own; those
// of this engine are not available (doc/TRACE.md describes the trace of the loop).

const { codes } = require('internal/errors');
const { validateObject, validateStringArray } = require('internal/validators');
const categories = require('internal/trace_events/categories');
const permission = require('internal/process/permission');

if (!require('worker_threads').isMainThread) throw new codes.ERR_TRACE_EVENTS_UNAVAILABLE();

const expected = 10; // more that are enabled at a time are a mistake, as a rule
const active = new Set(); // those that are enabled, which nobody else may remember

// Its form in util.inspect.
const Shown = class Tracing {
  constructor(tracing) {
    this.enabled = tracing.enabled;
    this.categories = tracing.categories;
  }
};

class Tracing {
  #list;

  constructor(list) {
    this.#list = list;
  }

  get enabled() {
    return active.has(this);
  }

  get categories() {
    return this.#list.join(',');
  }

  enable() {
    const before = active.size;
    if (!active.has(this)) permission.check(permission.kWrite, require('internal/trace_events/log').nextName());
    if (active.add(this).size === before) return;
    categories.enable(this.#list);
    if (active.size > expected) {
      process.emitWarning(
        `Possible trace_events memory leak detected. There are more than ${expected} enabled Tracing objects.`,
      );
    }
  }

  disable() {
    if (active.delete(this)) categories.disable(this.#list);
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return new Shown(this);
  }
}

function createTracing(options) {
  validateObject(options, 'options');
  const { categories: given } = options;
  validateStringArray(given, 'options.categories');
  const distinct = new Set(given);
  if (distinct.size === 0) throw new codes.ERR_TRACE_EVENTS_CATEGORY_REQUIRED();
  return new Tracing([...distinct]);
}

function getEnabledCategories() {
  return categories.enabled().join(',') || undefined;
}

module.exports = { createTracing, getEnabledCategories };
