'use strict';

// A FinalizationRegistry calls back by a task of the engine's own. The loop looks for such tasks once a program touches
// the global (runtime/bind/loop/tasks.c).

const binding = internalBinding('tasks');

function watched(original) {
  binding.watch();
  return original;
}

module.exports = { watched };
