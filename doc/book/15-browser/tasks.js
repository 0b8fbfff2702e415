setTimeout(() => console.log('a task: the timer'), 0);
queueMicrotask(() => console.log('a microtask'));
Promise.resolve().then(() => console.log('another microtask'));
console.log('the script is a task, too');
