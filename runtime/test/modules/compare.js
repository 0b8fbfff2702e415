'use strict';

// Every module below the given directories, rewritten by the C pass (runtime/modules) and by the parser
// (runtime/lib/modules/esm/transform.js): both must say the same, or C must decline. A file that the parser
// refuses must be declined, or what C makes of it must be refused by the engine; that is told apart by --engine=rota.
//
//   node runtime/test/modules/compare.js build/test/rewrite [--commonjs] [--verbose] DIRECTORY...

const fs = require('fs');
const path = require('path');
const vm = require('vm');
const { spawnSync } = require('child_process');

const root = path.join(__dirname, '../../..');
const [program, ...rest] = process.argv.slice(2);
const isCommonJS = rest.includes('--commonjs');
const verbose = rest.includes('--verbose');
const folders = rest.filter((word) => !word.startsWith('--'));

// The runtime's own module, outside of the runtime.
function loadTransform() {
  const known = {
    'internal/modules/helpers': {
      getAcorn: () => require(path.join(root, 'node_modules/acorn')),
      kParseOptions: { ecmaVersion: 'latest', allowHashBang: true, locations: false },
    },
    'internal/modules/columns': { noteEdits: (name, text, edits) => (loadTransform.edits = edits) },
    'internal/modules/order_edits': { editOrder() {}, marksDelegation: true },
    'internal/modules/syntax_error': { fill() {} },
  };
  const load = (id) => {
    if (known[id] !== undefined) return known[id];
    const file = path.join(root, 'runtime/lib', `${id.replace('internal/', '')}.js`);
    const module = { exports: {} };
    known[id] = module.exports;
    vm.runInThisContext(`(function (exports, require, module) {${fs.readFileSync(file, 'utf8')}\n})`, { filename: file })(
      module.exports,
      load,
      module,
    );
    return (known[id] = module.exports);
  };
  return load('internal/modules/esm/transform');
}

const isModuleLike = /^\s*(?:import|export)\b/m;

function* filesBelow(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(name);
    else if (entry.isFile() && /\.(?:[cm]?js)$/.test(entry.name)) yield name;
  }
}

function wanted(name) {
  if (isCommonJS) return !name.endsWith('.mjs');
  if (name.endsWith('.cjs')) return false;
  return name.endsWith('.mjs') || isModuleLike.test(fs.readFileSync(name, 'utf8'));
}

function* answers(names) {
  const list = names.map((name) => `${name}\n`).join('');
  const { stdout, signal, status, stderr } = spawnSync(program, isCommonJS ? ['--commonjs'] : [], {
    input: list,
    maxBuffer: 2 ** 31 - 1,
  });
  if (signal !== null || status !== 0) throw new Error(`${program} ended with ${signal ?? status}\n${stderr}`);
  let at = 0;
  const line = () => {
    const end = stdout.indexOf(10, at);
    const text = stdout.toString('latin1', at, end);
    at = end + 1;
    return text;
  };
  for (const name of names) {
    const [word, code, notes] = line().split(' ');
    if (word === 'declined') {
      yield { name };
      continue;
    }
    const codeEnd = at + Number(code);
    const notesEnd = codeEnd + Number(notes);
    yield { name, code: stdout.toString('utf8', at, codeEnd), notes: JSON.parse(stdout.toString('utf8', codeEnd, notesEnd)) };
    at = notesEnd + 1;
  }
}

const plain = (value) => JSON.stringify(value);
const kFields = ['headLength', 'hasAwait', 'localNames', 'indirect', 'checks', 'stars', 'awaits'];

// -> what differs, or undefined
function difference(answer, expected) {
  if (answer.code !== expected.code) {
    let at = 0;
    while (answer.code[at] === expected.code[at]) at++;
    return `code at ${at}:\n  C  ${plain(answer.code.slice(Math.max(0, at - 40), at + 60))}\n  js ${plain(expected.code.slice(Math.max(0, at - 40), at + 60))}`;
  }
  if (isCommonJS) return undefined;
  for (const field of kFields)
    if (plain(answer.notes[field]) !== plain(expected[field])) return `${field}: ${plain(answer.notes[field])}, ${plain(expected[field])}`;
  const requests = expected.requests.map(({ specifier, attributes }) => [specifier, ...Object.entries(attributes ?? {}).flat()]);
  if (plain(answer.notes.requests) !== plain(requests)) return `requests: ${plain(answer.notes.requests)}, ${plain(requests)}`;
  const edits = loadTransform.edits.map(({ start, end, replacement }) => [start, end, replacement]);
  if (plain(answer.notes.edits) !== plain(edits)) return `edits: ${plain(answer.notes.edits).slice(0, 200)}, ${plain(edits).slice(0, 200)}`;
  return undefined;
}

const { transform, rewriteScript } = loadTransform();
const kConcerns = /\bimport\b|\byield\s*\*/;
const counts = { files: 0, equal: 0, declined: 0, refused: 0, differ: 0, onlyC: 0 };

function expectedOf(name) {
  const bytes = fs.readFileSync(name);
  let text = bytes.toString();
  if (isCommonJS) {
    const code = rewriteScript(text, false, undefined);
    return { code: code ?? '' };
  }
  return transform(text, name);
}

function compare(answer) {
  const { name } = answer;
  counts.files++;
  let expected;
  try {
    expected = expectedOf(name);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (answer.code === undefined) {
      counts.refused++;
      return;
    }
    // The engine decides about C's result.
    try {
      new vm.Script(answer.code);
    } catch {
      counts.refused++;
      return;
    }
    counts.onlyC++;
    console.log(`${name}: the parser refuses it: ${error.message}`);
    return;
  }
  if (answer.code === undefined) {
    counts.declined++;
    if (verbose) console.log(`${name}: declined`);
    return;
  }
  const found = difference(answer, expected);
  if (found === undefined) {
    counts.equal++;
    return;
  }
  counts.differ++;
  console.log(`${name}: ${found}`);
}

const names = folders.flatMap((folder) => (fs.statSync(folder).isDirectory() ? [...filesBelow(folder)] : [folder])).filter(wanted);
for (let i = 0; i < names.length; i += 500) {
  const some = names.slice(i, i + 500).filter((name) => {
    const bytes = fs.readFileSync(name);
    if (!require('buffer').isUtf8(bytes)) return false;
    return !isCommonJS || kConcerns.test(bytes.toString());
  });
  for (const answer of answers(some)) compare(answer);
}
console.log(Object.entries(counts).map(([name, count]) => `${name} ${count}`).join(', '));
process.exitCode = counts.differ > 0 || counts.onlyC > 0 ? 1 : 0;
