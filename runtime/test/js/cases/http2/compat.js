// Http2ServerRequest and Http2ServerResponse.
const http2 = require('http2');

const finished = [];
const pushed = [];
const server = http2.createServer((request, response) => {
  console.log(request.method, request.url, request.scheme, request.authority.replace(/\d+$/, 'N'), request.headers['x-a'], request.complete);
  const { url } = request;
  if (url === '/body') {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => { text += chunk; });
    request.on('end', () => {
      console.log('end', text, request.complete, JSON.stringify(request.trailers), request.rawTrailers.join());
      response.writeHead(201, { 'X-B': 'b', 'x-c': ['1', '2'] });
      response.write('part ');
      response.end('whole');
    });
  } else if (url === '/headers') {
    response.setHeader('A', 'b');
    response.appendHeader('a', 'c');
    response.setHeader('gone', 'x');
    response.removeHeader('Gone');
    console.log(JSON.stringify(response.getHeaders()), response.getHeaderNames().join(), response.hasHeader('A'), response.headersSent);
    for (const bad of [() => response.setHeader(':status', 1), () => response.setHeader('', 1), () => response.setHeader('x', undefined),
      () => { response.statusCode = 100; }, () => { response.statusCode = 1000; }, () => response.getHeader()]) {
      try {
        bad();
      } catch (error) {
        console.log(error.code, error.message);
      }
    }
    response.sendDate = false;
    response.statusCode = 202;
    response.setTrailer('t', 'u');
    response.addTrailers({ V: 'w' });
    response.end('x', () => console.log('ended', response.headersSent, response.writableEnded, response.finished));
  } else if (url === '/early') {
    response.writeEarlyHints({ link: '</a.css>; rel=preload', 'x-hint': 'h' });
    response.writeInformation(110, { 'x-progress': '1' });
    response.writeContinue();
    response.flushHeaders();
    console.log(response.writeContinue(), response.headersSent);
    response.end();
  } else if (url === '/push') {
    response.createPushResponse({ ':path': '/pushed' }, (error, pushed) => {
      pushed.end('pushed');
      response.end('pushing');
    });
  } else if (url === '/destroy') {
    request.on('aborted', () => console.log('aborted', request.aborted, request.complete));
    response.on('close', () => console.log('response closed'));
    request.on('error', (error) => console.log('request error', error.message));
    response.stream.destroy(new Error('kaboom'));
  } else {
    response.end();
    response.write('late', (error) => console.log('late', error.code));
  }
  response.on('finish', () => finished.push(url));
});
server.on('checkContinue', (request, response) => {
  console.log('checkContinue');
  response.writeContinue();
  response.end('continued');
});
server.on('checkExpectation', (request, response) => {
  console.log('checkExpectation', request.headers.expect);
  response.writeHead(417);
  response.end();
});
server.on('connect', (request, response) => {
  console.log('connect', request.headers[':authority']);
  response.writeHead(405);
  response.end();
});

function ask(client, headers, body) {
  return new Promise((resolve) => {
    const stream = client.request({ 'x-a': 'y', ...headers }, { endStream: body === undefined, waitForTrailers: body !== undefined });
    let text = '';
    stream.on('continue', () => console.log('continue'));
    stream.on('headers', ({ [':status']: status, ...rest }) => console.log('information', status, JSON.stringify(rest)));
    stream.on('response', ({ date, ...rest }) => console.log('response', JSON.stringify(rest), date !== undefined));
    stream.on('trailers', (got) => console.log('trailers', JSON.stringify(got)));
    stream.on('wantTrailers', () => stream.sendTrailers({ q: 'r' }));
    stream.on('data', (chunk) => { text += chunk; });
    stream.on('error', (error) => console.log('error', error.code));
    stream.on('close', () => {
      console.log('close', stream.rstCode, text);
      setTimeout(resolve, 10);
    });
    if (body !== undefined) stream.end(body);
  });
}

server.listen(0, '127.0.0.1', async () => {
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  client.on('stream', (stream, headers) => {
    stream.on('data', (chunk) => pushed.push(`${headers[':path']} ${chunk}`));
  });
  await ask(client, { ':path': '/body', ':method': 'POST' }, 'some data');
  for (const path of ['/headers', '/early', '/push', '/destroy', '/late']) await ask(client, { ':path': path });
  await ask(client, { ':path': '/', ':method': 'HEAD' });
  await ask(client, { ':path': '/', 'expect': '100-continue' });
  await ask(client, { ':path': '/', 'expect': 'wonders' });
  await ask(client, { ':method': 'CONNECT', ':authority': 'example.org:1' });
  client.close();
  server.close(() => console.log(finished.join(), pushed.join()));
});
