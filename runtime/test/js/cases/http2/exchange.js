// Requests and responses over plain TCP: headers both ways, bodies, trailers, information, promises.
const http2 = require('http2');

const show = (headers) => {
  const { date, ...rest } = headers;
  return JSON.stringify({ ...rest, ':authority': undefined }) + (date ? ' dated' : '');
};

const server = http2.createServer();
server.on('stream', (stream, headers, flags, raw) => {
  console.log('server', headers[':method'], headers[':path'], flags, raw.length, show(headers), String(headers[http2.sensitiveHeaders]));
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk) => { text += chunk; });
  stream.on('trailers', (trailers) => console.log('server trailers', show(trailers)));
  stream.on('end', () => answer(stream, headers[':path'], text));
});

function answer(stream, path, text) {
  if (path === '/echo') {
    stream.respond({ 'content-type': 'text/plain', 'X-Twice': ['a', 'b'], 'set-cookie': ['c=1', 'd=2'], 'number': 5, 'none': undefined });
    stream.end(text.toUpperCase());
  } else if (path === '/info') {
    stream.additionalHeaders({ ':status': 100 });
    stream.additionalHeaders({ ':status': 103, 'link': '</a>; rel=preload' });
    stream.respond({ ':status': 404 }, { endStream: true });
  } else if (path === '/trailers') {
    stream.respond({ ':status': 200 }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'After': 'all' }));
    stream.end('body');
  } else if (path === '/push') {
    stream.pushStream({ ':path': '/pushed' }, (error, pushed, sent) => {
      console.log('promised', error, pushed.id, sent[':path'], pushed.pushAllowed, stream.pushAllowed);
      pushed.respond({ ':status': 200, 'p': 'q' });
      pushed.end('pushed body');
      stream.respond();
      stream.end('pushing body');
    });
  } else if (path === '/raw') {
    stream.respond([':status', '201', 'A', '1', 'b', '2', 'a', '3']);
    stream.end();
  } else {
    stream.respond();
    stream.end();
  }
}

function ask(client, headers, options, body) {
  return new Promise((resolve) => {
    const stream = client.request(headers, options);
    let text = '';
    stream.setEncoding('utf8');
    stream.on('continue', () => console.log('continue'));
    stream.on('headers', (got, flags) => console.log('information', flags, show(got)));
    stream.on('response', (got, flags, raw) => console.log('response', flags, show(got), raw.filter((_, i) => i % 2 === 0).join()));
    stream.on('trailers', (got, flags) => console.log('trailers', flags, show(got)));
    stream.on('wantTrailers', () => stream.sendTrailers({ late: 'yes' }));
    stream.on('data', (chunk) => { text += chunk; });
    stream.on('end', () => console.log('end', JSON.stringify(text)));
    stream.on('close', () => {
      console.log('close', stream.rstCode, stream.aborted, stream.destroyed, stream.session);
      resolve();
    });
    if (body !== undefined) stream.end(body);
  });
}

server.listen(0, '127.0.0.1', async () => {
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  client.on('stream', (stream, headers) => {
    console.log('push', stream.id, headers[':path']);
    stream.on('push', (got) => console.log('push response', show(got)));
    stream.setEncoding('utf8');
    stream.on('data', (chunk) => console.log('push data', chunk));
    stream.on('end', () => console.log('push end'));
  });
  await ask(client, { ':path': '/echo', ':method': 'POST', 'Cookie': ['a=b', 'c=d'], 'X-Y': 'z' }, undefined, 'héllo wörld');
  await ask(client, { ':path': '/info', [http2.sensitiveHeaders]: ['q'], 'q': 'secret' });
  await ask(client, { ':path': '/trailers', ':method': 'PUT' }, { waitForTrailers: true }, Buffer.from('bytes'));
  await ask(client, { ':path': '/push' });
  await ask(client, [':path', '/raw', 'Aa', '1', 'bb', '2', 'aa', '3']);
  await ask(client, { ':path': '/head', ':method': 'HEAD' });
  await ask(client);
  console.log(client.alpnProtocol, client.encrypted, client.type, client.state.nextStreamID);
  client.close(() => console.log('session closed', client.destroyed));
  server.close(() => console.log('server closed'));
});
