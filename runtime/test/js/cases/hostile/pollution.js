'use strict';

// Prototypes with properties named like options: the runtime's own tables and options do not see them.
for (const k of [
  'get',
  'set',
  'value',
  'enumerable',
  'length',
  'signal',
  'encoding',
  'fd',
  'flags',
  'env',
  'cwd',
  'shell',
  'stdio',
  'detached',
  'uid',
  'timeout',
  'input',
  'host',
  'port',
  'path',
  'method',
  'headers',
  'agent',
  'rejectUnauthorized',
  'highWaterMark',
  'objectMode',
  'recursive',
  'mode',
  'start',
  'end',
  'callback',
  'then',
  'type',
  'name',
  'code',
  'message',
  'constructor2',
  'allowHalfOpen',
  'signal2',
  'family',
  'hints',
  'all',
  'eval',
  'execArgv',
  'transferList',
  'workerData',
  'resourceLimits',
  'args',
  'keepAlive',
])
  if (!['get', 'set', 'value', 'then'].includes(k))
    Object.defineProperty(Object.prototype, k, {
      configurable: true,
      writable: true,
      value: k === 'length' ? undefined : undefined,
    });
Object.prototype.toJSON = undefined;
Array.prototype.then = undefined;
Object.prototype[0] = 'zero';
Object.prototype.inspect = 'x';
const fs = require('fs'),
  http = require('http'),
  cp = require('child_process');
console.log(fs.readFileSync('/dev/null').length, cp.execSync('echo hi').toString());
const s = http
  .createServer((q, r) => r.end('ok'))
  .listen(0, '127.0.0.1', () =>
    http.get({ port: s.address().port, host: '127.0.0.1' }, (r) => {
      r.setEncoding('utf8');
      r.on('data', console.log);
      r.on('end', () => s.close());
    }),
  );
console.log([1, 2], { a: 1 }, new Map([[1, 2]]));
Promise.resolve().then(() => console.log('p'));
process.nextTick(() => console.log('t'));
setTimeout(() => console.log('to'), 1);
