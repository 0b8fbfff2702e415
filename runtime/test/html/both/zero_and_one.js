// Node raises 0 to 1: both are due at the same time, and the first one that was set comes first.
setTimeout(() => console.log('one'), 1);
setTimeout(() => console.log('zero'), 0);
console.log(typeof setTimeout(() => {}));
