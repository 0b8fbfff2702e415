// Call sites tell functions and receivers of code that is not strict, up to the first strict function.
Error.prepareStackTrace = (error, sites) => sites.slice(0, 3).map((site) => {
  const [receiver, called] = [site.getThis(), site.getFunction()];
  const kind = receiver === globalThis ? 'global' : receiver?.constructor?.name;
  return `${site.getFunctionName()}: ${kind} ${typeof called === 'function' ? called.name : called}`;
});
function sloppy() { return new Error('x').stack; }
function strict() { 'use strict'; return sloppy(); }
const object = { f: function () { return sloppy(); } };
class K { k() { return sloppy(); } }
function Made() { this.stack = sloppy(); }
function around() { return strict(); }
const show = (stack) => console.log(stack.slice(0, 2).join(', '));
function run() {
  show(object.f());
  show(strict());
  show(new K().k());
  show(new Made().stack);
  show([1].map(function each() { return sloppy(); })[0]);
  show([1].map(function each() { return sloppy(); }, object)[0]);
  show([1].map(function each() { return strict(); })[0]);
  show(sloppy.call(5));
  show(sloppy.call(null));
  show(sloppy.bind({ a: 1 })());
  show(around().slice(1));
}
run();
