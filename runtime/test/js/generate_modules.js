'use strict';

// Random graphs of ES modules, for comparing with Node: `generate_modules.js SEED [esm]` prints a program that writes the modules into a
// folder, imports some of them, and prints what happens in which order. The modules import each other in cycles, by every kind of
// declaration; they await (also in loops and by `await using`), throw, import others while they run, and use each other's functions,
// variables and classes before and after these have values.
//
// What is left out: how many turns import() itself takes. So modules that run because of another import() do not run at the same time.
// Node itself ends with a failed check of V8's in some graphs (seed 278: parts of a graph that has failed are imported again).

const { chance, pick, below } = require('./random.js')(Number(process.argv[2] ?? 1), 7);

const count = 2 + below(6);
const numbers = Array.from({ length: count }, (_, i) => i);
const awaitShare = pick([0.2, 0.5, 0.9]);
const throwShare = pick([0, 0, 0.05, 0.15]);
const importShare = pick([0, 0, 0.1, 0.3]);

// Every module exports these; `own` are names that no other module has.
const functions = ['plain', 'later', 'steps', 'bump'];
const exported = [...functions, 'value', 'fixed', 'Kind', 'old'];

function declarations(i) {
  const anonymous = pick([
    'export default function () { return "default"; }',
    'export default async function () { return "default"; }',
    'export default class { static toString() { return "class"; } }',
    `export default 'default ${i}';`,
    'export default function named() { return "named"; }',
    'export default class Named { static toString() { return "Named"; } }',
    'export default [1, 2];',
  ]);
  const list = [
    `export function plain() { return 'plain ${i}'; }`,
    `export async function later() { return 'later ${i} ' + fixed; }`,
    `export function* steps() { yield ${i}; }`,
    `export let value = ${i};`,
    'export function bump() { return ++value; }',
    `const fixed = 'fixed ${i}';`,
    `class Kind { static name = 'Kind ${i}'; }`,
    `var old = 'old ${i}';`,
    'export { fixed, Kind, old };',
    `export function own${i}() { return 'own ${i}'; }`,
    anonymous,
  ];
  if (chance(0.3)) list.push(`export { value as renamed${i}, plain as 'a name ${i}' };`);
  return list;
}

// -> { lines, names: what the module has imported, spaces: its namespaces }
function imports(i) {
  const lines = [];
  const names = [];
  const spaces = [];
  const targets = new Set(numbers.filter((j) => j !== i && chance(0.35)));
  if (chance(0.1)) targets.add(i);
  if (targets.size === 0 && i === 0) targets.add(count - 1);
  for (const j of targets) {
    const from = `from './m${j}.mjs';`;
    if (chance(0.6)) {
      const some = exported.filter(() => chance(0.4));
      const list = some.map((name) => [name, `${name}${j}`]);
      names.push(...list);
      lines.push(`import { ${list.map(([name, local]) => `${name} as ${local}`).join(', ')} } ${from}`);
    }
    if (chance(0.3)) {
      names.push(['default', `default${j}`]);
      lines.push(`import default${j} ${from}`);
    }
    if (chance(0.4)) {
      spaces.push(`space${j}`);
      lines.push(`import * as space${j} ${from}`);
    }
    if (chance(0.25)) lines.push(`export * ${from}`);
    if (chance(0.15)) lines.push(`export * as all${j}of${i} ${from}`);
    if (chance(0.2)) lines.push(`export { ${pick(exported)} as other${j}of${i} } ${from}`);
    if (lines.length === 0 || chance(0.2)) lines.push(`import './m${j}.mjs';`);
  }
  if (chance(0.01)) lines.push(`import { missing } from './m${pick(numbers)}.mjs';`);
  return { lines, names, spaces };
}

function read([name, local]) {
  if (name === 'bump' || name === 'plain') return `${local}()`;
  if (name === 'later') return `typeof ${local}().then(log, (e) => log(e.message))`;
  if (name === 'steps') return `${local}().next().value`;
  if (name === 'Kind') return pick([`${local}.name`, `typeof new ${local}()`]);
  if (name === 'default') return pick([`typeof ${local}`, `String(${local}).slice(0, 12)`, `\`\${typeof ${local}}\``]);
  return local;
}

function look(space) {
  const j = pick(numbers);
  return pick([
    `Reflect.ownKeys(${space}).map(String).join()`,
    `${space}.${pick(exported)}`,
    `${space}.plain()`,
    `typeof ${space}.own${j}`,
    `${space}.own${j}?.()`,
    `Object.keys(${space}).length`,
    `Object.getOwnPropertyDescriptor(${space}, '${pick(exported)}')?.writable`,
    `'value' in ${space}`,
    `delete ${space}.nothing`,
    `Object.entries(${space}).length`,
    `inspect(${space})`,
    `(${space}.value = 5)`,
  ]);
}

