'use strict';

// Options that make the language stricter, in threads and contexts, too.
const { spawnSync } = require('child_process');

function run(options, code) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [...options, '-e', code], { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: undefined } });
  console.log(options.join(' '), status, stderr.split('\n').filter((line) => /Error|Experimental/.test(line)).map((line) => line.replace(/\(node:\d+\)/, '(PID)')));
  console.log(stdout);
}

const attempt = `
  const attempt = (name, run) => { try { console.log(name, run()); } catch (error) { console.log(name, error.name, error.code ?? '', error.code ? '' : error.message); } };
`;
run(['--disallow-code-generation-from-strings'], `${attempt}
  const vm = require('vm');
  attempt('eval', () => eval('1'));
  attempt('indirect', () => (0, eval)('1'));
  attempt('no text', () => eval(5));
  attempt('Function', () => new Function('return 1'));
  attempt('called', () => Function('return 1'));
  attempt('constructor', () => (() => {}).constructor('return 1'));
  for (const kind of [async () => {}, function*() {}, async function*() {}]) attempt('other kinds', () => kind.constructor(''));
  attempt('Reflect', () => Reflect.construct(Function, ['']));
  attempt('subclass', () => new (class extends Function {})(''));
  attempt('bound', () => Function.bind(null, 'return 1')());
  attempt('still', () => [(() => {}) instanceof Function, Function.prototype.constructor === Function, Function.name, Function.length, eval.name].join());
  attempt('script', () => vm.runInThisContext('1 + 1'));
  attempt('function of vm', () => vm.compileFunction('return 2')());
  attempt('context', () => vm.runInNewContext('eval("3")'));
  attempt('shown', () => require('util').inspect(new Map([[1, { a: [] }]])));
  new (require('worker_threads').Worker)("try { eval('1'); console.log('thread evaluates'); } catch (error) { console.log('thread', error.name); }", { eval: true });
`);
run([], `${attempt}
  const vm = require('vm');
  const context = vm.createContext({}, { codeGeneration: { strings: false } });
  attempt('eval', () => vm.runInContext('eval("1")', context));
  attempt('constructor', () => vm.runInContext('(() => {}).constructor("")', context));
  attempt('generator', () => vm.runInContext('(function*() {}).constructor("")', context));
  attempt('outside', () => eval('1'));
`);
for (const mode of ['delete', 'throw']) {
  run([`--disable-proto=${mode}`], `${attempt}
    attempt('get', () => ({}).__proto__);
    attempt('set', () => { ({}).__proto__ = {}; });
    attempt('own', () => Object.hasOwn(Object.prototype, '__proto__'));
    attempt('literal', () => Object.getPrototypeOf({ __proto__: null }));
    attempt('context', () => require('vm').runInNewContext('({}).__proto__'));
    new (require('worker_threads').Worker)("try { console.log('thread', ({}).__proto__); } catch (error) { console.log('thread', error.code); }", { eval: true });
  `);
}
run(['--disable-proto=other'], '1');
run(['--frozen-intrinsics'], `'use strict'; ${attempt}
  for (const text of ['Array.prototype', 'globalThis', 'console', 'process', 'setTimeout', 'Buffer', 'Object', 'Math', 'Promise.prototype', 'Error', 'Function.prototype', 'Map.prototype',
    'Object.getPrototypeOf(function*() {})', 'Object.getPrototypeOf([][Symbol.iterator]())', 'console.log', 'Intl', 'Uint8Array.prototype']) attempt(text, () => Object.isFrozen((0, eval)(text)));
  attempt('add', () => { Array.prototype.x = 1; });
  attempt('define', () => { Object.defineProperty(Math, 'PI', { value: 3 }); });
  attempt('delete', () => { try { delete Array.prototype.push; } catch (error) { return error instanceof TypeError; } });
  attempt('assign', () => { try { Object.defineProperty = 1; } catch (error) { return error instanceof TypeError; } });
  attempt('error', () => { const error = new Error('x'); error.message = 'y'; error.name = 'Z'; return String(error); });
  attempt('class', () => { class Own extends Error { constructor() { super('m'); this.name = 'Own'; } } return String(new Own()); });
  attempt('instance', () => { const object = {}; object.toString = () => 'own'; object.constructor = 5; return object + Object.keys(object).join(); });
  attempt('array', () => { const list = [1]; list.map = () => 'mine'; return list.map(); });
  attempt('global', () => { globalThis.added = 1; return added; });
  attempt('globalThis', () => { try { globalThis.globalThis = null; } catch (error) { return error instanceof TypeError; } });
  attempt('console', () => { try { console.log = null; } catch (error) { return error instanceof TypeError; } });
  console.log({ a: [1, new Map([[1, 2]])] }, new Set([1]), Buffer.from('x'));
  class Extended extends console.Console {}
  const extended = new Extended(process.stdout);
  extended.log = (text) => process.stdout.write('extended ' + text + '\\n');
  extended.log('works');
  setTimeout(() => console.log('timer'), 1);
  require('fs').promises.readFile('/dev/null').then((data) => console.log(data.length));
`);
run(['--jitless', '--frozen-intrinsics'], 'let sum = 0; for (let i = 0; i < 100000; i++) sum += i; console.log(sum)');
