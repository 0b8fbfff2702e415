// A failure comes by a task, too.
fetch('data:not a data url').catch((error) => console.log(error.name));
let turns = 0;
(function turn() {
  if (++turns < 100) queueMicrotask(turn);
  else console.log('microtasks');
})();
