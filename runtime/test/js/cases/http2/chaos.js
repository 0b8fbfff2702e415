// Streams and sessions that are written to, ended, reset, destroyed and closed at random, on both sides: all of them end.
// (Node 26 itself leaves a session open now and then: recorded is what it gives otherwise.)
const http2 = require('http2');

let seed = 7;
const random = (below) => {
  seed = (seed * 1103515245 + 12345) & 0x7fffffff;
  return (seed >> 8) % below;
};

const counts = { streams: 0, streamsClosed: 0, requests: 0, requestsClosed: 0, sessions: 0, sessionsClosed: 0 };
const quiet = () => {};

const deeds = [
  (stream, server) => { if (server && !stream.headersSent) stream.respond({ a: 'b' }, { waitForTrailers: random(2) === 0 }); },
  (stream) => stream.write(Buffer.alloc(random(60000))),
  (stream) => stream.write('text'.repeat(random(50)), 'latin1'),
  (stream) => stream.end('end'),
  (stream) => stream.close(random(14)),
  (stream) => { if (random(3) === 0) stream.destroy(random(2) === 0 ? new Error('x') : undefined); },
  (stream) => { if (random(8) === 0) stream.session?.close(); },
  (stream) => { if (random(20) === 0) stream.session?.destroy(); },
  (stream, server) => {
    if (!server) return;
    stream.pushStream({ ':path': '/p' }, (error, pushed) => {
      if (error) return;
      pushed.on('error', quiet);
      act(pushed, true);
    });
  },
  (stream) => stream.session?.ping(quiet),
  (stream, server) => { if (server && !stream.headersSent) stream.additionalHeaders({ ':status': 103 }); },
];

function act(stream, server) {
  let left = 1 + random(5);
  const next = () => {
    if (stream.destroyed) return;
    try {
      if (left-- === 0) {
        stream.end('bye');
        return;
      }
      deeds[random(deeds.length)](stream, server);
    } catch (error) {
      if (!error.code.startsWith('ERR_HTTP2')) throw error;
    }
    const how = random(3);
    if (how === 0) next();
    else if (how === 1) setImmediate(next);
    else setTimeout(next, random(4));
  };
  next();
}

const server = http2.createServer();
server.on('session', (session) => {
  counts.sessions++;
  session.on('close', () => counts.sessionsClosed++);
});
server.on('sessionError', quiet);
server.on('stream', (stream) => {
  counts.streams++;
  stream.on('error', quiet);
  stream.on('close', () => counts.streamsClosed++);
  act(stream, true);
  if (random(3) !== 0) stream.resume();
});
server.listen(0, '127.0.0.1', async () => {
  for (let round = 0; round < 20; round++) {
    const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
    client.on('error', quiet);
    client.on('stream', (pushed) => {
      pushed.on('error', quiet);
      pushed.resume();
      if (random(3) === 0) pushed.close(8);
    });
    const all = Array.from({ length: 1 + random(12) }, () => new Promise((resolve) => {
      counts.requests++;
      const stream = client.request({ ':method': 'POST' }, { waitForTrailers: random(3) === 0 });
      stream.on('error', quiet);
      stream.on('close', () => {
        counts.requestsClosed++;
        resolve();
      });
      setTimeout(() => stream.resume(), random(30));
      act(stream, false);
    }));
    await Promise.race([Promise.all(all), new Promise((resolve) => setTimeout(resolve, 2000).unref())]);
    client.destroy();
  }
  const isDone = () => counts.streams === counts.streamsClosed && counts.requests === counts.requestsClosed && counts.sessions === counts.sessionsClosed;
  for (let i = 0; i < 100 && !(isDone() && i >= 3); i++) await new Promise((resolve) => setTimeout(resolve, 100));
  console.log(counts.streams === counts.streamsClosed, counts.requests === counts.requestsClosed, counts.sessions === counts.sessionsClosed);
  server.close(() => console.log('closed'));
});
