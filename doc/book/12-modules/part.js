console.log('part.js runs');
process.nextTick(() => console.log('a tick of part.js'));
