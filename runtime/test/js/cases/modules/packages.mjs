import main from 'main-only';
import entry, { named } from 'exports-map';
import { scoped } from '@scope/pkg';
import * as esm from 'esm-only';
console.log(main, entry, named, scoped, esm.count); esm.up(); console.log(esm.count, esm);
for (const id of ['exports-map/nope', 'not-there', './not-there.mjs', './support', 'node:nope', 'http://x/y', '#x', './support/d.json']) {
  await import(id).then((m) => console.log(m), (e) => console.log(e.code, e.message.replaceAll(import.meta.dirname, '').replace(/in package \S*/, 'in package P')));
}
console.log(import.meta.resolve('main-only').replace(import.meta.dirname, ''), import.meta.resolve('./x.mjs').endsWith('x.mjs'));
console.log((await import('./support/d.json', { with: { type: 'json' } })).default);
await import('data:text/javascript,export default 5').then((m) => console.log(m.default));
