'use strict';

// CallSite objects, which a program's Error.prepareStackTrace gets, with V8's methods.

const { Given, describe, isUrl } = require('internal/errors/frames');

class Framed extends Given {
  #frame;
  #isSloppy;
  constructor(site, frame, isSloppy) {
    super(site);
    this.#frame = frame;
    this.#isSloppy = isSloppy;
  }
  static isSloppy(site) {
    return typeof site === 'object' && site !== null && #frame in site && site.#isSloppy;
  }
  static frameOf(site) {
    return typeof site === 'object' && site !== null && #frame in site ? site.#frame : undefined;
  }
}
const frameOf = (site) => Framed.frameOf(site) ?? kNoFrame;
const kNoFrame = { name: '', file: undefined, line: 0, column: 0, native: true, isTop: false, isEval: false };

// Strict code keeps its functions and receivers to itself, and those of its callers. `caller` throws for all functions
// but plain ones that are not strict: methods and arrow functions are taken for strict.
const callerOf = Object.getOwnPropertyDescriptor(Function.prototype, 'caller')?.get;
function isSloppyFunction(callee) {
  if (typeof callee !== 'function' || callerOf === undefined) return false;
  try {
    Reflect.apply(callerOf, callee, []);
    return true;
  } catch {
    return false;
  }
}

// What the code of such a function gets as `this`.
function sloppyThis(value) {
  return value === undefined || value === null ? globalThis : Object(value);
}

// The code of a CommonJS file runs with its exports as `this`.
function hasExports({ name, file }) {
  return name === '__rota_module__' && !isUrl(file);
}

// Makes a class, with its functions, one of another realm.
function giveTo(functionPrototype, objectPrototype, CallSite) {
  const nothing = { CallSite() {} }.CallSite; // the class would throw an error of this realm
  Object.defineProperty(CallSite.prototype, 'constructor', { value: nothing });
  for (const name of Object.getOwnPropertyNames(CallSite.prototype))
    Object.setPrototypeOf(CallSite.prototype[name], functionPrototype);
  Object.setPrototypeOf(CallSite.prototype, objectPrototype);
}

// Another class for each realm: its functions belong to that realm, and throw nothing.
function makeCallSite(functionPrototype, objectPrototype) {
  const CallSite = class CallSite {
    constructor(frame, isSloppy) {
      new Framed(this, frame, isSloppy);
    }
    getThis() {
      return Framed.isSloppy(this) ? sloppyThis(frameOf(this).receiver) : undefined;
    }
    getTypeName() {
      return hasExports(frameOf(this)) ? 'Object' : (frameOf(this).typeName ?? null);
    }
    getFunction() {
      const { callee, name } = frameOf(this);
      return Framed.isSloppy(this) && name !== '__rota_module__' ? callee : undefined;
    }
    getFunctionName() {
      const { name } = frameOf(this);
      return name === '' || name === '__rota_module__' ? null : name;
    }
    getMethodName() {
      return frameOf(this).methodName ?? null;
    }
    getFileName() {
      return frameOf(this).file ?? null;
    }
    getLineNumber() {
      return frameOf(this).native ? null : frameOf(this).line;
    }
    getColumnNumber() {
      return frameOf(this).native ? null : frameOf(this).column;
    }
    getEvalOrigin() {
      return undefined;
    }
    getScriptNameOrSourceURL() {
      return frameOf(this).file ?? null;
    }
    getScriptHash() {
      return '';
    }
    getEnclosingLineNumber() {
      return frameOf(this).line;
    }
    getEnclosingColumnNumber() {
      return frameOf(this).column;
    }
    getPosition() {
      return 0;
    }
    getPromiseIndex() {
      return frameOf(this).promiseIndex ?? null;
    }
    isToplevel() {
      const { isConstructor, isMethod } = frameOf(this);
      return isConstructor !== true && isMethod !== true && !hasExports(frameOf(this));
    }
    isEval() {
      return frameOf(this).isEval;
    }
    isNative() {
      return false;
    }
    isConstructor() {
      return frameOf(this).isConstructor === true;
    }
    isAsync() {
      return frameOf(this).isAsync === true;
    }
    isPromiseAll() {
      return frameOf(this).promiseIndex !== undefined;
    }
    toString() {
      return describe(frameOf(this));
    }
  };
  giveTo(functionPrototype, objectPrototype, CallSite);
  return CallSite;
}

// The frame of a call site; undefined for any other object.
const { frameOf: siteFrame } = Framed;

module.exports = { isSloppyFunction, makeCallSite, siteFrame };
