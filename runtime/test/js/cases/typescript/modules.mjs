// TypeScript files, imported: types go, lines and columns stay.
import add, { Box, first, list } from './support/names.ts';
import type_, { total, here } from './support/common.cts';
import { fail } from './support/thrower.mts';
import { createRequire, stripTypeScriptTypes } from 'node:module';

console.log(add(1, 2), add(3), first(list), new Box(4).map((n) => n * 2).value, Object.keys(new Box(1)));
console.log(total, here, Object.keys(type_));
try {
  fail('on purpose');
} catch (error) {
  console.log(error.stack.split('\n').slice(0, 2).map((line) => line.replace(/\(.*\//, '(')));
}
for (const name of ['enumeration.ts', 'broken.ts', 'missing.ts']) {
  await import(`./support/${name}`).then(console.log, (error) => console.log(error.name, error.code, error.message.split('\n')[0].replace(/'.*\//, "'")));
}
const require = createRequire(import.meta.url);
console.log(require('./support/common.cts').total, Object.keys(require('./support/names.ts')).sort());
try {
  require('./support/enumeration.ts');
} catch (error) {
  console.log(error.code, error.message);
}
process.removeAllListeners('warning');
console.log(JSON.stringify(stripTypeScriptTypes('const a: number = 1 as any;\nfunction f(this: X, b?: string): asserts b {}')));
console.log(JSON.stringify(stripTypeScriptTypes('let a: number', { sourceUrl: 'a.ts' })));
for (const given of [[5], ['', 5], ['', { mode: 'transform' }], ['', { sourceUrl: 5 }], ['enum A {}'], ['namespace A { export let x = 1 }'], ['class A { constructor(private a) {} }']]) {
  try {
    console.log(stripTypeScriptTypes(...given));
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
console.log(process.features.typescript, typeof process.versions.amaro);
