console.log('the body of the module');
import './part.js';

console.log('still the body');
