import './waits.mjs';
import './apart.mjs';
console.log('root runs');
