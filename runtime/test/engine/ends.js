'use strict';
// Scripts whose time is up while they are in functions of the runtime or of the engine. Without its private uses the
// runtime ends the whole callback with an error; the process goes on with the next one.
const vm = require('vm');

const codes = [
  'for (;;);',
  'for (;;) { try { for (;;); } catch {} }',
  'Object.defineProperty(globalThis, "q", { get() { for (;;); } }); for (;;) { try { q } catch {} }',
  '({ toString() { for (;;); } }) + ""',
  '[3, 2, 1].sort(() => { for (;;); })',
  'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
  'function* g() { try { for (;;); } finally { for (;;); } } [...g()]',
  'JSON.parse("[1]", () => { for (;;); })',
  'for (;;) Buffer.from("abc").toString("hex")',
  'for (;;) { try { null.x } catch (e) { e.stack } }',
  'for (;;) structuredClone({ a: [1, 2] })',
  'for (;;) require("fs").statSync("/")',
  'for (;;) require("util").inspect({ a: new Map([[1, 2]]) })',
  'for (;;) require("crypto").createHash("md5").update("a").digest()',
  'for (;;) require("vm").runInNewContext("1")',
  'for (;;) { try { require("fs").readdirSync("/etc") } catch {} }',
  'for (;;) { try { process.memoryUsage() } catch {} }',
];
const sandbox = () => ({ Buffer, process, require, structuredClone });

let ended = 0;
let at = 0;
process.on('uncaughtException', () => ended++);
function next() {
  if (at === codes.length) {
    console.log(ended === codes.length ? 'all ended' : `${ended} ended`);
    process.exit();
  }
  setTimeout(next, 1);
  vm.runInNewContext(codes[at++], sandbox(), { timeout: 20 });
}
next();
