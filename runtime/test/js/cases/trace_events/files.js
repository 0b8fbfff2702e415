'use strict';
// node:trace_events: which categories are enabled, and what is in the files.
const { createTracing, getEnabledCategories } = require('node:trace_events');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

function show(label, action) {
  try {
    console.log(label, action());
  } catch (error) {
    console.log(label, error.name, error.code, error.message);
  }
}

if (process.argv[2] === 'work') {
  console.time('label');
  console.timeLog('label');
  console.timeEnd('label');
  console.count('times');
  console.count('times');
  console.countReset('times');
  require('node:path');
  setTimeout(() => {}, 1);
  const http = require('node:http');
  const server = http.createServer((request, response) => {
    response.end('x');
    server.close();
  }).listen(0, () => http.get({ port: server.address().port, path: '/there', agent: false }, (response) => response.resume()));
} else if (process.argv[2] === 'dynamic') {
  const tracing = createTracing({ categories: ['node.console'] });
  console.count('before');
  tracing.enable();
  console.count('during');
  tracing.disable();
  console.count('after');
} else {
  process.chdir(fs.mkdtempSync(join(tmpdir(), 'traces-')));
  for (const options of [undefined, null, 5, {}, { categories: 'x' }, { categories: [] }, { categories: [1] }]) show('options', () => createTracing(options));
  const one = createTracing({ categories: ['b', 'a'] });
  const two = createTracing({ categories: ['b', 'c'] });
  show('made', () => [one, one.enabled, one.categories, getEnabledCategories()]);
  one.enable();
  one.enable();
  show('one', getEnabledCategories);
  two.enable();
  show('both', getEnabledCategories);
  one.disable();
  one.disable();
  show('two', () => [one.enabled, getEnabledCategories()]);
  two.disable();
  show('none', getEnabledCategories);

  const events = (options, how) => {
    for (const file of fs.readdirSync('.')) fs.rmSync(file);
    const { pid } = spawnSync(process.execPath, [...options, __filename, how]);
    const files = fs.readdirSync('.').map((file) => file.replaceAll(String(pid), 'PID'));
    const list = files.length === 0 ? [] : JSON.parse(fs.readFileSync(fs.readdirSync('.')[0], 'utf8')).traceEvents;
    return { files, list, isOurs: list.every((event) => event.pid === pid && typeof event.ts === 'number') };
  };
  const brief = ({ ph, cat, name, id, args }) => `${ph} ${cat} ${name} ${id ?? ''} ${JSON.stringify(args)}`;
  for (const category of ['node.console', 'node.http']) {
    const { files, list, isOurs } = events(['--trace-event-categories', category], 'work');
    console.log(category, files, isOurs);
    for (const event of list.filter(({ cat }) => cat !== '__metadata')) console.log(' ', brief(event));
  }
  const { list } = events(['--trace-event-categories=node.bootstrap,node.async_hooks'], 'work');
  console.log([...new Set(list.filter(({ cat }) => cat === 'node,node.bootstrap').map(({ ph, name }) => `${ph} ${name}`))].sort());
  console.log([...new Set(list.filter(({ name }) => name.startsWith('Timeout')).map(({ ph, cat, name, args }) => `${ph} ${cat} ${name} ${Object.keys(args.data ?? {}).sort()}`))].sort());
  const metadata = list.filter(({ cat }) => cat === '__metadata');
  console.log(metadata.some(({ name, args }) => name === 'thread_name' && args.name === 'JavaScriptMainThread'), metadata.find(({ name }) => name === 'version').args.node === process.versions.node);
  console.log(events(['--trace-event-categories', 'node.console', '--trace-event-file-pattern', '${pid}-${rotation}.json'], 'work').files);
  console.log(events(['--trace-event-categories', ''], 'work').files, events([], 'work').files);
  console.log(events([], 'dynamic').list.filter(({ cat }) => cat !== '__metadata').map(brief));
  fs.rmSync(process.cwd(), { recursive: true });
}
