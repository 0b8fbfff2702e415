'use strict';

// Options with an effect from the start that belong to no module that reads them itself.

const { hasFlag, valuesOf, words } = require('internal/process/flags');

const valueOf = (...names) => names.flatMap((name) => valuesOf(name)).at(-1);

// ---- process.report ----

const reportFlags = {
  '--report-compact': 'compact',
  '--report-exclude-network': 'excludeNetwork',
  '--report-exclude-env': 'excludeEnv',
  '--report-on-signal': 'reportOnSignal',
  '--report-uncaught-exception': 'reportOnUncaughtException',
};

function arrangeReports() {
  if (!words().some((word) => word.startsWith('--report-'))) return;
  const { report } = process;
  report.directory = valueOf('--report-dir', '--report-directory') ?? '';
  report.filename = valueOf('--report-filename') ?? '';
  const signal = valueOf('--report-signal');
  if (signal !== undefined) report.signal = signal;
  for (const flag of Object.keys(reportFlags)) if (hasFlag(flag)) report[reportFlags[flag]] = true;
}

// ---- process.debugPort: the port is never opened here, but children may get the next one ----

function arrangePort() {
  const port = valueOf('--inspect-port', '--debug-port');
  if (port !== undefined) process.debugPort = Number(port.slice(port.lastIndexOf(':') + 1));
}

function begin() {
  if (words().length === 0) return;
  arrangeReports();
  arrangePort();
  if (hasFlag('--no-experimental-global-navigator'))
    for (const name of ['navigator', 'Navigator']) delete globalThis[name];
}

// ---- --trace-env ----

const kTrace = '[--trace-env]';

// A proxy handler that prints each access. A module that looks for a thread's options reads its environment: so the
// setting of the process counts.
function traced(handler) {
  const { optionWords } = internalBinding('process');
  const withStack = optionWords.includes('--trace-env-js-stack');
  if (!withStack && !optionWords.includes('--trace-env')) return handler;
  const { writeSync } = internalBinding('stdio');
  const tell = (text) => {
    writeSync(2, `${kTrace} ${text}\n`);
    if (!withStack) return;
    const held = {};
    Error.captureStackTrace(held, tell);
    const frames = held.stack
      .split('\n')
      .slice(2)
      .map((line, i) => `${i + 1}: ${line.trim().replace(/^at /, '')}`);
    writeSync(2, `\n----- JavaScript stack trace -----\n\n${frames.join('\n')}\n\n\n`);
  };
  const telling =
    (name, say) =>
    (target, key, ...rest) => {
      if (typeof key !== 'symbol') tell(say(key));
      return handler[name](target, key, ...rest);
    };
  return {
    ...handler,
    get: telling('get', (key) => `get "${key}"`),
    set: telling('set', (key) => `set "${key}"`),
    has: telling('has', (key) => `query "${key}"`),
    deleteProperty: telling('deleteProperty', (key) => `delete "${key}"`),
    ownKeys(target) {
      tell('enumerate environment variables');
      return handler.ownKeys(target);
    },
    getOwnPropertyDescriptor: telling('getOwnPropertyDescriptor', (key) => `query "${key}"`),
  };
}

// --env-file and --env-file-if-exists: variables from files, set before the program runs. A variable that is set
// already stays; a later file overrides an earlier one.

const kBadOption = 9; // exit code

function load(words) {
  const found = {};
  let count = 0;
  words.forEach((word) => {
    const match = /^--env-file(-if-exists)?=(.*)$/s.exec(word);
    if (match === null) return;
    const file = match[2];
    const text = internalBinding('modules').readEnvironmentFile(count++);
    if (typeof text === 'string') {
      Object.assign(found, require('util').parseEnv(text));
    } else if (match[1] !== undefined) {
      internalBinding('stdio').writeSync(2, `${file} not found. Continuing without it.\n`);
    } else {
      internalBinding('stdio').writeSync(2, `${process.execPath}: ${file}: not found\n`);
      process.reallyExit(kBadOption);
    }
  });
  const before = process.env.NODE_OPTIONS;
  for (const name of Object.keys(found)) process.env[name] ??= found[name];
  if (process.env.NODE_OPTIONS !== before) {
    const binding = internalBinding('process');
    const before = binding.optionWords.length;
    binding.optionWords = binding.addEnvironmentOptions(process.env.NODE_OPTIONS);
    binding.environmentWordCount += binding.optionWords.length - before;
  }
}

module.exports = { begin, traced, load };
