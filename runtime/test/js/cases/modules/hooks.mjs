// module.registerHooks(): the arguments of hooks, their results, and the loaders that call them.
import { registerHooks, createRequire } from 'node:module';

const short = (text) => typeof text === 'string' ? text.replace(import.meta.url.replace(/[^/]*$/, ''), '') : text;
const log = [];
const hooks = registerHooks({
  resolve(specifier, context, next) {
    log.push(['resolve', specifier, short(context.parentURL), { ...context.importAttributes }, context.conditions.includes('import')]);
    if (specifier === 'virtual:hello') return { url: specifier, shortCircuit: true };
    const result = next(specifier, context);
    log.push(['resolved', short(result.url), result.format]);
    return result;
  },
  load(url, context, next) {
    log.push(['load', short(url), context.format]);
    if (url === 'virtual:hello') return { format: 'module', source: 'export default "from nowhere"', shortCircuit: true };
    if (url.endsWith('.txt')) return next(url, { ...context, format: 'text' });
    const result = next(url, context);
    if (url.endsWith('inner.js')) return { ...result, source: "module.exports = 'changed';" };
    return result;
  },
});
console.log(Object.keys(hooks), typeof hooks.deregister, typeof hooks[Symbol.dispose]);
console.log({ ...await import('./support/hooks/entry.mjs') });
console.log((await import('./support/hooks/plain.cjs')).default);
console.log((await import('./support/hooks/note.txt')).default);
console.log(createRequire(import.meta.url)('./support/hooks/inner.js'));
console.log(typeof (await import('node:os')).default.cpus);
hooks.deregister();
for (const line of log) console.log(...line);

const failing = async (given, specifier) => {
  const handle = registerHooks(given);
  try {
    console.log(await import(specifier));
  } catch (error) {
    console.log(error.name, error.code, short(error.message));
  } finally {
    handle.deregister();
  }
};
await failing({ resolve: () => ({ url: 'file:///x.mjs' }) }, './a.mjs');
await failing({ resolve: () => 1 }, './a.mjs');
await failing({ resolve: () => ({ shortCircuit: true, url: 3 }) }, './a.mjs');
await failing({ resolve: () => ({ shortCircuit: true, url: 'nourl' }) }, './a.mjs');
await failing({ load: () => ({}) }, './support/hooks/dep.mjs?1');
await failing({ load: () => ({ shortCircuit: true, format: 'module', source: 5 }) }, './support/hooks/dep.mjs?2');
await failing({ load: () => ({ shortCircuit: true, format: 5, source: '' }) }, './support/hooks/dep.mjs?4');
await failing({ load: () => ({ shortCircuit: true, format: 'module' }) }, './support/hooks/dep.mjs?5');
for (const wrong of [{ resolve: 1 }, { load: 'x' }]) {
  try {
    registerHooks(wrong);
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}

// The newest is called first.
const order = [];
const older = registerHooks({ resolve: (s, c, next) => { order.push('older'); return next(s, c); } });
const newer = registerHooks({ resolve: (s, c, next) => { order.push('newer'); return next(s, c); } });
await import('./support/hooks/dep.mjs?order');
newer.deregister();
await import('./support/hooks/dep.mjs?order2');
older.deregister();
await import('./support/hooks/dep.mjs?order3');
console.log(order);
