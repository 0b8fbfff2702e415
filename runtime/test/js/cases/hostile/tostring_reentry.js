'use strict';

// Conversions that call the function again that needs them.
const fs = require('fs'),
  p = require('path'),
  cp = require('child_process'),
  u = require('url'),
  qs = require('querystring');
let d = 0;
const t = (n, f) => {
  try {
    console.log(n, String(f()).slice(0, 40));
  } catch (e) {
    console.log(n, e.code || e.name);
  }
};
const o = {
  toString() {
    if (d++ < 3) return qs.escape(o);
    return 'a%zz';
  },
};
t('qs', () => qs.escape(o));
t('env', () => {
  process.env.X1 = {
    toString() {
      process.env.X1 = 'inner';
      delete process.env.X1;
      return 'outer';
    },
  };
  return process.env.X1;
});
t('envsym', () => {
  process.env[Symbol('a')] = 'b';
});
t('envset', () => {
  process.env.X2 = Symbol('b');
});
t('envproto', () => {
  Object.setPrototypeOf(
    process.env,
    new Proxy(
      {},
      {
        get() {
          throw 5;
        },
      },
    ),
  );
  return process.env.nothing;
});
t(
  'spawn',
  () =>
    cp.spawnSync('echo', [
      {
        toString() {
          return cp.spawnSync('echo', ['in']).stdout.toString();
        },
      },
    ]).stdout,
);
t('args', () => cp.execFileSync('echo', ['a\0b']));
t('title', () => {
  process.title = {
    toString() {
      process.title = 'b';
      return 'c';
    },
  };
  return process.title;
});
t('umask', () =>
  process.umask({
    valueOf() {
      return 0o22;
    },
  }),
);
t('kill', () =>
  process.kill(
    {
      valueOf() {
        return process.pid;
      },
    },
    0,
  ),
);
t(
  'hr',
  () =>
    process.hrtime([
      {
        valueOf() {
          return 1;
        },
      },
      2,
    ]).length,
);
t('chdir', () =>
  process.chdir({
    toString() {
      return '/';
    },
  }),
);
t(
  'url',
  () =>
    new URL({
      toString() {
        return new URL({
          toString() {
            return 'http://b/';
          },
        }).href;
      },
    }).href,
);
t('date', () =>
  fs.utimesSync(
    '/nonexistent',
    {
      valueOf() {
        return 1;
      },
    },
    1,
  ),
);
