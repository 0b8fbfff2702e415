'use strict';

// Hooks at the places where the runtime calls the program, for observers of the loop (internal/trace/install). All are
// null while the loop is not observed.
//   tick(callback): the tick that runs now.
//   enter(callback, due, item): the callback of a timer or an immediate runs now; due 0: no time.
//   task(source, callback, due, note): the same for a task of the HTML event loop, with the name of its source.
//   turn(by): the runtime delivers the next of several results in one callback of the loop. `by` is the number of the
//     callback that has scheduled it (words[kCall] at that time), 0 if the loop knows it.
//   note(isPromise): the current code of the program schedules something; returns a number for begins().
//   begins(note): the result of that operation is delivered next.
//   heard(listener): the listener is about to be called as one of the program's; turn() follows when it has returned.
//     False: it is not one of the program's.
//   heard(array): whether these are to be called by call().
//   call(named, callback, self, args): calls the callback; `named` is the function that the program knows.

module.exports = { tick: null, enter: null, task: null, turn: null, heard: null, call: null, note: null, begins: null };
