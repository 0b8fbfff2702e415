// import source: a module compiled and not run.
import source compiled from '../support/one.wasm';
import source again from '../support/one.wasm';
import { one } from '../support/one.wasm';
console.log(compiled instanceof WebAssembly.Module, compiled === again, compiled === await import.source('../support/one.wasm'));
console.log(WebAssembly.Module.exports(compiled).map(({ name, kind }) => [name, kind]), one(), new WebAssembly.Instance(compiled).exports.one());
const Source = Object.getPrototypeOf(Object.getPrototypeOf(compiled));
console.log(Object.getOwnPropertyDescriptor(Source, Symbol.toStringTag).get.call(compiled));
await import.source('../hints.mjs').catch((error) => console.log(error.name, error.code, error.message.replace(/'.*\//, "'")));
const source = 'a name as any other';
console.log(source, 'import source x from', /import.source(x)?/.test('import source'));
