'use strict';
// Metrics: what a Node, the runtime and a cluster serve, validated by Prometheus's own tool where it is installed; loops that are blocked,
// ports that are taken, and programs that end.

const { assert, finish, root, rota, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const http = require('http');
const net = require('net');
const path = require('path');
const { spawn, spawnSync } = require('child_process');
const { once } = require('events');

const node = process.execPath;
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
const programs = { 'the official Node': [rota, 'run', '--metrics=127.0.0.1:0', '--', node] };
if (path.basename(rota) === 'rota') programs['the runtime'] = [rota, '--metrics=127.0.0.1:0'];

function write(name, text) {
  const file = path.join(scratch, name);
  fs.writeFileSync(file, text);
  return file;
}

// A program, from when it says "ready" on; it is ended with the test.
async function withProgram(command, use, env = {}) {
  const child = spawn(command[0], command.slice(1), { cwd: scratch, env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  const said = { out: '', err: '' };
  child.stdout.on('data', (data) => (said.out += data));
  child.stderr.on('data', (data) => (said.err += data));
  try {
    await until(() => said.out.includes('ready') || child.exitCode !== null);
    const url = /rota: metrics: (http:\S+)/.exec(said.err)?.[1];
    return await use({ child, ended, said, url });
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

// There is no limit but that of the whole test: the machine may be slow.
async function until(isSo) {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}

function get(url, headers = {}) {
  return new Promise((resolve, reject) => {
    http
      .get(url, { headers, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (data) => (text += data)).on('end', () => resolve({ text, headers: response.headers }));
      })
      .on('error', reject);
  });
}

// { name, labels, value } of each line.
function samplesOf(text) {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, labels, value] = /^(\w+)\{(.*)\} (\S+)$/.exec(line);
      return { name, value: Number(value), ...Object.fromEntries([...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map((found) => found.slice(1))) };
    });
}

const scrape = async (url) => samplesOf((await get(url)).text);
const valueOf = (samples, name, labels = {}) =>
  samples.find((sample) => sample.name === name && Object.keys(labels).every((key) => sample[key] === labels[key]))?.value;

const server = write('server.js', `
  const http = require('http');
  const fs = require('fs');
  http.createServer(function onRequest(request, response) {
    const [, ms] = request.url.split('/');
    const end = Date.now() + Number(ms);
    while (Date.now() < end);
    fs.stat('/', () => require('crypto').pbkdf2('a', 'b', 1, 8, 'sha1', () => response.end('answered')));
  }).listen(0, '127.0.0.1', function () { console.log('ready ' + this.address().port + ' ' + process.pid); });
  require('dns').lookup('localhost', () => {});
`);

for (const [name, command] of Object.entries(programs)) {
  test(`${name} serves metrics that Prometheus takes`, () =>
    withProgram([...command, server], async ({ said, url }) => {
      const port = Number(said.out.split(' ')[1]);
      for (const ms of [0, 30, 40, 0]) assert.strictEqual((await get(`http://127.0.0.1:${port}/${ms}`)).text, 'answered');
      const { text, headers } = await get(url);
      assert.match(headers['content-type'], /^text\/plain; version=0\.0\.4/);
      const samples = samplesOf(text);
      assert.ok(valueOf(samples, 'nodejs_eventloop_lag_max_seconds', { loop: 'main' }) >= 0.03, text);
      assert.ok(valueOf(samples, 'nodejs_eventloop_delay_max_seconds', { loop: 'main' }) >= 0.03);
      assert.ok(valueOf(samples, 'nodejs_eventloop_lag_min_seconds') <= valueOf(samples, 'nodejs_eventloop_lag_p50_seconds'));
      assert.ok(valueOf(samples, 'nodejs_active_handles', { type: 'tcp' }) >= 1);
      assert.ok(valueOf(samples, 'nodejs_active_requests') >= 0);
      const utilization = valueOf(samples, 'nodejs_eventloop_utilization_ratio');
      assert.ok(utilization > 0 && utilization <= 1);
      assert.ok(valueOf(samples, 'nodejs_eventloop_time_seconds_total', { nodejs_eventloop_state: 'active' }) >= 0.07);
      assert.ok(valueOf(samples, 'nodejs_eventloop_time_seconds_total', { nodejs_eventloop_state: 'idle' }) > 0);
      assert.ok(valueOf(samples, 'rota_loop_phase_seconds_total', { phase: 'poll' }) >= 0.07);
      assert.ok(valueOf(samples, 'rota_pool_run_seconds_count', { kind: 'name' }) >= 1);
      assert.ok(samples.filter((sample) => sample.name === 'rota_slow_callbacks_total').reduce((sum, { value }) => sum + value, 0) >= 2);
      const open = await get(url, { Accept: 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5' });
      assert.match(open.headers['content-type'], /^application\/openmetrics-text; version=1\.0\.0/);
      assert.ok(open.text.endsWith('# EOF\n'));
      if (!hasPromtool) return;
      const checked = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
      assert.strictEqual(checked.status, 0, checked.stdout + checked.stderr);
    }));

  test(`${name} is shown as blocked while it is`, () =>
    withProgram([...command, server], async ({ said, url }) => {
      const port = Number(said.out.split(' ')[1]);
      const blocking = http.get(`http://127.0.0.1:${port}/600000`).on('error', () => {});
      await until(async () => valueOf(await scrape(url), 'nodejs_eventloop_lag_seconds', { loop: 'main' }) > 0.3);
      const samples = await scrape(url);
      assert.ok(valueOf(samples, 'nodejs_eventloop_lag_max_seconds', { loop: 'main' }) > 0.3);
      assert.ok(valueOf(samples, 'nodejs_eventloop_delay_p99_seconds', { loop: 'main' }) > 0);
      blocking.destroy();
    }));
}

const cluster = write('cluster.js', `
  const cluster = require('cluster');
  const { Worker } = require('worker_threads');
  if (cluster.isPrimary) {
    let waiting = 2;
    const begin = () => --waiting || console.log('ready');
    for (let i = 0; i < 2; i++) cluster.fork().once('message', begin);
    new Worker('setInterval(() => {}, 50)', { eval: true });
  } else {
    process.send('begun');
    setInterval(() => process.title, 50);
    process.on('disconnect', () => process.exit());
  }
`);
const processesOf = (samples) => samples.filter(({ name }) => name === 'rota_info').map(({ pid }) => Number(pid));

for (const [name, command] of Object.entries(programs))
  test(`${name}: a cluster and its threads have one endpoint`, () =>
    withProgram([...command, cluster], async ({ child, url }) => {
      let samples;
      await until(async () => processesOf((samples = await scrape(url))).length === 3);
      assert.ok(processesOf(samples).includes(child.pid));
      const loops = samples.filter((sample) => sample.name === 'nodejs_eventloop_lag_seconds').map(({ pid, loop }) => `${pid} ${loop}`);
      assert.strictEqual(new Set(loops).size, loops.length);
      assert.ok(loops.includes(`${child.pid} main`) && loops.includes(`${child.pid} 1`), loops.join());
      assert.strictEqual(loops.filter((loop) => loop.endsWith(' main')).length, 3);
      const dead = processesOf(samples).find((pid) => pid !== child.pid);
      process.kill(dead, 'SIGKILL');
      await until(async () => !processesOf(await scrape(url)).includes(dead));
      if (!hasPromtool) return;
      const checked = spawnSync('promtool', ['check', 'metrics'], { input: (await get(url)).text, encoding: 'utf8' });
      assert.strictEqual(checked.status, 0, checked.stdout + checked.stderr);
    }));

test('when the first process ends, another one serves', () =>
  withProgram(programs['the official Node'].concat(server), ({ url, child, ended }) =>
    withProgram([rota, 'run', `--metrics=${new URL(url).host}`, '--', node, server], async (second) => {
      await until(async () => processesOf(await scrape(url)).length === 2);
      child.kill('SIGKILL');
      await ended;
      let pids = [];
      await until(async () => (pids = processesOf(await scrape(url).catch(() => []))).length === 1);
      assert.deepStrictEqual(pids, [second.child.pid]);
      assert.strictEqual(second.said.err, '');
    }),
  ));

test('a port that is taken is one line, and the program runs', async () => {
  const taken = net.createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = `127.0.0.1:${taken.address().port}`;
  await withProgram([rota, 'run', `--metrics=${address}`, '--', node, server], ({ said }) =>
    assert.strictEqual(said.err, `rota: metrics: ${address}: another program listens there; the program runs without them\n`),
  );
  taken.close();
});

test('a wrong address is refused before the program starts', () => {
  for (const wrong of ['nowhere', '127.0.0.1', '70000', 'https://a:1']) {
    const { status, stderr } = spawnSync(rota, ['run', `--metrics=${wrong}`, '--', node, '-e', '0'], { encoding: 'utf8' });
    assert.strictEqual(status, 9);
    assert.match(stderr, /^rota run: --metrics=\S+: must be a port, or an address with a port, such as 127\.0\.0\.1:9464; otlp; or both/);
  }
  const { status, stderr } = spawnSync(rota, ['run', '--', node, '-p', '1'], { encoding: 'utf8', env: { ...process.env, ROTA_METRICS: 'x' } });
  assert.strictEqual(status, 0);
  assert.match(stderr, /^rota: ROTA_METRICS=x: must be a port/);
});

// ---- OpenTelemetry ----

const { opentelemetry } = require(path.join(root, 'node_modules/@opentelemetry/otlp-transformer/build/src/generated/root.js'));
const Message = opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;

// What a message of the published protocol keeps of a text in JSON: what it does not know is lost on the way.
function throughProtocol(text) {
  const message = Message.decode(Message.encode(Message.fromObject(JSON.parse(text))).finish());
  return JSON.parse(JSON.stringify(Message.toObject(message, { longs: String, arrays: false })));
}

function withoutEmpty(value) {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => !Array.isArray(part) || part.length > 0)
      .map(([key, part]) => [key, withoutEmpty(part)]),
  );
}

async function withCollector(answer, use) {
  const got = [];
  const collector = http.createServer((request, response) => {
    let text = '';
    request.on('data', (data) => (text += data)).on('end', () => {
      got.push({ method: request.method, url: request.url, headers: request.headers, text });
      response.writeHead(answer(got.length), { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  try {
    return await use(`http://127.0.0.1:${collector.address().port}`, got);
  } finally {
    collector.closeAllConnections();
    collector.close();
  }
}

const pushing = [rota, 'run', '--metrics=otlp', '--', node, server];
const often = { OTEL_METRIC_EXPORT_INTERVAL: '50' };

test('metrics are pushed as the protocol of OpenTelemetry has them', () =>
  withCollector(
    () => 200,
    (url, got) => {
      const env = {
        ...often,
        OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/base/`,
        OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20secret, X-Bad\r\nName=a',
        OTEL_SERVICE_NAME: 'shop "1"',
        OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=test%2Cbench',
      };
      return withProgram(pushing, async ({ child, said }) => {
        await get(`http://127.0.0.1:${said.out.split(' ')[1]}/20`);
        const before = got.length;
        await until(() => got.length >= before + 2);
        const { method, url: path, headers, text } = got.at(-1);
        assert.deepStrictEqual([method, path, headers['content-type'], headers.authorization], ['POST', '/base/v1/metrics', 'application/json', 'Bearer secret']);
        assert.deepStrictEqual(throughProtocol(text), withoutEmpty(JSON.parse(text)));
        const [{ resource, scopeMetrics }] = JSON.parse(text).resourceMetrics;
        const attributes = Object.fromEntries(resource.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
        assert.strictEqual(attributes['service.name'], 'shop "1"');
        assert.strictEqual(attributes['deployment.environment.name'], 'test,bench');
        assert.strictEqual(attributes['process.pid'], String(child.pid));
        const metrics = new Map(scopeMetrics[0].metrics.map((metric) => [metric.name, metric]));
        assert.strictEqual(metrics.size, scopeMetrics[0].metrics.length);
        for (const part of ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'])
          assert.ok(metrics.get(`nodejs.eventloop.delay.${part}`).gauge.dataPoints[0].asDouble >= 0);
        assert.strictEqual(metrics.get('nodejs.eventloop.delay.max').unit, 's');
        assert.ok(metrics.get('nodejs.eventloop.delay.max').gauge.dataPoints[0].asDouble >= 0.02);
        assert.ok(metrics.get('nodejs.eventloop.utilization').gauge.dataPoints[0].asDouble <= 1);
        const { sum } = metrics.get('nodejs.eventloop.time');
        assert.deepStrictEqual([sum.isMonotonic, sum.aggregationTemporality, sum.dataPoints.length], [true, 2, 2]);
        const { bucketCounts, explicitBounds, count } = metrics.get('rota.loop.callback.duration').histogram.dataPoints[0];
        assert.strictEqual(bucketCounts.length, explicitBounds.length + 1);
        assert.strictEqual(bucketCounts.reduce((all, n) => all + BigInt(n), 0n), BigInt(count));
        assert.ok(Number(count) > 0);
        assert.strictEqual(said.err, '');
      }, env);
    },
  ));

test('a collector that fails is told once, and the program runs', () =>
  withCollector(
    (n) => (n < 5 ? 503 : 200),
    (url, got) =>
      withProgram(pushing, async ({ said }) => {
        await until(() => got.length >= 8 && said.err.includes('again\n'));
        assert.strictEqual(
          said.err,
          `rota: metrics: ${url}: the collector answers 503; they are sent again every 50 ms\nrota: metrics: ${url}: the collector takes them again\n`,
        );
      }, { ...often, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${url}/v1/metrics` }),
  ));

test('what cannot be pushed is said in words, and nothing secret is', async () => {
  const refused = {
    'OTEL_EXPORTER_OTLP_ENDPOINT is https, which rota does not speak': { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://user:secret@collector:4318' },
    'OTEL_EXPORTER_OTLP_ENDPOINT: must be http://HOST:PORT': { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318/secret' },
    'OTEL_EXPORTER_OTLP_PROTOCOL=grpc: rota sends JSON over HTTP': { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
  };
  for (const [words, env] of Object.entries(refused))
    await withProgram(pushing, ({ said }) => {
      assert.ok(said.err.startsWith(`rota: metrics: ${words}`) && said.err.split('\n').length === 2, said.err);
      assert.doesNotMatch(said.err, /secret/);
    }, env);
  await withProgram([rota, 'run', '--metrics=otlp,127.0.0.1:0', '--', node, server], async ({ said, url }) => {
    assert.match(said.err, /^rota: metrics: OTEL.*\nrota: metrics: http:/);
    assert.ok(processesOf(await scrape(url)).length === 1);
  }, { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://a' });
});

finish();
