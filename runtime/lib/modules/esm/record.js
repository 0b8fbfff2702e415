'use strict';

// The record of an ES module, and all records by their URL (and the type that was asked for): the cyclic module records
// of the language's specification, and its synthetic ones, whose values are computed at once.

const records = new Map(); // url and type -> record

// Fields are defined, not assigned: a program may have put setters on Object.prototype.
class ModuleRecord {
  url;
  kind;
  status = 'new'; // new, loading, loaded, linked, evaluating, evaluating-async, evaluated
  requests = [];
  dependencies = [];
  localNames = [];
  indirect = new Map();
  stars = [];
  checks = [];
  hasAwait = false;
  getters = undefined;
  bindings = { __proto__: null };
  unbound = []; // [bindings, name, own name]: bindings that get their getters when it runs
  namespace = undefined;
  error = undefined;
  failed = false;
  index = 0;
  ancestor = 0;
  cycleRoot = undefined;
  asyncOrder = 0;
  pendingAsync = 0;
  asyncParents = [];
  capability = undefined;
  arrival; // a promise, from the first import() on
  isRequired = false; // by require(), before any import()
  failedLink = false;
  run = undefined;
  snapshot = undefined;
  requireNamespace = undefined;
  localNameSet = undefined;
  isMain = undefined;
  awaits = undefined;
  awaiting = 0; // the number of the last one that was reached
  code = undefined;
  compiled = undefined; // or the function that the code is
  text = undefined; // as it was written, of a module with top-level await that is not linked yet
  compute = undefined;
  values = undefined;

  constructor(url, kind) {
    this.url = url;
    this.kind = kind;
  }
}

// A module whose values are computed at once: CommonJS, JSON, built-in ones.
function makeSynthetic(url, kind, names, compute) {
  const record = new ModuleRecord(url, kind);
  record.localNames = names;
  record.values = { __proto__: null };
  record.compute = compute;
  record.getters = { __proto__: null };
  for (const name of names) record.getters[name] = () => record.values[name];
  record.status = 'loaded';
  return record;
}

module.exports = { makeSynthetic, ModuleRecord, records };
