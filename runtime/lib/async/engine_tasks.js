'use strict';

// A FinalizationRegistry calls back in a task of the engine. The loop checks for such tasks once a program has used the
// global (runtime/bind/loop/tasks.c).

const binding = internalBinding('tasks');

function watched(original) {
  binding.watch();
  return original;
}

module.exports = { watched };
