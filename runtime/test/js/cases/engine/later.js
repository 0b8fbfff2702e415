'use strict';
// Asynchronous work of the engine: modules of WebAssembly, also in a worker, and finalization registries.
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
const { spawnSync } = require('node:child_process');

// (module (func (export "add") (param i32 i32) (result i32) local.get 0 local.get 1 i32.add))
const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 7, 1, 96, 2, 127, 127, 1, 127, 3, 2, 1, 0, 7, 7, 1, 3, 97, 100, 100, 0, 0,
  10, 9, 1, 7, 0, 32, 0, 32, 1, 106, 11]);

async function compile(say) {
  const module = await WebAssembly.compile(bytes);
  say(module instanceof WebAssembly.Module, WebAssembly.Module.exports(module).map(({ name, kind }) => [name, kind]));
  const instance = await WebAssembly.instantiate(module);
  say(instance.exports.add(2, 3));
  const both = await WebAssembly.instantiate(bytes, {});
  say(Object.keys(both), both.instance.exports.add(40, 2));
  await WebAssembly.compile(new Uint8Array([1, 2, 3, 4])).catch((error) => say(error instanceof WebAssembly.CompileError, error.name));
  say(WebAssembly.compile.length, WebAssembly.instantiate.length, WebAssembly.compile.name, WebAssembly.compileStreaming.length);
  const wasm = { 'Content-Type': 'application/wasm' };
  const streamed = await WebAssembly.instantiateStreaming(Promise.resolve(new Response(bytes, { headers: wasm })), {});
  say(streamed.instance.exports.add(20, 1));
  const used = new Response(bytes, { headers: wasm });
  await used.bytes();
  for (const source of [used, new Response(bytes), new Response(bytes, { headers: { 'Content-Type': 'text/plain' } }),
    new Response(bytes, { headers: wasm, status: 404 }), undefined, 5, Promise.reject(new Error('mine'))]) {
    await WebAssembly.compileStreaming(source).catch((error) => say(error.name, error.code, error.message));
  }
}

if (!isMainThread) {
  compile((...words) => parentPort.postMessage(words));
} else if (process.argv[2] === 'collect') {
  const registry = new FinalizationRegistry((held) => {
    console.log('collected', held);
    clearInterval(timer);
  });
  (() => { for (let i = 0; i < 100; i++) registry.register({ big: new Array(1000) }, 'one of them'); })();
  const timer = setInterval(() => gc(registry), 5);
} else {
  compile((...words) => console.log(...words)).then(() => {
    new Worker(__filename).on('message', (words) => console.log('worker', ...words)).on('exit', () => {
      const { stdout } = spawnSync(process.execPath, ['--expose-gc', __filename, 'collect'], { encoding: 'utf8' });
      console.log(stdout.split('\n')[0]);
      // Nothing else keeps the process alive; a rejection that nobody handles ends it.
      WebAssembly.compile(bytes).then(() => console.log('alive until here')).then(() => WebAssembly.instantiate(new Uint8Array(3)));
      process.on('unhandledRejection', (error) => console.log('unhandled', error.name));
    });
  });
}
