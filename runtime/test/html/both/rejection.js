// A rejection that finds its handler one task later.
const rejected = Promise.reject(new Error('late'));
setTimeout(() => rejected.catch(() => console.log('caught')), 1);
