// The order in which modules of cycles run and go on, with and without top-level await.
import './support/order/a.mjs';
import './support/order/b.mjs';
import './support/order/d.mjs';
console.log('main starts');
await 0;
console.log('main ends');
