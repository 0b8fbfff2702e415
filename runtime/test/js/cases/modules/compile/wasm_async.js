'use strict';

// The asynchronous functions of WebAssembly keep the loop alive, and tell of errors by rejecting.
const bytes = Buffer.from('AGFzbQEAAAABBwFgAn9/AX8DAgEABwcBA2FkZAAACgkBBwAgACABags=', 'base64');
const withType = (type, status = 200) => new Response(bytes, { status, headers: { 'content-type': type } });

const fails = (promise) => promise.then(() => console.log('done'), (error) => console.log(error.name, error.code, error.message));

(async () => {
  const { module, instance } = await WebAssembly.instantiate(bytes);
  console.log(module instanceof WebAssembly.Module, instance.exports.add(1, 2));
  console.log((await WebAssembly.instantiate(module, {})).exports.add(3, 4));
  console.log(WebAssembly.Module.exports(await WebAssembly.compile(bytes)).map(({ name, kind }) => [name, kind]));
  console.log((await WebAssembly.instantiateStreaming(withType('application/wasm'))).instance.exports.add(5, 6));
  console.log((await WebAssembly.compileStreaming(Promise.resolve(withType('application/wasm')))) instanceof WebAssembly.Module);
  await WebAssembly.compile(Buffer.from('x')).catch((error) => console.log(error instanceof WebAssembly.CompileError));
  await fails(WebAssembly.compile());
  await fails(WebAssembly.instantiate(5));
  await fails(WebAssembly.instantiate(bytes, 5));
  await fails(WebAssembly.compileStreaming(withType('text/plain')));
  await fails(WebAssembly.compileStreaming(withType('application/wasm', 404)));
  await fails(WebAssembly.compileStreaming({}));
  const used = withType('application/wasm');
  await used.arrayBuffer();
  await fails(WebAssembly.instantiateStreaming(used));
})();
WebAssembly.compile(bytes).then(() => console.log('later'));
Promise.resolve().then(() => console.log('microtask'));
process.nextTick(() => console.log('tick'));
