'use strict';
// Several ways to block the loop, one after the other.
const fs = require('fs');
const { execSync, spawn } = require('child_process');

const burn = (ms) => {
  for (const end = Date.now() + ms; Date.now() < end; );
};
function looping() {
  burn(200);
}
function regexp() {
  for (let n = 20, began = Date.now(); Date.now() - began < 300; n++) /^(a+)+$/.test(`${'a'.repeat(n)}b`);
}
function parsing() {
  const text = `[${'{"a":[1,2,3,"x"]},'.repeat(500000)}0]`;
  for (const began = Date.now(); Date.now() - began < 200; ) JSON.parse(text);
}
function waiting() {
  execSync('sleep 0.3');
}
function reading() {
  // Somebody writes into it later.
  fs.readFileSync('fifo');
}
function ticking() {
  burn(200);
}
function reacting() {
  burn(200);
}

execSync('mkfifo fifo');
const steps = [looping, regexp, parsing, waiting, () => spawn('sh', ['-c', 'sleep 0.5; echo >fifo'], { stdio: 'ignore' }), reading, () => process.nextTick(ticking), () => Promise.resolve().then(reacting)];
function next() {
  if (steps.length > 1) setTimeout(next, 20);
  setImmediate(steps.shift());
}
next();
