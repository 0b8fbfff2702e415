// setTimeout gives a number, and passes its further arguments on. The global object is `this`.
const id = setTimeout(
  function (...args) {
    console.log(args.join(' '), this === globalThis, this === self);
  },
  0,
  'a',
  'b',
);
console.log(typeof id, id > 0, typeof setInterval(() => {}, 1e6) === 'number');
clearInterval(id + 1);
