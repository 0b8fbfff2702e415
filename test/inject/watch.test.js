'use strict';
// rota watch: each block is told while it lasts and when it has ended, in words and as JSON, and the guilty one is blamed.

const { assert, finish, mustRun, rota, run, scratch, test } = require('../page/harness.js');
const { spawn } = require('child_process');
const { once } = require('events');
const fs = require('fs');
const http = require('http');
const os = require('os');
const path = require('path');
const { nodes } = require('./nodes.js');

const file = path.join(scratch, 'blocks.js');
fs.writeFileSync(file, `'use strict';
const burn = (ms) => { for (const end = Date.now() + ms; Date.now() < end; ); };
const kinds = {
  // Not in the first turn of the loop, which is the start-up.
  once() { setImmediate(() => { setTimeout(function handler() { parseReport(Number(process.argv[3])); }, 5); setTimeout(function innocent() {}, 10); }); },
  often() { let n = 0; setTimeout(function again() { burn(80); if (++n < 6) setTimeout(again, 5); }, 5); },
  main() { burn(400); setTimeout(function later() { burn(400); }, 50); },
  exits() { setTimeout(function leaving() { burn(500); process.exit(7); }, 5); },
};
function parseReport(ms) { burn(ms); }
kinds[process.argv[2]]();
`);

const lineOf = (name) => fs.readFileSync(file, 'utf8').split('\n').findIndex((line) => line.includes(`function ${name}(`)) + 1;
const records = (text) => text.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
const number = (text) => Number(text);

// A busy machine may not give the watchdog a processor while a block lasts: then it lasts longer the next time.
function untilSeen(look) {
  for (const ms of [300, 1000, 4000]) {
    const found = look(ms);
    if (found !== undefined || ms === 4000) return found;
  }
  return undefined;
}

