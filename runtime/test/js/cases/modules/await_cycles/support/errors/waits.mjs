import './fails.mjs';
import './root.mjs';
console.log('waits starts');
await 0;
console.log('waits ends');
export const value = 1;
