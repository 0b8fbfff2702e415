// Lines of JSON, to a function and to standard output.
const pino = require('pino');
const options = { base: null, timestamp: false };
const lines = [];
const log = pino(options, { write: (line) => lines.push(line) });
log.info({ a: 1 }, 'hello %s', 'world');
log.child({ who: 'child' }).warn('careful');
log.debug('not shown');
log.error(Object.assign(new Error('broken'), { stack: 'cut' }));
console.log(lines.join(''));
const output = pino.destination({ sync: true });
pino(options, output).info('standard output');
pino({ ...options, redact: ['secret'] }, output).info({ secret: 1, open: 2 });