for (const node of nodes) {
  const version = mustRun(node, ['-p', 'process.version']).stdout.trim();
  const watch = (options, ...args) => mustRun(rota, ['watch', '--threshold=50', ...options, '--', node, file, ...args]).stderr;

  test(`${version}: a block is told with its whole duration when it has ended`, () => {
    const found = untilSeen((ms) => {
      const text = watch([], 'once', String(ms));
      const end = /^rota: watchdog: the loop was blocked for (\d+) ms in all by handler \(([^\n]*):(\d+)\), callback of a timer, in phase timers(;.*)?$/m.exec(text);
      return end === null ? undefined : { ms, text, end };
    });
    assert.ok(found.end !== null);
    assert.ok(number(found.end[1]) >= found.ms - 2, found.text);
    assert.deepStrictEqual([found.end[2], number(found.end[3])], [file, lineOf('handler')]);
    assert.match(found.text, /a loop is blocked for \d+ ms by handler/);
    assert.doesNotMatch(found.text, /innocent|handler [^\n]*\n +#\d/); // nor frames of C++ below JavaScript's
  });

  test(`${version}: frames of C++ are shown when they are asked for`, () => {
    assert.ok(untilSeen((ms) => (/at handler [^\n]*\n {4}#0 /.test(watch(['--native-frames'], 'once', String(ms))) ? true : undefined)));
  });

  test(`${version}: as JSON, an object a line`, () => {
    const all = untilSeen((ms) => {
      const found = records(watch(['--format=json'], 'once', String(ms))).filter((each) => each.function === 'handler');
      return found.length >= 2 && found[0].stack?.[0].function === 'burn' ? found : undefined;
    });
    assert.deepStrictEqual(all.map((each) => each.event).filter((each) => each !== 'still blocked'), ['blocked', 'ended'], JSON.stringify(all, null, 1));
    for (const each of all) {
      const { function: name, file: of, line, phase, on, kind, start_up: startUp, program } = each;
      assert.deepStrictEqual({ name, of, line, phase, on, kind, startUp, program }, { name: 'handler', of: file, line: lineOf('handler'), phase: 'timers', on: 'timer', kind: 'callback', startUp: false, program: 'node blocks.js' });
      assert.deepStrictEqual(each.stack.map((frame) => frame.function), ['burn', 'parseReport', 'handler']);
      assert.strictEqual(each.stack[1].file, file);
      assert.strictEqual(each.stack[1].line, lineOf('parseReport'));
      assert.ok(Math.abs(Date.parse(each.time) - Date.now()) < 600000 && each.pid === each.thread, JSON.stringify(each));
    }
    assert.ok(all.at(-1).for_ms > all[0].for_ms && all.at(-1).block === all[0].block);
  });

  for (const [kind, native] of [['loop'], ['parse', 'JSON.parse'], ['regexp'], ['file', 'readFileSync'], ['crypto', 'pbkdf2Sync'], ['deep'], ['unseen']])
    test(`${version}: the function that took the time is told, ${kind}`, () => {
      const guilty = path.join(__dirname, 'watch_guilty.js'), wanted = `guilty${kind[0].toUpperCase()}${kind.slice(1)}`;
      const found = untilSeen((ms) => {
        const { stderr } = mustRun(rota, ['watch', '--threshold=50', '--format=json', '--', node, guilty, kind, String(ms)]);
        const ends = records(stderr).filter((each) => each.event === 'ended' && each.function === 'handler');
        for (const { mostly_in: most, for_ms: all } of ends) {
          // Never one that took no time; and if it is not known exactly, one that has called it.
          if (most === undefined) continue;
          assert.doesNotMatch(most.function, /innocent/, stderr);
          assert.ok(most.for_ms > all / 2 && most.for_ms <= all, stderr);
          if (kind === 'unseen') return most;
          if (most.function === wanted) return most;
          if (native !== undefined && most.function === native && most.called_by.function === wanted) return most.called_by;
        }
        return undefined;
      });
      // Reading files is many short calls: it may be that none of the functions was seen for half of the time.
      if (found === undefined && kind === 'file') return;
      assert.ok(found !== undefined);
      if (kind !== 'unseen') assert.strictEqual(found.file, guilty);
      if (kind !== 'unseen') assert.match(fs.readFileSync(guilty, 'utf8').split('\n').slice(found.line - 3, found.line).join(), new RegExp(`${wanted}|now\\(\\)`));
    });

  test(`${version}: a block of a request tells its route, its trace and its identifier, and no later one does`, () => {
    const served = path.join(scratch, 'served.js');
    fs.writeFileSync(served, `const http = require('http'), burn = (ms) => { for (const end = Date.now() + ms; Date.now() < end;); };
      const server = http.createServer((request, response) => { if (!request.url.includes('first')) burn(+process.argv[2]); response.end(); }).listen(0, async () => {
        const { port } = server.address(), trace = '4bf92f3577b34da6a3ce929d0e0e4736';
        const get = (path, headers) => new Promise((done) => http.get({ port, path, headers, agent: false }, (response) => response.resume().on('end', done)));
        await get('/first', { traceparent: '00-' + 'a'.repeat(32) + '-00f067aa0ba902b7-01' });
        await get('/slow?secret=1', { Traceparent: '00-' + trace + '-00f067aa0ba902b7-01', 'X-Request-Id': 'r-1' });
        await get('/bare', { traceparent: 'nonsense', 'x-request-id': 'two words' });
        server.close();
      });`);
    const ends = untilSeen((ms) => {
      const { stderr } = mustRun(rota, ['watch', '--threshold=50', '--format=json', '--', node, served, String(ms)]);
      assert.doesNotMatch(stderr, /secret|aaaaaaaa|nonsense/);
      const found = records(stderr).filter((each) => each.event === 'ended' && /^GET /.test(each.function));
      return found.length >= 2 ? found : undefined;
    });
    const idsOf = (name) => ends.filter((each) => each.function === name).map((each) => [each.trace_id, each.request_id]);
    assert.deepStrictEqual(idsOf('GET /slow'), [['4bf92f3577b34da6a3ce929d0e0e4736', 'r-1']]);
    assert.deepStrictEqual(idsOf('GET /bare'), [[undefined, undefined]]);
  });

  test(`${version}: the timeline tells that function, too`, () => {
    const guilty = path.join(__dirname, 'watch_guilty.js'), page = path.join(scratch, 'guilty.html');
    for (const [kind, wanted] of [['loop', /: longest block: .* in guiltyLoop \(/], ['crypto', /: longest block: .* in pbkdf2Sync, called by guiltyCrypto \(/]])
      assert.ok(untilSeen((ms) => {
        const { stderr, stdout } = mustRun(rota, ['timeline', '-o', page, '--', node, guilty, kind, String(ms)]);
        assert.doesNotMatch(stderr + stdout, /block: .* in innocent/);
        return wanted.test(stderr + stdout) || undefined;
      }), kind);
  });

  test(`${version}: start-up is told apart from service`, () => {
    const found = untilSeen(() => {
      const text = watch([], 'main');
      return /main script[^\n]*at start-up/.test(text) && /by later \(/.test(text) ? text : undefined;
    });
    assert.match(found, /the loop was blocked for \d+ ms in all by \(main script\) \([^\n]*\), at start-up(;.*)?\n/);
    assert.doesNotMatch(found, /later[^\n]*start-up/);
  });

  test(`${version}: no more is told than was asked for, and how much was left out`, () => {
    const found = untilSeen(() => {
      const text = watch(['--at-most=2/hour'], 'often');
      return (text.match(/a loop is blocked/g)?.length ?? 0) === 2 && /more block/.test(text) ? text : undefined;
    });
    assert.strictEqual(found.match(/in all by again/g).length, 2, found);
    assert.match(found, /^rota: watchdog: \d+ more blocks? (is|are) not told \(at most 2\/hour\): \d+ ms in all, the longest \d+ ms$/m);
    const { count, at_most: limit } = untilSeen(() => records(watch(['--format=json', '--at-most=1/hour'], 'often')).find((each) => each.event === 'left out'));
    assert.ok(count >= 1 && limit === '1/hour');
  });

  test(`${version}: what blocks while the process exits has its end, too, and the exit code is the program's`, () => {
    let seen = '';
    for (let runs = 0; runs < 5 && !/, up to the exit of the process, by leaving \(/.test(seen); runs++) {
      const { status, stderr } = run(rota, ['watch', '--threshold=50', '--', node, file, 'exits']);
      assert.strictEqual(status, 7);
      seen += stderr;
    }
    assert.match(seen, /the loop was blocked for (49\d|[5-9]\d\d|\d{4,}) ms in all, up to the exit of the process, by leaving \(/);
  });
}

const [newest] = nodes;

test('each block is handed to a command, and to a URL, with its JSON', async () => {
  const posted = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (data) => (body += data)).on('end', () => {
      posted.push({ method: request.method, url: request.url, type: request.headers['content-type'], ...JSON.parse(body) });
      response.writeHead(204).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const command = path.join(scratch, 'take'), taken = path.join(scratch, 'taken');
  // What it needs of the environment is the user's: nothing of librota's is preloaded.
  fs.writeFileSync(command, `#!/bin/sh\n{ echo "$LD_PRELOAD$1"; cat; } >>'${taken}'\n`, { mode: 0o755 });
  for (let runs = 0; runs < 5 && !posted.some((each) => each.event === 'ended'); runs++) {
    const args = ['watch', '--threshold=50', `--exec=${command} $HOME`, `--post=http://localhost:${server.address().port}/blocks?to=me`, '--', newest, file, 'once', '400'];
    const child = spawn(rota, args, { cwd: scratch, stdio: ['ignore', 'inherit', 'pipe'] });
    child.stderr.resume();
    const [code] = await once(child, 'close'); // standard error ends when the last call is done
    assert.strictEqual(code, 0);
  }
  server.close();
  const post = posted.find((each) => each.event === 'ended' && each.function === 'handler');
  assert.deepStrictEqual([post.method, post.url, post.type, post.file], ['POST', '/blocks?to=me', 'application/json', file]);
  const lines = fs.readFileSync(taken, 'utf8').split('\n');
  assert.strictEqual(lines[0], '$HOME', 'no shell');
  assert.ok(records(lines.join('\n')).some((each) => each.event === 'ended' && each.block === post.block && each.for_ms === post.for_ms), lines.join('\n'));
  assert.deepStrictEqual(fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith('rota-watch-') && !fs.existsSync(path.join(os.tmpdir(), name, 'blocks'))), []);
});

// The command is ended by rota after ten seconds; the program does not wait for that.
test('a command that hangs does not delay the program', () => {
  const done = path.join(scratch, 'done'), command = path.join(scratch, 'hang');
  fs.writeFileSync(command, `#!/bin/sh\nwhile ! [ -e '${done}' ]; do sleep 0.1; done\n`, { mode: 0o755 });
  const { status, stdout } = run(rota, ['watch', '--threshold=50', `--exec=${command}`, '--', newest, file, 'often'], { stdio: ['ignore', 'pipe', 'ignore'] });
  fs.writeFileSync(done, '');
  assert.deepStrictEqual([status, stdout], [0, '']);
});

test('what cannot be called is refused before the program is started', () => {
  const refused = (option, why) => {
    const { status, stderr, stdout } = run(rota, ['watch', ...[option].flat(), '--', newest, '-p', '1']);
    assert.deepStrictEqual([status, stdout], [9, '']);
    assert.match(stderr, why);
    assert.doesNotMatch(stderr, /secret/);
  };
  refused('--exec=no/such/program a', /there is no such program/);
  for (const url of ['http://127.0.0.1:99999/', 'http://127.0.0.1:/', 'http://a:secret@127.0.0.1/', 'http://', 'http://[::1/', 'http://127.0.0.1 /']) refused(`--post=${url}`, /must be http:\/\/HOST:PORT\/PATH/);
  refused('--post=https://127.0.0.1/secret', /must begin with http:/);
  refused('--post=http://192.0.2.1/', /another machine; --post-host=HOST allows it/);
  refused(['--post=http://192.0.2.1/', '--post-host=192.0.2.2'], /not that of --post-host/);
  refused('--post-host=192.0.2.1', /needs --post=/);
});

test('what is no limit and no format is refused', () => {
  const [node] = nodes;
  for (const limit of ['0/minute', '5', '5/day', '-1/minute', 'x', '99999999999999999999/minute']) {
    const { status, stderr } = run(rota, ['watch', `--at-most=${limit}`, '--', node, '-e', '1']);
    assert.strictEqual(status, 9, stderr);
    assert.match(stderr, /--at-most=.*: must be a number from 1 to 1000000 with its time, such as 20\/minute/);
  }
  assert.match(run(rota, ['watch', '--format=xml', '--', node, '-e', '1']).stderr, /--format=xml: must be text or json/);
});

finish();
