'use strict';
// get-port issue 23: a port is free when it is asked about, and taken when it is used. Two services of a program look for a port from the
// same one on, and listen after their settings were read. Mended by the program: the second looks when the first listens.

const fs = require('fs');
const net = require('net');
const { bug, isFixed } = require('../driver.js');
const getPort = require('get-port-4.2.0');

const first = 20000 + (process.pid % 20000);

async function serve(name) {
  const port = await getPort({ port: [first, first + 1, first + 2] });
  await fs.promises.readFile(__filename);
  return new Promise((resolve) => {
    const server = net.createServer();
    server.on('error', (error) => {
      if (error.code !== 'EADDRINUSE') throw error;
      bug(`the port that ${name} got is in use`);
      resolve();
    });
    server.listen({ port }, () => resolve(server));
  });
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

(async () => {
  const one = serve('the first');
  if (isFixed) await one;
  const two = wait(10).then(() => serve('the second'));
  for (const server of await Promise.all([one, two])) server?.close();
})();
