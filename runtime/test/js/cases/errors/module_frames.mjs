// The module itself has no name in a stack.
const frames = () => new Error('here').stack.split('\n').slice(1).map((line) => line.replace(/file:.*\//, '')).filter((line) => line.includes('.mjs'));
const inner = () => frames();
console.log(frames());
console.log(inner());
