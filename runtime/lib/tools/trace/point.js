'use strict';

// Hooks at the places where the runtime calls the program, for observers of the loop (internal/trace/install). All are
// null while the loop is not observed.
//   tick(callback): the tick that runs now.
//   enter(callback, due, item): the callback of a timer or an immediate, which runs now; 0: whenever.
//   turn(by): the runtime takes the next of several things that it hands out in one callback of the loop. `by` is the
//     number of the callback that has scheduled it (words[kCall] at that time), 0 if the loop knows better.
//   note(isPromise): what is scheduled now by the program's code that runs; a number, for begins() when it is done.
//   begins(note): what follows was noted so.
//   heard(listener): it is about to be called, as one of the program's: turn() follows when it has returned. Else false.
//   heard(array): whether these are to be called by call().
//   call(named, callback, self, args): calls the callback; `named` is the function that the program knows.

module.exports = { tick: null, enter: null, turn: null, heard: null, call: null, note: null, begins: null };
