'use strict';
// A race: pages by number. A list is read in pages of two while an entry is removed. What comes after it moves up by one, and the first of
// the next page is on neither. The removal comes 300 ms after the reading, which takes some round trips.
//
//   rota fuzz examples/races/pages.js

const assert = require('assert');
const net = require('net');

const entries = ['a', 'b', 'c', 'd', 'e', 'f'];
const server = net.createServer((socket) => {
  let question = '';
  socket.on('data', (data) => {
    question += data;
    if (!question.endsWith('\n')) return;
    const after = question.trim();
    const from = entries.findIndex((entry) => entry > after);
    question = '';
    socket.write(JSON.stringify({ page: from < 0 ? [] : entries.slice(from, from + 2) }));
  });
});

function readPages(socket, done) {
  const seen = [];
  let text = '';
  socket.on('data', (data) => {
    text += data;
    if (!text.endsWith('}')) return;
    const { page } = JSON.parse(text);
    text = '';
    seen.push(...page);
    if (page.length === 0) done(seen);
    else socket.write(`${seen.at(-1)}\n`);
  });
  socket.write('0\n');
}

server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1', () => {
    readPages(client, (seen) => {
      client.end();
      server.close();
      for (const name of ['b', 'c', 'd', 'e', 'f']) assert(seen.includes(name), `${name} was never seen`);
    });
    setTimeout(() => entries.shift(), 300);
  });
});
