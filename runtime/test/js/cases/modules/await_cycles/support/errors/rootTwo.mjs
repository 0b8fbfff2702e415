import './slow.mjs';
import './sync.mjs';
console.log('rootTwo runs');
