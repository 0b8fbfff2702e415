'use strict';

// What still runs when a program ends, by itself or by an error in an error handler: each in a process of its own.

const { spawnSync } = require('node:child_process');

const log = console.log;
const onExit = (run) => process.on('exit', (code) => {
  log('exit', code);
  run?.();
});

const programs = {
  handlerThrows() { onExit(); process.on('uncaughtException', () => { throw 1; }); setTimeout(() => { throw 2; }, 1); },
  captureThrows() { onExit(); process.setUncaughtExceptionCaptureCallback(() => { throw 1; }); throw 2; },
  monitorThrows() { onExit(); process.on('uncaughtExceptionMonitor', () => { throw 1; }); throw 2; },
  promisesGoOn() { onExit(async () => { log(1); await 0; log(2); process.nextTick(() => log('never')); await 0; log(3); process.exitCode = 5; }); },
  notAfterExit() { onExit(async () => { await 0; log('never'); }); process.exit(2); },
  rejects() { onExit(() => Promise.reject(3)); },
  rejectsHeard() { onExit(() => Promise.reject(3)); process.on('unhandledRejection', (reason) => log('heard', reason)); },
  jobThrows() { onExit(() => queueMicrotask(() => { throw 4; })); },
  exitTwice() { onExit(() => Promise.resolve().then(() => process.exit(8))); },
  domainOfJob() {
    const domain = require('node:domain').create();
    domain.on('error', ({ message }) => log('domain', message));
    process.on('uncaughtException', ({ message }) => log('uncaught', message));
    domain.run(() => {
      queueMicrotask(() => { throw new Error('job'); });
      setImmediate(() => { throw new Error('immediate'); });
    });
  },
  codes() {
    for (const code of ['a', 1.5, {}, true]) {
      try {
        process.exitCode = code;
      } catch (error) {
        log(error.message);
      }
    }
  },
};

if (process.argv.length > 2) {
  programs[process.argv[2]]();
} else {
  for (const name in programs) {
    const { status, stdout } = spawnSync(process.execPath, [__filename, name], { encoding: 'utf8' });
    log(name, stdout.trim().split('\n'), status);
  }
  for (const mode of ['warn', 'warn-with-error-code', 'warn-with-error-codes', 'none', 'strict']) {
    const { status } = spawnSync(process.execPath, [`--unhandled-rejections=${mode}`, '-e', 'Promise.reject(1)']);
    log(mode, status);
  }
}
