'use strict';
// socket.io issue 3358: no server is there; a second socket of the same manager is made while the first waits to try again, and cleans up
// the timer of that. Nobody tries again, so that neither is connected when the server is there. The second is made when its room was read
// from a file: before the first has failed, all is well.

const fs = require('fs');
const { bug, isFixed } = require('../driver.js');
const client = require('socket.io-client-2.2.0');

const port = 20000 + (process.pid % 20000);
const url = `http://127.0.0.1:${port}`;
const options = { reconnectionDelay: 30, randomizationFactor: 0, transports: ['polling'], forceNew: isFixed };
const rooms = [client(`${url}/one`, options)];
let tries = 0;

const count = (socket) => socket.io.on('reconnect_attempt', () => {
  if (++tries === 2) rooms.forEach((room) => room.close());
});

count(rooms[0]);
fs.readFile(__filename, () => {
  if (tries === 2) return;
  rooms.push(client(`${url}/two`, options));
  if (rooms[1].io !== rooms[0].io) count(rooms[1]);
});
process.on('beforeExit', () => {
  if (tries < 2) bug('nobody tries to connect again');
});
