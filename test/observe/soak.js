'use strict';
// rota attach and detach, again and again, for an official Node under load: each response is right, and nothing is left behind.
//   node test/observe/soak.js [rounds] [node]

const assert = require('assert');
const fs = require('fs');
const http = require('http');
const os = require('os');
const path = require('path');
const { spawn } = require('child_process');

const rounds = Number(process.argv[2] ?? 20), node = process.argv[3] ?? process.execPath;
const build = path.resolve(__dirname, '..', '..', process.env.BUILD || 'build');
const rota = ['rota', 'rota-graft'].map((name) => path.join(build, 'bin', name)).find((file) => fs.existsSync(file));
const questions = [['why'], ['trace', '--time=0.2'], ['stack'], ['trace', 'killed'], ['stats', '--time=0.05'], ['watch', '--threshold=5'], ['trace', 'interrupted'], ['watch', 'killed']];

const server = `
  const http = require('http');
  http.createServer((request, response) => {
    const end = Date.now() + (request.url.endsWith('7') ? 12 : 0);
    while (Date.now() < end);
    response.end('answer of ' + request.url);
  }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rota-soak-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const file = path.join(folder, 'trace.json');

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const counts = (id) => ['task', 'fd'].map((what) => fs.readdirSync(`/proc/${id}/${what}`).length);
const resident = (id) => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${id}/status`, 'utf8'))[1]);

let answered = 0, traced = 0, isOver = false;
const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });

function ask(port, number) {
  return new Promise((resolve, reject) => {
    http.get({ host: '127.0.0.1', port, path: `/${number}`, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (data) => (text += data));
      response.on('end', () => {
        answered++;
        if (response.statusCode === 200 && text === `answer of /${number}`) resolve();
        else reject(new Error(`${response.statusCode} ${text}`));
      });
    }).on('error', reject);
  });
}

async function load(port) {
  for (let number = 0; !isOver; number++) await ask(port, number);
}

function attach(id, [question, option]) {
  return new Promise((resolve) => {
    const client = spawn(rota, ['attach', `${id}`, question, ...(question === 'trace' ? ['-o', file] : []), ...(option?.startsWith('--') ? [option] : [])], { stdio: ['ignore', 'ignore', 'pipe'] });
    let text = '';
    setTimeout(() => client.kill('SIGKILL'), 60000).unref(); // a command that hangs is seen by its status
    client.stderr.on('data', (data) => (text += data));
    client.once('close', (status, signal) => resolve({ status: status ?? signal, text }));
    if (question === 'watch' || option === 'killed' || option === 'interrupted') setTimeout(() => client.kill(option === 'killed' ? 'SIGKILL' : 'SIGINT'), 150 + Math.random() * 200);
  });
}

const freePort = () => new Promise((resolve) => {
  const taker = http.createServer().listen(0, '127.0.0.1', () => {
    const { port } = taker.address();
    taker.close(() => resolve(port));
  });
});

async function main() {
  const child = spawn(node, [`--inspect-port=${await freePort()}`, '-e', server], { stdio: ['ignore', 'pipe', 'ignore'] });
  let hasEnded = false;
  child.once('exit', (code, signal) => (hasEnded = `${code} ${signal}`));
  const port = Number(await new Promise((resolve) => child.stdout.once('data', resolve)));
  const loads = [0, 1, 2, 3].map(() => load(port));
  loads.forEach((each) => each.catch((error) => { console.error(error); process.exit(1); }));
  await sleep(300);
  const before = counts(child.pid), memory = [resident(child.pid)];
  for (let round = 0; round < rounds; round++) {
    const question = questions[round % questions.length], result = await attach(child.pid, question);
    assert.strictEqual(hasEnded, false, 'the service is there');
    const isTooEarly = question[1] === 'interrupted' && /its loop did not come round/.test(result.text); // for Ctrl-C
    if (isTooEarly) continue;
    if (question[1] !== 'killed') assert.strictEqual(result.status, 0, `round ${round}: ${question}: ${result.text}`);
    else assert.ok(['SIGKILL', 1].includes(result.status), `round ${round}: ${question}: ${result.status} ${result.text}`);
    if (question[0] === 'trace' && question[1] !== 'killed') traced += JSON.parse(fs.readFileSync(file, 'utf8')).filter((event) => event.cat === 'call').length;
    if (round % 100 === 99) memory.push(resident(child.pid));
  }
  let after;
  for (let tries = 0; tries < 200; tries++) {
    after = counts(child.pid);
    if (after.every((count, i) => count <= before[i])) break;
    await sleep(50);
  }
  isOver = true;
  await Promise.all(loads);
  child.kill('SIGKILL');
  console.log(`${rounds} rounds, ${answered} responses, all right; ${traced} callbacks traced; threads and descriptors ${before} before, ${after} after; resident KB ${memory.join(', ')}`);
  assert.ok(after.every((count, i) => count <= before[i]), 'nothing is left');
}

main();
