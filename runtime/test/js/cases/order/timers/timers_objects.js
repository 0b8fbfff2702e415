for (const bad of [undefined, null, 'x', {}]) {
  for (const f of [setTimeout, setInterval, setImmediate, process.nextTick, queueMicrotask]) {
    try { f(bad); console.log('no error'); } catch (e) { console.log(e.code, e.name); }
  }
}
const t = setTimeout(() => console.log('never'), 1);
console.log(t.hasRef(), t.unref().hasRef(), t.ref().hasRef(), typeof +t, t[Symbol.toPrimitive]() === +t);
clearTimeout(+t);
console.log(t._destroyed);
const i = setImmediate(() => console.log('never'));
console.log(i.hasRef(), i.unref().hasRef(), i.ref().hasRef());
clearImmediate(i);
{
  const u = setTimeout(() => console.log('unreferenced, never'), 5000);
  u.unref();
}
const order = [];
const r = setTimeout(() => order.push('refreshed'), 1000);
setTimeout(() => { order.push('ten'); r.refresh(); }, 10);
setTimeout(() => order.push('as late as the first was'), 1000);
setTimeout(() => setTimeout(() => console.log(order.join()), 1000), 20);
let n = 0;
const v = setInterval((a, b) => { console.log('interval', a, b); if (++n === 3) v.close(); }, 2, 1, 'x');
console.log(Object.keys(t).slice(0, 8).join());
clearTimeout(undefined); clearTimeout(null); clearTimeout({}); clearTimeout('123'); clearImmediate(undefined);
