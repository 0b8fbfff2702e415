// One text in several contexts, under several names and lines: each context has its own variables, functions and `this`.
const vm = require('vm');
const text = 'var count = (typeof count === "number" ? count : 0) + 1; function place() { return new Error("x").stack.split("\\n")[1].trim(); }\n({ self: this, count, place, make: function () { return [] instanceof Array && {} } })';
const contexts = [1, 2, 3].map((n) => vm.createContext({ n }));
const results = contexts.map((context) => new vm.Script(text, { filename: 'same.js' }).runInContext(context));
for (const { self, count, place, make } of results) console.log(self.n, count, place(), make() instanceof Object);
console.log(new Set(results.map(({ place }) => place)).size, contexts.map((context) => Object.keys(context)));
const script = new vm.Script(text, { filename: 'same.js' });
console.log(contexts.map((context) => script.runInContext(context).count), script.runInContext(contexts[0]).place === results[0].place);
for (const options of [{ filename: 'other.js' }, { filename: 'same.js', columnOffset: 4 }, 'short.js', undefined])
  console.log(new vm.Script(text, options).runInContext(contexts[1]).place());
for (let i = 0; i < 2; i++) {
  for (const wrong of ['var;', '({ a: })', '(function () { return })(', 'let a; let a;']) {
    try {
      new vm.Script(wrong, { filename: 'wrong.js' });
    } catch (error) {
      console.log(error.name, error.message, error.stack.split('\n')[0], error instanceof SyntaxError);
    }
  }
}
// An expression declares nothing; what looks like one may be a statement.
const names = (code) => {
  const context = vm.createContext({});
  vm.runInContext(code, context);
  return Object.keys(context).join();
};
for (const code of [
  '(function inner() { var hidden; })', '(function () {})();', '(() => { var hidden })()\n', '(1)\nvar a = 2', '(1);var b = 1', '(a => a), (function c() {})',
  '(0) ? function d() {} : 1; function e() {}', ' /* x */ ({ function: 1, var: 2 })', '(`${function () { var x }}`) // var y',
  '(function () {})\nfunction f() {}', '(1), function g() {}', 'function h() {} (1)', '(/[)]function/);',
]) console.log(JSON.stringify(code), names(code));
const { Worker, isMainThread } = require('worker_threads');
if (isMainThread && process.argv[2] === undefined) {
  let left = 3;
  for (let i = 0; i < 3; i++)
    new Worker(`const vm = require('vm'); const script = new vm.Script('(function () { return this.n })');
      let sum = 0; for (let i = 0; i < 20; i++) sum += script.runInNewContext({ n: i })(); require('worker_threads').parentPort.postMessage(sum);
      ${i === 1 ? 'script.runInNewContext = null; process.exit(0)' : ''}`, { eval: true })
      .on('message', (sum) => console.log('worker', sum)).on('exit', () => --left === 0 && console.log('workers ended'));
}
