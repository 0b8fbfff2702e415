'use strict';
// A race: responses that come in another order than the requests. Each letter that is typed starts a search; the answer that comes last
// is shown, though it may belong to an earlier text.
//
//   rota fuzz examples/races/responses.js

const assert = require('assert');
const http = require('http');

const server = http.createServer((request, response) => response.end(`results for ${request.url.slice(1)}`));
let shown;
let newest = 0;

function search(text, done) {
  const number = ++newest;
  http.get({ port: server.address().port, path: `/${text}`, agent: false }, (response) => {
    let body = '';
    response.setEncoding('utf8');
    response.on('data', (chunk) => { body += chunk; });
    response.on('end', () => {
      if (number === newest) shown = body;
      done();
    });
  });
}

server.listen(0, '127.0.0.1', () => {
  let left = 2;
  const end = () => {
    if (--left > 0) return;
    server.close();
    assert.strictEqual(shown, 'results for cat', 'the answer to an earlier text is shown');
  };
  search('ca', end);
  setTimeout(search, 100, 'cat', end);
});
