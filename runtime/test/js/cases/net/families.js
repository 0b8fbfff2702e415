'use strict';
// Several addresses for one name: tried in turn, with all errors if none connects.
const net = require('net');
const events = ['connectionAttempt', 'connectionAttemptFailed', 'connectionAttemptTimeout', 'lookup'];
const shown = (args) => args.map((a) => (a instanceof Error ? a.code : typeof a === 'number' && a > 1000 ? 'PORT' : a)).join(' ');
function lookup(addresses) {
  return (host, options, callback) => {
    console.log(host, options.all, options.family, options.hints);
    callback(null, addresses.map((address) => ({ address, family: net.isIP(address) })));
  };
}
const server = net.createServer((socket) => socket.end('ok')).listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const first = net.connect({ port, host: 'several', lookup: lookup(['::ffff:127.0.0.2', '127.0.0.1']), autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 10000 });
  for (const name of events) first.on(name, (...args) => console.log(name, shown(args)));
  first.resume();
  first.on('close', (failed) => {
    console.log(failed, first.autoSelectFamilyAttemptedAddresses.map((a) => a.replace(String(port), 'PORT')));
    server.close(() => {
      const second = net.connect({ port, host: 'several', lookup: lookup(['::ffff:127.0.0.2', '127.0.0.1', '127.0.0.2']), autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 10000 });
      second.on('error', (error) => {
        console.log(error.constructor.name, error.name, error.code, JSON.stringify(error.message), error.errors.map((e) => `${e.code} ${e.address}`));
        console.log(net.getDefaultAutoSelectFamily());
        const third = net.connect({ port, host: 'one', autoSelectFamily: false, lookup(host, options, callback) {
          console.log(options.all);
          callback(null, '127.0.0.1', 4);
        } });
        third.on('error', (e) => console.log(e.name, e.code));
      });
    });
  });
});
