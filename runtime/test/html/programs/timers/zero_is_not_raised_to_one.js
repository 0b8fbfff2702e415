// A timer of 0 ms precedes a timer of 1 ms that was set before it.
setTimeout(() => console.log('one'), 1);
setTimeout(() => console.log('zero'), 0);
