function count(label, p) { return new Promise(r => { let n=0, done=false; p.then(()=>{done=true; console.log(label, n); r()}); (function step(){ if(!done && n<200) Promise.resolve().then(()=>{n++; step()}) })(); }) }
const wait = () => new Promise(r => setTimeout(r, 20));
(async () => {
await wait(); await count('builtin', import('node:timers'));
await wait(); await count('builtin again', import('node:timers'));
await wait(); await count('tla file', import('../support/tla.mjs'));
await wait(); await count('tla again', import('../support/tla.mjs'));
await wait(); await count('file', import('../support/e1.mjs'));
await wait(); await count('file2', import('../support/e1.mjs'));
await wait(); await count('dep', import('../support/e2.mjs'));
await wait(); await count('cjs', import('../support/c2.cjs'));
await wait(); await count('cjs again', import('../support/c2.cjs'));
await wait(); await count('json', import('../support/d.json', {with:{type:'json'}}));
await wait(); await count('nope', import('../support/nope.cjs').catch(()=>{}));
await wait(); await count('throws', import('../support/thr.mjs').catch(()=>{}));
await wait(); await count('builtin+cached file', import('../support/e1.mjs'));
})();
