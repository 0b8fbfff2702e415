setTimeout(() => {
  console.log('first timer');
  queueMicrotask(() => console.log('its microtask, before the second timer'));
}, 0);
setTimeout(() => console.log('second timer'), 0);
