// How streams and sessions end, and the order of their events.
const http2 = require('http2');

const scenarios = {
  happy(s, c) { s.respond({ ':status': 200 }); s.end('hi'); c.resume(); c.end(); },
  noBody(s, c) { s.respond({ ':status': 204 }, { endStream: true }); c.resume(); c.end(); },
  clientCloses(s, c) { c.write('payload'); c.close(0); },
  clientCancels(s, c) { c.write('payload'); c.close(8); },
  clientFails(s, c) { c.write('payload'); c.close(2); },
  clientDestroys(s, c) { c.destroy(); },
  clientDestroysWithError(s, c) { c.destroy(new Error('boom')); },
  serverCloses(s) { s.close(0); },
  serverCancels(s) { s.close(8); },
  serverFails(s) { s.close(2); },
  serverDestroys(s) { s.destroy(); },
  serverDestroysWithError(s) { s.destroy(new Error('boom')); },
  serverClosesAfterWrite(s, c) { s.respond(); s.write('x'); s.close(0); c.resume(); },
  serverFailsAfterWrite(s, c) { s.respond(); s.write('x'); s.close(2); c.resume(); },
  nobodyReadsRequest(s, c) { s.respond(); s.end('x'); c.resume(); },
  sessionDestroyedByServer(s) { s.session.destroy(); },
  sessionDestroyedByServerWithError(s) { s.session.destroy(new Error('sb')); },
  sessionDestroyedByClientWithError(s, c) { c.session.destroy(new Error('cb')); },
  goaway(s) { s.session.goaway(2); },
};

function watch(log, emitter, events) {
  for (const event of events) {
    emitter.on(event, (first) => log.push(event + (event === 'error' ? ` ${first.code} ${first.message}` : '') +
      (event === 'close' && emitter.rstCode !== undefined ? ` ${emitter.rstCode}` : '')));
  }
}

const ofStream = ['aborted', 'error', 'end', 'finish', 'close', 'ready', 'response', 'frameError'];

async function run(name) {
  const logs = { server: [], serverSession: [], serverStream: [], client: [], clientStream: [] };
  const server = http2.createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  watch(logs.server, server, ['session', 'sessionError', 'close']);
  server.on('session', (session) => watch(logs.serverSession, session, ['connect', 'error', 'close']));
  let stream;
  server.on('stream', (s) => {
    watch(logs.serverStream, s, ofStream);
    scenarios[name](s, stream);
  });
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  watch(logs.client, client, ['connect', 'error', 'close']);
  stream = client.request({ ':method': 'POST' });
  watch(logs.clientStream, stream, ofStream);
  await new Promise((resolve) => stream.on('close', resolve));
  await new Promise((resolve) => setTimeout(resolve, 30));
  console.log(name, stream.destroyed, stream.aborted, stream.closed, stream.rstCode, client.destroyed);
  client.close();
  server.close();
  await new Promise((resolve) => server.on('close', () => setTimeout(resolve, 10)));
  for (const [who, log] of Object.entries(logs)) console.log(`  ${who}: ${log.join(', ')}`);
}

(async () => {
  for (const name of Object.keys(scenarios)) await run(name);
})();
