'use strict';
// Each callback knows which one has scheduled it: the chain leads back to the main script. Perfetto gets arrows for the same.

const { assert, build, finish, mustRun, rota, root, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const path = require('path');

const trace = path.join(scratch, 'causes.json'), file = path.join(scratch, 'causes.js');

function traced(text, command = [rota, `--trace=${trace}`]) {
  fs.writeFileSync(file, text);
  mustRun(command[0], [...command.slice(1), file]);
  return JSON.parse(fs.readFileSync(trace, 'utf8'));
}

function chains(events) {
  const calls = new Map();
  for (const event of events) if (event.cat === 'call') calls.set(event.args.id, event);
  return [...calls.values()].map((call) => {
    const names = [];
    for (let at = call; at !== undefined && names.length < 99; at = calls.get(at.args.by)) names.push(at.name);
    return names.join(' < ');
  });
}

test('timers, immediates, ticks, files: back to the main script', () => {
  const found = chains(traced(`
    const fs = require('fs');
    setTimeout(function first() {
      setImmediate(function second() {
        fs.stat(__filename, function third() {
          fs.readFile(__filename, function fourth() {
            process.nextTick(() => Promise.resolve().then(() => setTimeout(function fifth() {}, 1)));
          });
        });
      });
    }, 2);
    require('crypto').pbkdf2('a', 'b', 1, 32, 'sha256', function onKey() { setImmediate(function afterKey() {}); });`));
  assert.ok(found.includes('fifth < fourth < third < second < first < main script'), found.join('\n'));
  assert.ok(found.includes('afterKey < onKey < main script'), found.join('\n'));
});

test('across await, under the name of the function that goes on', () => {
  const found = chains(traced(`
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    async function task() {
      await sleep(5);
      await require('timers/promises').setTimeout(3);
      await require('fs').promises.stat(__filename);
      await require('fs').promises.readFile(__filename);
      setTimeout(function afterTask() {}, 1);
    }
    task();`));
  assert.ok(found.includes('afterTask < task, after readFile < task, after stat < task, after setTimeout < task, after sleep < main script'),
    found.join('\n'));
});

test('sockets, messages and workers', () => {
  const found = chains(traced(`
    const net = require('net'), { Worker, isMainThread, parentPort } = require('worker_threads');
    const server = net.createServer(function onConnection(socket) { socket.on('data', function onRequest() { socket.end('x'); }); });
    server.listen(0, function onListening() {
      const client = net.connect(server.address().port, function onConnect() { client.write('x'); });
      client.on('data', function onResponse() { server.close(); });
    });
    const { port1, port2 } = new MessageChannel();
    port2.on('message', function onMessage() { port2.close(); });
    // After the worker's messages: those that come in one turn of the loop have one cause.
    const send = () => setTimeout(function sender() { port1.postMessage(1); }, 3);
    const worker = new Worker(\`const { parentPort } = require("worker_threads");
      parentPort.once("message", function inWorker() { process.exit(); });
      parentPort.postMessage(1);\`, { eval: true });
    worker.on('message', function tellsWorker() { worker.postMessage(1); });
    worker.on('exit', send);`));
  for (const chain of [/^onMessage < sender\b/, /^inWorker < .*\btellsWorker < .*worker script$/, /^onRequest < onConnection < .*main script$/, /^onResponse < onConnect < .*main script$/]) {
    assert.ok(found.some((each) => chain.test(each)), `${chain} is not in\n${found.join('\n')}`);
  }
});

test('arrows: one for each thing that was scheduled, from inside of its cause to its beginning', () => {
  const events = traced(`
    setTimeout(function first() { setImmediate(function second() {}); }, 1);
    let n = 0;
    const timer = setInterval(function beat() { if (++n === 5) clearInterval(timer); }, 2);`);
  const starts = events.filter((event) => event.ph === 's'), ends = events.filter((event) => event.ph === 'f');
  assert.ok(starts.length > 0 && starts.length === ends.length);
  const calls = events.filter((event) => event.cat === 'call');
  const around = ({ tid, ts }) => calls.find((call) => call.tid === tid && call.ts <= ts && ts < call.ts + call.dur + .0005)?.name;
  const begun = ({ tid, ts }) => calls.find((call) => call.tid === tid && call.ts === ts)?.name;
  const arrows = starts.map((from) => `${around(from)} > ${begun(ends.find((end) => end.id === from.id))}`);
  for (const arrow of ['main script > first', 'first > second', 'main script > beat']) {
    assert.strictEqual(arrows.filter((each) => each === arrow).length, 1, arrows.join('\n'));
  }
  assert.ok(events.some((event) => event.name === 'process_name' && event.args.name === 'rota'));
});

test('a program in C: timers by timers, work by timers, with the time from done to told', () => {
  const program = path.join(scratch, 'causes');
  fs.writeFileSync(path.join(scratch, 'causes.c'), `#include <uv.h>
    static uv_timer_t second;
    static uv_work_t work;
    static void run(uv_work_t *w) { (void)w; }
    static void on_done(uv_work_t *w, int status) { (void)w; (void)status; }
    static void on_second(uv_timer_t *t) { uv_queue_work(t->loop, &work, run, on_done); }
    static void on_first(uv_timer_t *t) { uv_timer_init(t->loop, &second); uv_timer_start(&second, on_second, 1, 0); }
    int main(void) {
      uv_timer_t first;
      uv_timer_init(uv_default_loop(), &first);
      uv_timer_start(&first, on_first, 1, 0);
      return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
    }`);
  mustRun('gcc', [`-I${root}/include`, 'causes.c', `-L${build}/lib`, '-l:libuv.so.1', '-o', program]);
  const events = traced('', [rota, 'trace', '-o', trace, '--', program]);
  assert.ok(chains(events).includes('on_done < on_second < on_first'), chains(events).join('\n'));
  const done = events.find((event) => event.cat === 'call' && event.name === 'on_done'), job = events.find((event) => event.cat === 'job');
  assert.strictEqual(job.args.by, done.args.by);
  assert.ok(Math.abs(done.ts - done.args.late_us - (job.ts + job.dur)) < 2, JSON.stringify([done, job]));
});

finish();
