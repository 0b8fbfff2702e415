console.log('before require');
require('./part.js');
console.log('after require');
process.nextTick(() => console.log('a tick of the main script'));
