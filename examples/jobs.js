'use strict';
// A queue of jobs with backpressure: at most `width` run at once, at most `room` wait, and who adds more has to wait, too.
//
//   rota examples/jobs.js
//   rota --timeline=page.html examples/jobs.js        shows the pool's threads at work

const { pbkdf2 } = require('node:crypto');
const { promisify } = require('node:util');

class Jobs {
  #waiting = [];
  #running = 0;
  #adders = []; // those who wait for room
  #idle = [];

  constructor({ width, room }) {
    Object.assign(this, { width, room });
  }

  // Resolves when the job has a place in the queue. What the job itself gives is in `result`.
  async add(job) {
    while (this.#waiting.length >= this.room) await new Promise((resolve) => this.#adders.push(resolve));
    const { promise, resolve, reject } = Promise.withResolvers();
    this.#waiting.push({ job, resolve, reject });
    this.#next();
    return { result: promise };
  }

  #next() {
    while (this.#running < this.width && this.#waiting.length > 0) {
      const { job, resolve, reject } = this.#waiting.shift();
      this.#running++;
      this.#adders.shift()?.();
      Promise.resolve().then(job).then(resolve, reject).finally(() => {
        this.#running--;
        this.#next();
        if (this.#running === 0 && this.#waiting.length === 0) for (const done of this.#idle.splice(0)) done();
      });
    }
  }

  // Resolves when nothing runs and nothing waits.
  idle() {
    return this.#running === 0 && this.#waiting.length === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  get figures() {
    return { running: this.#running, waiting: this.#waiting.length };
  }
}

async function main() {
  const key = promisify(pbkdf2), jobs = new Jobs({ width: 4, room: 8 }), results = [];
  let mostRunning = 0, mostWaiting = 0;
  for (let i = 0; i < 40; i++) {
    const { result } = await jobs.add(() => {
      mostRunning = Math.max(mostRunning, jobs.figures.running);
      if (i === 13) throw new Error('job 13 fails');
      return key(`password ${i}`, 'salt', 2000, 32, 'sha256');
    });
    mostWaiting = Math.max(mostWaiting, jobs.figures.waiting);
    results.push(result.catch((error) => error.message));
  }
  await jobs.idle();
  const done = await Promise.all(results);
  console.log(`${done.filter((each) => Buffer.isBuffer(each)).length} keys; ${done.find((each) => typeof each === 'string')}`);
  console.log(`at most ${mostRunning} ran at once, at most ${mostWaiting} waited`);
}

if (require.main === module) main();
module.exports = { Jobs };
