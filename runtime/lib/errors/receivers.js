'use strict';

// What a frame says of the object that its function was called on, as V8 does: `at Object.m`, `at A.k [as l]`,
// `at new A`. Nothing here runs code of the program: accessors and proxies are left alone.

const { proxyDetails } = internalBinding('util');
const toText = internalBinding('runtime').engineText;
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { apply, ownKeys } = Reflect;
const kMostKeys = 1000; // that are looked at for the name under which a function is called

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
const isProxy = (value) => proxyDetails(value) !== undefined;

// The value of a data property on the prototype chain.
function dataOf(object, key) {
  for (let at = object; at !== null && !isProxy(at); at = getPrototypeOf(at)) {
    const own = getOwnPropertyDescriptor(at, key);
    if (own !== undefined) return own.value;
  }
  return undefined;
}

function nameOf(callee) {
  const own = isProxy(callee) ? undefined : getOwnPropertyDescriptor(callee, 'name');
  return typeof own?.value === 'string' ? own.value : undefined;
}

const classes = new WeakMap(); // the text of a function is copied to be looked at
function isClass(callee) {
  let known = classes.get(callee);
  if (known === undefined) classes.set(callee, (known = apply(toText, callee, []).startsWith('class')));
  return known;
}

// A function that gets a fresh object of its own.
function isConstructing(callee, receiver) {
  if (!isObject(receiver) || isProxy(receiver)) return false;
  const own = getOwnPropertyDescriptor(callee, 'prototype');
  return own !== undefined && isObject(own.value) && getPrototypeOf(receiver) === own.value;
}

function typeNameOf(receiver) {
  if (isProxy(receiver)) return 'Proxy';
  if (typeof receiver === 'function') return nameOf(receiver) || 'Function';
  const constructor = dataOf(receiver, 'constructor');
  const name = typeof constructor === 'function' ? nameOf(constructor) : undefined;
  if (name && name !== 'Object') return name;
  const tag = dataOf(receiver, Symbol.toStringTag);
  return typeof tag === 'string' && tag !== '' ? tag : name || 'Object';
}

const isIt = (own, callee) => own !== undefined && (own.value === callee || own.get === callee || own.set === callee);

// The name of the property that has the function; if there is more than one, none.
function methodNameOf(callee, receiver, name) {
  const plain = name?.startsWith('get ') || name?.startsWith('set ') ? name.slice(4) : name;
  if (plain) {
    for (let at = receiver; at !== null && !isProxy(at); at = getPrototypeOf(at)) {
      const own = getOwnPropertyDescriptor(at, plain);
      if (own === undefined) continue;
      if (isIt(own, callee)) return plain;
      break;
    }
  }
  let found;
  for (let at = receiver; at !== null && !isProxy(at); at = getPrototypeOf(at)) {
    const keys = ownKeys(at);
    if (keys.length > kMostKeys) continue;
    for (const key of keys) {
      if (typeof key !== 'string' || !isIt(getOwnPropertyDescriptor(at, key), callee)) continue;
      if (found !== undefined) return undefined;
      found = key;
    }
  }
  return found;
}

// Completes a frame that has a callee.
function tell(frame) {
  const { callee, receiver } = frame;
  const name = nameOf(callee);
  if (frame.isConstructor || isClass(callee) || isConstructing(callee, receiver)) {
    frame.isConstructor = true;
    frame.name = name ?? '';
    return;
  }
  if (receiver === undefined || receiver === null || receiver === globalThis) return;
  const object = isObject(receiver) ? receiver : Object(receiver);
  frame.isMethod = true;
  if (name) frame.name = name;
  frame.typeName = typeNameOf(object);
  if (isProxy(object)) return;
  // The code of an asynchronous function or a generator is no property: its function is, under the same name.
  if (frame.isBody) frame.methodName = typeof dataOf(object, frame.name) === 'function' ? frame.name : undefined;
  else frame.methodName = methodNameOf(callee, object, name);
}

// A name of ASCII; the others are looked at by an expression.
function isSimple(name) {
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 36;
    if (!isLetter && (i === 0 || code < 48 || code > 57)) return false;
  }
  return name !== '';
}
// The engine makes the classes of such an expression with the function that has it: two milliseconds.
const isIdentifier = (name) => /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(name);

// Names that are no identifiers (`get x`, `[Symbol.iterator]`, `#private`) stand alone.
function calledAs(name, typeName, methodName) {
  if (name !== '' && !isSimple(name) && !isIdentifier(name)) return name;
  if (name === '') return `${typeName}.${methodName ?? '<anonymous>'}`;
  const whole = name.startsWith(typeName) ? name : `${typeName}.${name}`;
  const isSame =
    methodName === undefined ||
    name === methodName ||
    name.endsWith(`.${methodName}`) ||
    name.endsWith(` ${methodName}`);
  return isSame ? whole : `${whole} [as ${methodName}]`;
}

module.exports = { calledAs, tell };
