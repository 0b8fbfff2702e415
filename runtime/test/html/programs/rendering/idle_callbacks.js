// Idle callbacks: in order, each with its checkpoint.
for (const name of ['first', 'second']) {
  requestIdleCallback((deadline) => {
    console.log(name, deadline.didTimeout, deadline.timeRemaining() >= 0 && deadline.timeRemaining() <= 50);
    queueMicrotask(() => console.log(`microtask of ${name}`));
  });
}
console.log('script');
queueMicrotask(() => console.log('microtask of the script'));
