// A resolver for each request: those that nobody uses any more are ended, and their places are used again.
const dns = require('dns');
const kMade = 6000;
const perResolver = 20_000; // bytes; c-ares takes some 80,000

(async () => {
  const rss = () => process.memoryUsage.rss();
  for (let i = 0; i < 100; i++) new dns.Resolver().setServers(['127.0.0.1:9']);
  const before = rss();
  let most = 0;
  for (let i = 0; i < kMade; i++) {
    const resolver = new dns.promises.Resolver({ timeout: 1000, tries: 1 });
    resolver.setServers(['127.0.0.1:9']); // refused
    if (i % 50 === 0) await resolver.resolve4('name.example').catch(() => {});
    if (i % 100 === 0) {
      await new Promise(setImmediate);
      most = Math.max(most, rss() - before);
    }
  }
  console.log(most < kMade * perResolver ? 'bounded' : `${most / kMade} bytes for each`);

  // The handle of a resolver does not become that of another.
  const handles = [];
  for (let i = 0; i < 200; i++) {
    const resolver = new dns.Resolver();
    resolver.setServers([`127.0.0.1:${1000 + i}`]);
    handles.push(resolver._handle);
  }
  for (let i = 0; i < 2000; i++) {
    new dns.Resolver().setServers(['127.0.0.2']);
    if (i % 100 === 0) await new Promise(setImmediate);
  }
  console.log(handles.every((handle, i) => handle.getServers()[0][1] === 1000 + i));
})();
