'use strict';

// The network: connecting fails as if the system had refused, listening throws.
const { run } = require('./support/run');

const code = `
  const net = require('net'), dgram = require('dgram'), dns = require('dns');
  const show = (error) => Object.getOwnPropertyNames(error).filter((name) => name !== 'stack' && name !== 'constructor').map((name) => name + '=' + error[name]).join('; ');
  const lines = [];
  const tell = (name) => (error) => lines.push(name + ' ' + show(error));
  const thrown = (name, run) => { try { run(); lines.push(name + ' fine'); } catch (error) { tell(name)(error); } };
  net.connect(9, '127.0.0.1').on('error', tell('address'));
  net.connect(9, '::1').on('error', tell('address 6'));
  net.connect('/tmp/none.sock').on('error', tell('path'));
  net.connect(9, 'localhost').on('error', tell('host'));
  require('http').get('http://127.0.0.1:9/').on('error', tell('http'));
  require('tls').connect(9, '127.0.0.1').on('error', tell('tls'));
  thrown('listen', () => net.createServer().listen(0));
  thrown('listen at a path', () => net.createServer().listen('/tmp/none.sock'));
  dgram.createSocket('udp4').on('error', tell('bind')).bind(0);
  dgram.createSocket('udp4').on('error', tell('send')).send('x', 9, '127.0.0.1');
  dns.lookup('localhost', tell('lookup'));
  dns.lookup('127.0.0.1', (error, address) => lines.push('lookup of an address ' + address));
  dns.resolve4('none.test', tell('resolve'));
  dns.reverse('127.0.0.1', tell('reverse'));
  dns.lookupService('127.0.0.1', 80, tell('service'));
  dns.promises.resolve('none.test').catch(tell('promise'));
  fetch('http://127.0.0.1:1234/').catch((error) => lines.push('fetch ' + error.message + ' ' + error.cause.code));
  process.on('exit', () => console.log(lines.sort().join('\\n')));
`;
const { stdout, status } = run(['--permission'], code);
console.log(stdout, status);
const allowed = run(['--permission', '--allow-net'], `
  const net = require('net');
  const server = net.createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1', () => {
    net.connect(server.address().port, '127.0.0.1').on('data', (data) => console.log(String(data))).on('close', () => {
      server.close();
      process.permission.drop('net');
      net.connect(9, '127.0.0.1').on('error', (error) => console.log(error.code));
    });
  });`);
console.log(allowed.stdout, allowed.status);
