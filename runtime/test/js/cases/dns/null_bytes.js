'use strict';

// A name with a null byte is refused: the system would use only the part before it.
const dns = require('dns');
const net = require('net');

const attempt = (name, call) => {
  try {
    console.log(name, typeof call());
  } catch (error) {
    console.log(name, error.code, error.message);
  }
};
attempt('lookup', () => dns.lookup('localhost\0.example', () => console.log('told')));
attempt('promise', () => dns.promises.lookup('localhost\0.example'));
attempt('connect', () => net.connect(1, 'localhost\0.example'));
