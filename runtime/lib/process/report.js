'use strict';

// process.report: a diagnostic report, as an object or as a file. Loaders of native addons read from it the version of
// the C library and the shared objects. The section about V8's heap has the engine's own numbers only; there is no
// native stack.

const fs = require('fs');
const os = require('os');
const path = require('path');
const { codes } = require('internal/errors');
const { validateBoolean, validateObject, validateString } = require('internal/validators');

const kReportVersion = 5;
let written = 0; // files, for their names

const linesOf = (file) => {
  try {
    return fs.readFileSync(file, 'latin1').split('\n');
  } catch {
    return [];
  }
};

const twoDigits = (number) => String(number).padStart(2, '0');

function threadId() {
  return internalBinding('worker').threadId;
}

// ---- the sections ----

function header(settings, cause, time) {
  const { runtime, compiler } = internalBinding('os').getLibcVersions();
  const section = {
    reportVersion: kReportVersion,
    event: cause.event,
    trigger: cause.trigger,
    filename: cause.filename ?? null,
    dumpEventTime: `${time.toISOString().slice(0, 19)}Z`,
    dumpEventTimeStamp: String(time.getTime()),
    processId: process.pid,
    threadId: threadId(),
    cwd: process.cwd(),
    commandLine: [process.argv0, ...process.execArgv, ...process.argv.slice(1)],
    nodejsVersion: process.version,
    glibcVersionRuntime: runtime,
    glibcVersionCompiler: compiler,
    wordSize: 64,
    arch: process.arch,
    platform: process.platform,
    componentVersions: { ...process.versions },
    release: { ...process.release },
    osName: os.type(),
    osRelease: os.release(),
    osVersion: os.version(),
    osMachine: os.machine(),
    cpus: os
      .cpus()
      .map(({ model, speed, times: { user, nice, sys, idle, irq } }) => ({ model, speed, user, nice, sys, idle, irq })),
  };
  if (!settings.excludeNetwork) {
    section.networkInterfaces = Object.entries(os.networkInterfaces()).flatMap(([name, list]) =>
      list.map(({ internal, mac, address, netmask, family }) => ({ name, internal, mac, address, netmask, family })),
    );
  }
  section.host = os.hostname();
  return section;
}

// The fast paths that are off on this build of the engine: see runtime/doc/ENGINE.md.
function engine() {
  const [version, build, off] = internalBinding('util').engine();
  return { name: 'JavaScriptCore', version, build, off };
}

function javascriptStack(error) {
  const [message, ...stack] = String(error.stack ?? error).split('\n');
  const errorProperties = Object.fromEntries(
    Object.entries(error)
      .filter(([key]) => key !== 'stack')
      .map(([key, value]) => [key, String(value)]),
  );
  return { message, stack: stack.map((line) => line.trim()), errorProperties };
}

function javascriptHeap() {
  const { heapTotal, heapUsed, external, rss } = process.memoryUsage();
  return {
    totalMemory: heapTotal,
    totalCommittedMemory: heapTotal,
    usedMemory: heapUsed,
    availableMemory: os.freemem(),
    memoryLimit: os.totalmem(),
    mallocedMemory: Math.max(0, rss - heapTotal),
    externalMemory: external,
    heapSpaces: {},
    engine: engine(),
  };
}

function usage() {
  const { userCPUTime, systemCPUTime, maxRSS, majorPageFault, minorPageFault, fsRead, fsWrite } =
    process.resourceUsage();
  const seconds = Math.max(process.uptime(), 1e-3),
    user = userCPUTime / 1e6,
    kernel = systemCPUTime / 1e6;
  const shares = {
    userCpuSeconds: user,
    kernelCpuSeconds: kernel,
    cpuConsumptionPercent: ((user + kernel) / seconds) * 100,
    userCpuConsumptionPercent: (user / seconds) * 100,
    kernelCpuConsumptionPercent: (kernel / seconds) * 100,
  };
  const fsActivity = { reads: fsRead, writes: fsWrite };
  return {
    resourceUsage: {
      free_memory: os.freemem(),
      total_memory: os.totalmem(),
      rss: process.memoryUsage.rss(),
      constrained_memory: process.constrainedMemory(),
      available_memory: process.availableMemory(),
      ...shares,
      maxRss: maxRSS * 1024,
      pageFaults: { IORequired: majorPageFault, IONotRequired: minorPageFault },
      fsActivity,
    },
    uvthreadResourceUsage: { ...shares, fsActivity },
  };
}

// The report's names for the lines of /proc/self/limits, and the unit that it counts in.
const kLimits = {
  'Max core file size': ['core_file_size_blocks', 512],
  'Max data size': ['data_seg_size_bytes', 1],
  'Max file size': ['file_size_blocks', 512],
  'Max locked memory': ['max_locked_memory_bytes', 1],
  'Max resident set': ['max_memory_size_bytes', 1],
  'Max open files': ['open_files', 1],
  'Max stack size': ['stack_size_bytes', 1],
  'Max cpu time': ['cpu_time_seconds', 1],
  'Max processes': ['max_user_processes', 1],
  'Max address space': ['virtual_memory_bytes', 1],
};

function userLimits() {
  const limits = {};
  for (const line of linesOf('/proc/self/limits')) {
    const [name, soft, hard] = line.split(/\s{2,}/);
    const known = kLimits[name];
    if (known === undefined) continue;
    const count = (text) => (text === 'unlimited' ? text : Math.floor(Number(text) / known[1]));
    limits[known[0]] = { soft: count(soft), hard: count(hard) };
  }
  return limits;
}

