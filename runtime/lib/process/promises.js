'use strict';

// Unhandled rejections. The engine reports a promise that is rejected without a handler at once or, if that hook is not
// available, when its microtasks are done. Whether it got a handler meanwhile is checked after the ticks, too, since a
// tick may have added it.

const { words, kRejections, kReported } = require('internal/process/shared');
const { promiseDetails } = internalBinding('util');
const { isHandled, watch } = require('internal/async/handled');
const frame = require('internal/async/context');
const stacks = require('internal/errors/stacks');

let pending = [];
let reported = [];
let mode;
let lastUid = 0;

function getMode() {
  if (mode !== undefined) return mode;
  mode = 'throw';
  const options = require('internal/process/flags').words();
  for (let i = 0; i < options.length; i++) {
    if (options[i].startsWith('--unhandled-rejections=')) mode = options[i].slice(23);
    else if (options[i] === '--unhandled-rejections') mode = options[i + 1];
  }
  return mode;
}

function onRejection(promise, reason) {
  if (isHandled(promise)) return;
  watch(promise);
  pending.push({ promise, reason: stacks.adopt(reason), uid: 0 });
  words[kRejections] = 1;
}

// The same, as soon as it happens: whether it is handled is checked at the end.
function noteRejection(promise, kept) {
  pending.push({ promise, kept, uid: ++lastUid });
  words[kRejections] = 1;
}

class UnhandledPromiseRejection extends Error {
  constructor(reason) {
    super(
      'This error originated either by throwing inside of an async function without a catch block, or by rejecting a ' +
        `promise which was not handled with .catch(). The promise rejected with the reason "${describe(reason)}".`,
    );
    this.code = 'ERR_UNHANDLED_REJECTION';
  }
}
UnhandledPromiseRejection.prototype.name = 'UnhandledPromiseRejection';
Object.defineProperty(UnhandledPromiseRejection.prototype, 'name', { enumerable: false });

function describe(reason) {
  if (typeof reason === 'string') return reason;
  const { inspect } = require('internal/util/inspect');
  return inspect(reason);
}

function isErrorLike(value) {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'stack');
}

function warn(entry) {
  const message =
    'Unhandled promise rejection. This error originated either by throwing inside of an async function without ' +
    'a catch block, or by rejecting a promise which was not handled with .catch(). To terminate the node process on ' +
    'unhandled promise rejection, use the CLI flag `--unhandled-rejections=strict` (see ' +
    `https://nodejs.org/api/cli.html#cli_unhandled_rejections_mode). (rejection id: ${entry.uid})`;
  const warning = new Error(message);
  warning.name = 'UnhandledPromiseRejectionWarning';
  try {
    if (isErrorLike(entry.reason)) {
      warning.stack = entry.reason.stack;
      process.emitWarning(entry.reason.stack, 'UnhandledPromiseRejectionWarning');
    } else {
      process.emitWarning(describe(entry.reason), 'UnhandledPromiseRejectionWarning');
    }
  } catch {
    // a reason that cannot be shown
  }
  process.emitWarning(warning);
}

function raise(entry, fromPromise) {
  const { onUncaught } = require('internal/process/execution');
  const error = isErrorLike(entry.reason) ? entry.reason : new UnhandledPromiseRejection(entry.reason);
  onUncaught(error, fromPromise);
}

// In the asynchronous context of the promise.
function reportAs(tracker, entry) {
  tracker.enter(entry.promise);
  report(entry);
  tracker.leave();
}

function report(entry) {
  switch (getMode()) {
    case 'strict':
      raise(entry, true);
      if (!process.emit('unhandledRejection', entry.reason, entry.promise)) warn(entry);
      return true;
    case 'none':
      process.emit('unhandledRejection', entry.reason, entry.promise);
      return true;
    case 'warn':
      process.emit('unhandledRejection', entry.reason, entry.promise);
      warn(entry);
      return true;
    case 'warn-with-error-code':
      if (!process.emit('unhandledRejection', entry.reason, entry.promise)) {
        warn(entry);
        process.exitCode = 1;
      }
      return true;
    default:
      if (!process.emit('unhandledRejection', entry.reason, entry.promise)) raise(entry, true);
      return true;
  }
}

function checkReported() {
  let found = false;
  for (let i = 0; i < reported.length; i++) {
    const entry = reported[i];
    const promise = entry.promise.deref();
    if (promise !== undefined && !isHandled(promise)) continue;
    reported.splice(i--, 1);
    words[kReported] = reported.length;
    if (promise === undefined) continue;
    found = true;
    if (!process.emit('rejectionHandled', promise)) {
      const warning = new Error(`Promise rejection was handled asynchronously (rejection id: ${entry.uid})`);
      warning.name = 'PromiseRejectionHandledWarning';
      warning.id = entry.uid;
      process.emitWarning(warning);
    }
  }
  return found;
}

// Returns true if listeners ran, so that there may be ticks and microtasks again.
function processRejections() {
  let ran = reported.length > 0 && checkReported();
  const list = pending;
  pending = [];
  words[kRejections] = 0;
  for (const entry of list) {
    if (isHandled(entry.promise)) continue;
    entry.uid ||= ++lastUid;
    if (!('reason' in entry)) entry.reason = stacks.adopt(promiseDetails(entry.promise)[1]);
    frame.current = entry.kept;
    reported.push({ promise: new WeakRef(entry.promise), uid: entry.uid });
    words[kReported] = reported.length;
    if (frame.tracker?.idOf(entry.promise) === undefined) report(entry);
    else reportAs(frame.tracker, entry);
    frame.current = undefined;
    ran = true;
  }
  return ran;
}

// With --loop=html, where tasks tell of them (internal/html/rejections).
function notifyAboutRejections() {
  const { notify, countOutstanding } = require('internal/html/rejections');
  const list = pending;
  pending = [];
  words[kRejections] = 0;
  for (const entry of list) if (!('reason' in entry)) entry.reason = stacks.adopt(promiseDetails(entry.promise)[1]);
  notify(list);
  // A task that tells is followed by a look, so that a handler that comes later is noticed.
  words[kReported] = countOutstanding() + list.length;
  return false;
}

require('internal/process/task_queues').setRejectionProcessor(
  internalBinding('runtime').isHtmlLoop ? notifyAboutRejections : processRejections,
);

module.exports = { onRejection, noteRejection };
