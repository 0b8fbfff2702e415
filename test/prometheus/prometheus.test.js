'use strict';
// A real Prometheus scrapes a Node whose metrics are served, takes both formats, evaluates the alerts of doc/production, and answers every
// query of the dashboard there.

const { assert, finish, root, rota, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const http = require('http');
const net = require('net');
const path = require('path');
const { spawn, spawnSync } = require('child_process');
const { once } = require('events');

const node = process.execPath;
const alerts = path.join(root, 'doc/production/alerts.yml');

const server = path.join(scratch, 'server.js');
fs.writeFileSync(server, `
  require('http').createServer(function onRequest(request, response) {
    const end = Date.now() + Number(request.url.slice(1));
    while (Date.now() < end);
    require('fs').stat('/', () => response.end());
  }).listen(0, '127.0.0.1', function () { console.log('ready ' + this.address().port); });
`);

async function until(isSo) {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 200));
}

async function start(program, args, isReady) {
  const child = spawn(program, args, { cwd: scratch, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', err: '' };
  child.stdout.on('data', (data) => (said.out += data));
  child.stderr.on('data', (data) => (said.err += data));
  await until(() => {
    assert.strictEqual(child.exitCode, null, said.out + said.err);
    return isReady(said);
  });
  return { said, stop: () => (child.kill('SIGKILL'), child.exitCode ?? once(child, 'exit')) };
}

async function freePort() {
  const taken = net.createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address();
  await new Promise((resolve) => taken.close(resolve));
  return port;
}

const ask = async (url) => (await fetch(url)).json();

function promtool(...args) {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', cwd: root });
  assert.strictEqual(status, 0, stdout + stderr);
}

test('the alerts are rules, and say what they should of figures that are made up', () => {
  promtool('check', 'rules', alerts);
  promtool('test', 'rules', 'test/prometheus/alerts.yml');
});

test('a Prometheus scrapes a Node, finds it blocked, and answers the dashboard', async () => {
  const port = await freePort();
  const program = await start(rota, ['run', '--metrics=127.0.0.1:0', '--', node, server], ({ out }) => out.includes('ready'));
  const target = new URL(/rota: metrics: (\S+)/.exec(program.said.err)[1]).host;
  fs.writeFileSync(path.join(scratch, 'alerts.yml'), fs.readFileSync(alerts));
  fs.writeFileSync(path.join(scratch, 'prometheus.yml'), `
global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [alerts.yml]
scrape_configs:
  - { job_name: node, static_configs: [{ targets: ['${target}'] }] }
`);
  const api = `http://127.0.0.1:${port}/api/v1`;
  const prometheus = await start('prometheus', ['--config.file=prometheus.yml', `--storage.tsdb.path=${scratch}/data`, `--web.listen-address=127.0.0.1:${port}`],
    ({ err }) => err.includes('ready to receive'));
  try {
    const query = async (text) => {
      const answer = await ask(`${api}/query?query=${encodeURIComponent(text)}`);
      assert.strictEqual(answer.status, 'success', `${text}: ${answer.error}`);
      return answer.data.result;
    };
    await until(async () => (await query('up == 1')).length === 1);
    const app = program.said.out.split(' ')[1].trim();
    for (let i = 0; i < 5; i++) await (await fetch(`http://127.0.0.1:${app}/20`)).text();
    http.get(`http://127.0.0.1:${app}/600000`).on('error', () => {});
    const isFiring = ({ labels, state }) => labels.alertname === 'EventLoopBlocked' && state === 'firing';
    await until(async () => (await ask(`${api}/alerts`)).data.alerts.some(isFiring));
    const { groups } = (await ask(`${api}/rules`)).data;
    for (const rule of groups.flatMap((group) => group.rules)) assert.strictEqual(rule.health === 'err', false, rule.lastError);
    const [{ health, lastError }] = (await ask(`${api}/targets`)).data.activeTargets;
    assert.deepStrictEqual([health, lastError], ['up', '']);
    const dashboard = JSON.parse(fs.readFileSync(path.join(root, 'doc/production/dashboard.json'), 'utf8'));
    for (const { title, targets } of dashboard.panels)
      for (const { expr } of targets) {
        const result = await query(expr.replaceAll('$__rate_interval', '1m').replaceAll(/\$(?:job|instance)/g, '.*'));
        assert.ok(result.length > 0 || expr.includes('drained'), `${title}: ${expr}`);
      }
  } finally {
    await prometheus.stop();
    await program.stop();
  }
});

finish();