function sharedObjects() {
  const names = linesOf('/proc/self/maps')
    .map((line) => line.split(/\s+/, 6)[5] ?? '')
    .filter((name) => /\.(?:so|node)\b/.test(name));
  return [...new Set(names)];
}

function make(settings, cause, error, time = new Date()) {
  const report = {
    header: header(settings, cause, time),
    javascriptStack: javascriptStack(error),
    javascriptHeap: javascriptHeap(),
    nativeStack: [],
    ...usage(),
    libuv: process.getActiveResourcesInfo().map((type) => ({ type, is_active: true })),
    workers: [],
  };
  if (!settings.excludeEnv) report.environmentVariables = { ...process.env };
  return Object.assign(report, { userLimits: userLimits(), sharedObjects: sharedObjects() });
}

function nameFor(time) {
  const day = `${time.getFullYear()}${twoDigits(time.getMonth() + 1)}${twoDigits(time.getDate())}`;
  const clock = `${twoDigits(time.getHours())}${twoDigits(time.getMinutes())}${twoDigits(time.getSeconds())}`;
  return `report.${day}.${clock}.${process.pid}.${threadId()}.${String(++written).padStart(3, '0')}.json`;
}

// The stack of the caller.
function synthetic() {
  const error = Object.assign(new Error('JavaScript Callstack'), { code: 'ERR_SYNTHETIC' });
  error.stack = error.stack.replace('Error', 'Error [ERR_SYNTHETIC]');
  return error;
}

class Report {
  #settings = { directory: '', filename: '', compact: false, excludeNetwork: false, excludeEnv: false };
  #signal = 'SIGUSR2';
  #listeners = { fatal: false, signal: undefined, uncaught: undefined };

  constructor() {
    for (const name of ['directory', 'filename', 'compact', 'excludeNetwork', 'excludeEnv']) {
      const validate = typeof this.#settings[name] === 'string' ? validateString : validateBoolean;
      Object.defineProperty(this, name, {
        __proto__: null,
        configurable: true,
        enumerable: true,
        get: () => this.#settings[name],
        set: (value) => {
          validate(value, name);
          this.#settings[name] = value;
        },
      });
    }
  }

  getReport(error) {
    if (error !== undefined) validateObject(error, 'err');
    return make(this.#settings, { event: 'JavaScript API', trigger: 'GetReport' }, error ?? synthetic());
  }

  writeReport(file, error) {
    if (typeof file === 'object' && file !== null) [file, error] = [undefined, file];
    if (file !== undefined) validateString(file, 'file');
    if (error !== undefined) validateObject(error, 'err');
    return this.#write({ event: 'JavaScript API', trigger: 'API' }, file, error ?? synthetic());
  }

  #write(cause, file, error) {
    const time = new Date(),
      { directory, filename, compact } = this.#settings;
    const name = file || filename || nameFor(time);
    const report = make(this.#settings, { ...cause, filename: name }, error, time);
    const text = `${JSON.stringify(report, null, compact ? 0 : 2)}\n`;
    const say = (line) => internalBinding('stdio').writeSync(2, `\n${line}`);
    if (name === 'stdout' || name === 'stderr') {
      internalBinding('stdio').writeSync(name === 'stdout' ? 1 : 2, text);
      return name;
    }
    const { check, kWrite, kPlain } = require('internal/process/permission');
    check(kWrite, directory !== '' ? path.resolve(directory, name) : file || filename || process.cwd(), kPlain);
    say(`Writing Node.js report to file: ${name}`);
    const { valuesOf } = require('internal/process/flags');
    fs.writeFileSync(path.resolve(directory || valuesOf('--diagnostic-dir').at(-1) || '', name), text);
    say('Node.js report completed\n');
    return name;
  }

  get signal() {
    return this.#signal;
  }
  set signal(name) {
    validateString(name, 'signal');
    if (os.constants.signals[name] === undefined) throw new codes.ERR_UNKNOWN_SIGNAL(name);
    const isOn = this.reportOnSignal;
    this.reportOnSignal = false;
    this.#signal = name;
    this.reportOnSignal = isOn;
  }

  // Settings that only keep their values: a process that ends without running JavaScript writes no report.
  get reportOnFatalError() {
    return this.#listeners.fatal;
  }
  set reportOnFatalError(isOn) {
    validateBoolean(isOn, 'trigger');
    this.#listeners.fatal = isOn;
  }

  #listen(slot, event, isOn, listener) {
    validateBoolean(isOn, 'trigger');
    if (isOn === (this.#listeners[slot] !== undefined)) return;
    if (isOn) process.on(event, (this.#listeners[slot] = listener));
    else process.removeListener(event, this.#listeners[slot]);
    if (!isOn) this.#listeners[slot] = undefined;
  }

  get reportOnSignal() {
    return this.#listeners.signal !== undefined;
  }
  set reportOnSignal(isOn) {
    this.#listen('signal', this.#signal, isOn, (signal) =>
      this.#write({ event: signal, trigger: 'Signal' }, undefined, synthetic()),
    );
  }

  get reportOnUncaughtException() {
    return this.#listeners.uncaught !== undefined;
  }
  set reportOnUncaughtException(isOn) {
    this.#listen('uncaught', 'uncaughtExceptionMonitor', isOn, (error) =>
      this.#write({ event: 'Exception', trigger: 'Exception' }, undefined, Object(error)),
    );
  }
}

module.exports = new Report();
