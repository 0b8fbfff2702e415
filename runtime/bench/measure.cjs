'use strict';

// Common functions of these programs: begin(), and then tell(operations, unit), which prints operations per second, and per
// second of processor time. The second is what counts on a busy machine. pause(milliseconds) is time that does not count.

let wall;
let cpu;

function begin() {
  cpu = process.cpuUsage();
  wall = process.hrtime.bigint();
}

function pause(milliseconds) {
  const before = process.hrtime.bigint();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  wall += process.hrtime.bigint() - before;
}

function tell(operations, unit) {
  const seconds = Number(process.hrtime.bigint() - wall) / 1e9;
  const { user, system } = process.cpuUsage(cpu);
  console.log((operations / seconds).toFixed(1), (operations / ((user + system) / 1e6)).toFixed(1), unit);
}

module.exports = { begin, pause, tell };
