'use strict';
// A debugger: starts a program that waits for one, stops at a line each time, and prints what it saw as JSON.
//
//   node debugger.js LINE SCRIPT PROGRAM [ARGUMENT]...

const { spawn } = require('child_process');

const kStoppedMs = 700; // of real time at each stop

const [line, script, program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
const seen = { stops: [], stderr: '' };
let url;
child.stderr.setEncoding('utf8').on('data', (text) => {
  seen.stderr += text;
  const [found] = /ws:\S+/.exec(seen.stderr) ?? [];
  if (url === undefined && found !== undefined) debug((url = found));
});
child.on('exit', (code) => {
  console.log(JSON.stringify({ ...seen, code }));
  process.exit();
});

async function debug(address) {
  const socket = new WebSocket(address), answers = new Map(), stops = [];
  let next = () => {}, number = 0;
  socket.onmessage = ({ data }) => {
    const { id, method, params, result } = JSON.parse(data);
    if (id !== undefined) answers.get(id)(result);
    else if (method === 'Debugger.paused') { stops.push(params.callFrames[0]); next(); }
    else if (method === 'Runtime.executionContextDestroyed') socket.close();
  };
  await new Promise((resolve) => { socket.onopen = resolve; });
  const call = (method, params = {}) => new Promise((resolve) => {
    answers.set(++number, resolve);
    socket.send(JSON.stringify({ id: number, method, params }));
  });
  const now = async (frame) => (await call('Debugger.evaluateOnCallFrame', { callFrameId: frame.callFrameId, expression: 'Date.now() + performance.now()' })).result.value;
  await call('Runtime.enable');
  await call('Debugger.enable');
  await call('Debugger.setBreakpointByUrl', { lineNumber: Number(line) - 1, urlRegex: script });
  await call('Runtime.runIfWaitingForDebugger');
  for (;;) {
    if (stops.length === 0) await new Promise((resolve) => { next = resolve; });
    const frame = stops.shift(), before = await now(frame);
    await new Promise((resolve) => { setTimeout(resolve, kStoppedMs); });
    seen.stops.push({ line: frame.location.lineNumber + 1, name: frame.functionName, passedMs: (await now(frame)) - before });
    await call('Debugger.resume');
  }
}
