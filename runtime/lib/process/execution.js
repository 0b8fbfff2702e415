'use strict';

// The end of the program: uncaught errors, 'beforeExit', 'exit', and the output of a fatal error.

const { words, kExiting } = require('internal/process/shared');
const stacks = require('internal/errors/stacks');
const frame = require('internal/async/context');

let capture = null;
let domainHandler; // set by node:domain, if that is used
let reporter = null; // with --loop=html: reports the error, and the program goes on

function setUncaughtExceptionCaptureCallback(fn) {
  const { codes } = require('internal/errors');
  if (fn === null) {
    capture = null;
    return;
  }
  if (typeof fn !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('fn', ['Function', 'null'], fn);
  if (capture !== null) throw new codes.ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET();
  capture = fn;
}

function noop() {}

// -> whether the program continues. Domains do not get errors of plain microtasks.
function onUncaught(error, fromPromise = false, domains = domainHandler) {
  stacks.adopt(error);
  if (reporter !== null && capture === null) return reporter(error);
  if (typeof process._fatalException !== 'function') {
    // a program has removed it: Node's code for that
    printFatal(error, true);
    process.reallyExit(6);
  }
  const origin = fromPromise ? 'unhandledRejection' : 'uncaughtException';
  let isInDomain = false;
  try {
    if (domains == null) process.emit('uncaughtExceptionMonitor', error, origin);
    if (capture !== null) {
      capture(error);
    } else if (domains == null || ((isInDomain = true), !domains(error))) {
      isInDomain = false;
      if (domains != null) process.emit('uncaughtExceptionMonitor', error, origin);
      if (!process.emit('uncaughtException', error, origin)) {
        die(error, 1, fromPromise);
        return false;
      }
    }
  } catch (second) {
    stacks.adopt(second);
    // A domain hears of a rejection as of any event: what its listener throws is another uncaught error.
    if (isInDomain && fromPromise) return onUncaught(second, false, null);
    // The handler of uncaught errors has failed: 'exit' is not emitted, either.
    if (internalBinding('runtime').isWorker) {
      die(second, 1);
      return false;
    }
    process._exiting = true;
    die(second, 7);
    return false;
  }
  frame.current = undefined;
  internalBinding('runtime').scriptIsOver = true;
  if (frame.tracker !== null) frame.tracker.leaveAll();
  // Ticks that this error interrupted run in the next check phase at the latest.
  require('internal/timers/immediates').setImmediate(noop);
  return true;
}

function die(error, code, isRejection = false) {
  try {
    if (!process._exiting) {
      process._exiting = true;
      words[kExiting] = 1;
      process.exitCode = code;
      process.emit('exit', code);
    }
  } catch {
    // no handler is left
  }
  let final = code;
  try {
    if (code === 1 && process.exitCode !== undefined) final = process.exitCode;
    printFatal(error, false, isRejection);
    if (
      require('internal/process/flags').hasFlag('--abort-on-uncaught-exception') &&
      !internalBinding('runtime').isWorker
    )
      internalBinding('process').abort();
  } finally {
    process.reallyExit(final);
  }
}

// ---- the output of a fatal error ----

function sourceText(file) {
  let path = file;
  if (file.startsWith('node:')) return undefined;
  if (file.startsWith('file://')) {
    try {
      path = decodeURIComponent(file.slice(7));
    } catch {
      return undefined;
    }
  }
  let text = require('internal/state').sources.get(file);
  try {
    text ??= internalBinding('modules').readText(path);
  } catch {
    return undefined; // a file that the program may not read
  }
  return typeof text === 'string' ? text : undefined;
}

const lineCache = new Map(); // file -> { text, lines }; text is undefined for a file on disk
function sourceLine(file, line) {
  const text = require('internal/state').sources.get(file);
  let known = lineCache.get(file);
  if (known === undefined || known.text !== text) {
    if (text === undefined && file.startsWith('node:')) return undefined;
    known = { text, lines: (text ?? sourceText(file))?.split('\n') ?? [] };
    lineCache.set(file, known);
  }
  const found = known.lines[line - 1];
  return found?.endsWith('\r') ? found.slice(0, -1) : found;
}

// A rejection is shown where its error was made.
function arrowFor(error, isRejection) {
  let frame = error.__rotaSyntax ?? stacks.topFrame(error);
  if (frame === undefined || frame.file === undefined) return '';
  let text = sourceLine(frame.file, frame.line);
  // Without the source, the code of the error is shown.
  if (text === undefined && frame.generated !== undefined)
    text = sourceLine((frame = frame.generated).file, frame.line);
  if (text === undefined) return '';
  let column = frame.column;
  const before = text.slice(0, column - 1);
  const thrown = /\bthrow\s+$/.exec(before);
  if (thrown && !isRejection) column = thrown.index + 1;
  const indent = text
    .slice(0, Math.max(0, column - 1))
    .padEnd(column - 1)
    .replace(/[^\t]/g, ' ');
  return (
    `${frame.file}:${frame.line}\n${text}\n${indent}` +
    `${'^'.repeat(frame.width ?? 1)}\n${frame.note === undefined ? '' : `${frame.note}\n`}\n`
  );
}

// Properties of a fatal error are shown deeper than usual, because they cannot be inspected later. No code of the
// program runs for this.
const kFatalLook = { colors: false, depth: 5, customInspect: false };

function show(error) {
  return require('internal/util/inspect').inspect(error, kFatalLook);
}

function printFatal(error, here = false, isRejection = false) {
  // The end of a worker is reported to the thread that made it.
  const { isWorker } = internalBinding('runtime');
  if (isWorker && !here) return require('internal/worker/thread').failed(error);
  const { writeSync } = internalBinding('stdio');
  let out = '';
  if (stacks.isNativeError(error)) {
    let arrow = '';
    try {
      arrow = arrowFor(error, isRejection);
    } catch {
      // a failure of the inspection is ignored
    }
    let text;
    try {
      require('internal/errors/emitted').append(error);
      text = show(error);
    } catch {
      text = String(error.stack ?? error);
    }
    out = `${arrow}${text}\n`;
  } else {
    let text;
    try {
      text = (typeof error === 'object' && error !== null) || typeof error === 'function' ? show(error) : String(error);
    } catch {
      text = '<toString() threw exception>';
    }
    out = `Uncaught:\n${text}\n`;
    if (typeof error !== 'object' || error === null) {
      out += `(Use \`${process.release.name} --trace-uncaught ...\` to show where the exception was thrown)\n`;
    }
  }
  if (!require('internal/process/flags').hasFlag('--no-extra-info-on-fatal-exception'))
    out += `\nNode.js ${process.version}\n`;
  writeSync(2, out);
}

// ---- exit ----

function emitBeforeExit() {
  if (frame.tracker !== null) frame.tracker.tellOfDestroyed();
  process.emit('beforeExit', process.exitCode ?? 0);
}

function emitExit(isAfter) {
  if (isAfter) return process.exitCode ?? 0; // the code that ran then has ended, too
  process._exiting = true;
  words[kExiting] = 1;
  if (process.exitCode === undefined && require('internal/process/main').unsettled()) {
    process.exitCode = 13;
    const where = require('internal/modules/esm/loader').findUnsettled();
    if (where !== undefined && !require('internal/process/flags').hasFlag('--no-warnings')) {
      internalBinding('stdio').writeSync(
        2,
        `Warning: Detected unsettled top-level await at ${where.file}:${where.line}\n` +
          `${sourceLine(where.file, where.line) ?? ''}\n${' '.repeat(where.column - 1)}^\n\n\n\n`,
      );
    }
  }
  try {
    process.emit('exit', process.exitCode ?? 0);
  } catch (error) {
    onUncaught(error);
  }
  // Promise jobs run once more; ticks and everything else do not.
  require('internal/process/task_queues').drain();
  return process.exitCode ?? 0;
}

module.exports = {
  onUncaught,
  setReporter(fn) {
    reporter = fn;
  },
  setDomainHandler(handler) {
    domainHandler = handler;
  },
  emitBeforeExit,
  emitExit,
  setUncaughtExceptionCaptureCallback,
  hasUncaughtExceptionCaptureCallback: () => capture !== null,
  sourceLine,
  sourceText,
};
