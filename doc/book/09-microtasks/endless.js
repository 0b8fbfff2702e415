let jobs = 0;

setImmediate(function onImmediate() {
  console.log('check, after', jobs, 'jobs');
});

function again() {
  if (++jobs < 6) queueMicrotask(again);
}
queueMicrotask(again);
