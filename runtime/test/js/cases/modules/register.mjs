// module.register(): hooks in a thread of their own.
import { register } from 'node:module';

console.log(register('./support/hooks/remote.mjs', import.meta.url, { data: { greeting: 'good day' } }));
console.log((await import('hello:world')).default);
const dep = await import('./support/hooks/dep.mjs');
console.log(dep.default, dep.added);
console.log((await import('./support/hooks/plain.cjs')).default);
for (const specifier of ['hidden', 'hello:bad', 'hello:open', './support/hooks/missing.mjs']) {
  await import(specifier).then(console.log, (error) => console.log(error.name, error.code));
}
try {
  register('./support/hooks/none.mjs', import.meta.url);
} catch (error) {
  console.log(error.code);
}