function waits(i, step) {
  const name = `${i} ${step}`;
  return pick([
    'await 0;',
    'await turns(2);',
    `log('${name} gets ' + (await turns(${below(4)}, '${name}')));`,
    `try { await Promise.reject('${name}'); } catch (e) { log('${name} catches ' + e); }`,
    `for await (const x of [1, turns(2, 2)]) log('${name} x ' + x);`,
    `again: for await (const { a = await turns(1, 'b') } of each(3)) { if (a === 1) continue again; if (a === 2) break; log('${name} a ' + a); }`,
    `try { for await (old of each(2, true)) await turns(1); } catch (e) { log('${name} loop: ' + e); }`,
    `{ await using r = resource('${name}'); await 0; log(r.name); }`,
    `if (await turns(1, true)) log('${name} if'); else await 0;`,
    `log(\`${name} \${await 1 + await turns(1, 2)}\`)\nawait 3`,
    `log(new (class { [await turns(1, 'key')] = 4; })().key);`,
    'await Promise.all([turns(1), turns(3)]);',
    'await { then: (done) => done() };',
    `await import('node:fs').then(({ default: fs }) => log('${name} ' + typeof fs.readFileSync));`,
  ]);
}

function body(i, { names, spaces }, isAsync) {
  const lines = [`log('${i} starts');`];
  const steps = 1 + below(5);
  for (let step = 0; step < steps; step++) {
    const name = `${i}.${step}`;
    if (names.length > 0 && chance(0.7)) lines.push(`see('${name}', () => [${read(pick(names))}]);`);
    if (spaces.length > 0 && chance(0.7)) lines.push(`see('${name}', () => ${look(pick(spaces))});`);
    if (isAsync && chance(0.7)) lines.push(waits(i, step));
    if (chance(0.2)) lines.push(`turns(${below(3)}).then(() => log('${name} then'));`);
    if (chance(0.1)) lines.push(`process.nextTick(() => log('${name} tick'));`);
    if (chance(0.2)) lines.push(`see('${name} own', () => [plain(), bump()]);`);
    if (chance(throwShare)) lines.push(`throw new Error('of ${name}');`);
    if (chance(importShare)) {
      // It ends when nothing else can run.
      const j = pick(numbers);
      lines.push(`atLast(() => import('./m${j}.mjs'), '${name} import ${j}');`);
    }
  }
  if (isAsync && !lines.some((line) => /\bawait\b/.test(line))) lines.push('await 0;');
  lines.push(`log('${i} ends');`);
  return lines;
}

function shuffled(list) {
  for (let i = list.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}

function module(i) {
  const isAsync = chance(awaitShare);
  const given = imports(i);
  const steps = body(i, given, isAsync);
  // Declarations stand anywhere between the steps, so that steps come before and after them.
  const rest = shuffled(declarations(i));
  const mixed = [];
  for (const step of steps) {
    while (rest.length > 0 && chance(0.5)) mixed.push(rest.pop());
    mixed.push(step);
  }
  return [`import { log, turns, see, each, resource, atLast, inspect } from './tools.mjs';`, ...given.lines, ...mixed, ...rest].join('\n');
}

const tools = `
import { inspect as show } from 'node:util';
export const log = (text) => console.log(text);
export async function turns(n, value) { while (n-- > 0) await undefined; return value; }
export function see(name, f) {
  let result;
  try { result = f(); } catch (e) { result = e.name + ': ' + e.message; }
  console.log(name, result);
}
export async function* each(n, fails) {
  try { for (let i = 0; i < n; i++) yield i % 2 ? { a: i } : {}; if (fails) throw 'each'; } finally { console.log('each ends'); }
}
export const resource = (name) => ({ name, async [Symbol.asyncDispose]() { console.log('end of', name); await undefined; } });
export const inspect = (space) => show(space, { depth: 0, breakLength: 200 });
const works = [];
export const atLast = (work, name) => works.push([work, name]);
process.on('beforeExit', () => {
  if (works.length === 0) return;
  const [work, name] = works.shift();
  setImmediate(() => {});
  work().then((space) => console.log(name, Object.keys(space).length), (e) => console.log(name, e?.message ?? e));
});
`;

const files = Object.fromEntries([['tools.mjs', tools], ...numbers.map((i) => [`m${i}.mjs`, module(i)])]);
const isMain = chance(0.4); // the first module is the program of a process of its own
const roots = [0, ...numbers.filter((i) => i > 0 && chance(0.3))];
const isTogether = chance(0.3);

console.log(`'use strict';
const fs = require('fs');
const path = require('path');
const folder = fs.mkdtempSync(path.join(require('os').tmpdir(), 'modules-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const files = ${JSON.stringify(files, undefined, 1)};
for (const name of Object.keys(files)) fs.writeFileSync(path.join(folder, name), files[name]);
const show = (i) => (e) => console.log('import', i, e?.message?.replace(folder, '') ?? e);
const load = (i) => import(path.join(folder, \`m\${i}.mjs\`)).then((space) => show(i)(Object.keys(space).join()), show(i));
`);
if (isMain) {
  console.log(`const { status, stdout, stderr } = require('child_process').spawnSync(process.execPath, [path.join(folder, 'm0.mjs')]);
console.log(\`\${stdout}\`, status, \`\${stderr}\`.match(/^(?:\\w*Error|Warning).*/gm));`);
} else if (isTogether) {
  console.log(`for (const i of [${roots}]) load(i);`);
} else {
  console.log(`(async () => { for (const i of [${roots}]) await load(i); })();`);
}
