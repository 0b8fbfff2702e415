'use strict';
// The programs of runtime/test/html/programs print the same in Chromium and with `rota --loop=html`: in real time, in virtual
// time, and under seeds that choose among the task sources. They depend on what the standard promises, and on nothing that
// it leaves open; so every seed must give the same lines.

const { assert, finish, openPage, rota, test } = require('../../../test/page/harness.js');
const { execFile } = require('child_process');
const fs = require('fs');
const http = require('http');
const path = require('path');

const programs = path.join(__dirname, 'programs');
const names = fs.globSync('*/*.js', { cwd: programs }).map((file) => file.slice(0, -'.js'.length)).sort();
const wanted = process.argv[2] === undefined ? names : names.filter((name) => name.includes(process.argv[2]));
const WAYS = [['real time'], ['virtual time', '--virtual-time'], ...[1, 2, 3, 4].map((n) => [`seed ${n}`, `--schedule-seed=${n}`])];

// ---- in Chromium ----

const head = '<!doctype html><script>lines = []; console.log = (...words) => lines.push(words.join(" "));</script>';

function serve() {
  const server = http.createServer((request, response) => {
    const name = request.url.slice(1);
    if (!names.includes(name)) return response.writeHead(404).end();
    const text = fs.readFileSync(path.join(programs, `${name}.js`), 'utf8');
    response.writeHead(200, { 'content-type': 'text/html' }).end(`${head}<script>\n${text}\n</script>`);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

// As many lines as there should be, and those that come soon after them.
async function inChromium(page, url, count) {
  await page.goto(url);
  await page.waitForFunction((n) => lines.length >= n, count, { timeout: 20000 }).catch(() => {}); // too few: it is told
  await new Promise((resolve) => setTimeout(resolve, 30));
  return page.evaluate('lines.join("\\n")');
}

// ---- on rota ----

function onRota(name, args) {
  return new Promise((resolve) => {
    execFile(rota, ['--loop=html', ...args, path.join(programs, `${name}.js`)], { timeout: 60000 }, (error, stdout, stderr) =>
      resolve(error === null && stderr === '' ? stdout.trimEnd() : `${stdout}${stderr}(ended with ${error?.code ?? error?.signal ?? 0})`),
    );
  });
}

let server, page;

for (const name of wanted) {
  test(name, async () => {
    const first = await onRota(name, []);
    server ??= await serve();
    page ??= await openPage(`http://127.0.0.1:${server.address().port}/${name}`);
    const expected = await inChromium(page, `http://127.0.0.1:${server.address().port}/${name}`, first.split('\n').length);
    assert.strictEqual(first, expected, 'Chromium prints something else (expected)');
    const outputs = await Promise.all(WAYS.slice(1).map(([, ...args]) => onRota(name, args)));
    outputs.forEach((output, i) => assert.strictEqual(output, expected, `${WAYS[i + 1][0]} prints something else`));
  });
}

finish().then(() => server?.close());
