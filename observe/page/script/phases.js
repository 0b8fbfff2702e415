'use strict';
// The lanes of a loop: the phases of Node's loop, or the task sources of the HTML standard's (rota --loop=html); what
// each is, and its colour.

const { header } = require('./trace.js');

const PHASES = ['timers', 'pending', 'idle', 'prepare', 'poll', 'check', 'closing', 'outside'];

const PHASES_ABOUT = {
  timers: 'Timers that are due run now, in the order of their times.',
  pending: 'Callbacks that the last round had put off, such as a failed write.',
  idle: 'Idle handles run in every iteration; while there is one, the loop does not wait.',
  prepare: 'Prepare handles run just before the loop looks for events.',
  poll: 'The loop has asked the system what has happened, and tells those who wait for it.',
  check: 'Check handles run just after poll: this is where setImmediate lives.',
  closing: 'Handles that were closed say goodbye.',
  outside: 'Outside of the loop: the main script, and what else the program runs by itself.',
};

const SOURCES_ABOUT = {
  'timer': 'A timer is due: a task of the timer task source.',
  'message': 'A message of a port, a channel or the window. Each port is a task source of its own.',
  'networking': 'Something has come over the network.',
  'file': 'A file operation, or other work of the pool, is done.',
  'user interaction': 'A key was pressed, or a signal has come.',
  'DOM manipulation': 'Unhandled rejections are told by tasks of this source.',
  'immediate': 'setImmediate, which no browser has, is a task as any other.',
  'scheduler': 'A task of scheduler.postTask, or what goes on after scheduler.yield.',
  'rendering': 'A rendering opportunity: the callbacks of requestAnimationFrame.',
  'idle': 'No task could run: the callbacks of requestIdleCallback.',
  'other': 'Work of the runtime itself.',
  'outside': 'The script.',
};

const isNode = header.lanes === undefined;
const ABOUT = isNode ? PHASES_ABOUT : SOURCES_ABOUT;
const ORDER = isNode ? PHASES : Object.keys(header.lanes);
const colorOf = (phase) => `--${header.lanes?.[phase] ?? (phase === 'outside' ? 'span' : phase)}`;

module.exports = { ABOUT, ORDER, PHASES, colorOf, isNode };
