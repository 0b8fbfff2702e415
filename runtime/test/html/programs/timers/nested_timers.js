// Each nested timer is a task of its own; others come in between.
(function next(level) {
  if (level > 3) return;
  setTimeout(() => {
    console.log(`level ${level}`);
    queueMicrotask(() => console.log(`microtask of level ${level}`));
    next(level + 1);
  }, 0);
})(1);
