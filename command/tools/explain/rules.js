'use strict';

// The rules of Node's order that `rota explain` names, by an id of ours, with the chapter of the book (doc/book) that
// has it.

const rules = {
  S1: ['The main script runs to its end before anything that it has queued.', '01-iteration'],
  T1: ['After the main script and after each callback, ticks run before anything else.', '08-ticks'],
  T2: ['A tick that a tick queues runs in the same go: ticks run until there are none left.', '08-ticks'],
  T3: ['A tick that a promise job queues waits until no promise job is left.', '08-ticks'],
  M1: ['Promise jobs run when no tick is left, before the loop goes on.', '09-microtasks'],
  M2: ['A promise job that a promise job queues runs in the same go, before any tick.', '09-microtasks'],
  M3: ['A promise job that a tick queues waits until no tick is left.', '08-ticks'],
  E1: [
    'An ES module is evaluated inside of a promise job: promise jobs that it queues come before its ticks.',
    '12-modules',
  ],
  D1: ['Ticks and promise jobs run between two timers, and between two immediates, too.', '02-timers'],
  L1: ['A timer runs in the timers phase once its time has come, never before.', '02-timers'],
  L2: [
    'Timers run in the order in which they are due; those of equal delay in the order of their making.',
    '02-timers',
  ],
  C1: ['Immediates run in the check phase, which follows poll.', '06-check'],
  C2: ['An immediate that an immediate queues runs in the next iteration.', '06-check'],
  C3: [
    'From a callback of poll, an immediate comes before a timer of 0 ms: check follows poll, then timers.',
    '06-check',
  ],
  O1: ['From the main script, the order of a timer of 0 ms and an immediate is open.', '06-check'],
  P1: ['What the system reports as ready runs in the poll phase.', '05-poll'],
  P2: ['What the thread pool, or the kernel for it, has done is told in the poll phase.', '10-pool'],
  K1: ['What was closed is told in the closing phase, after check.', '07-close'],
};

module.exports = { rules };
