'use strict';
// What scripts declare in a context reaches the program's object: texts that are one expression and texts that only look
// like one, given to several contexts, and given again.
const vm = require('vm');

const texts = [
  '({ f: function () { var inner = 1; return inner; } });',
  '(function named() { var inner = 1; })',
  '(1); var after = 2',
  '(function () {})\nvar line = 3',
  '(function () {})\n++globalThis.counter; var counted = 4;',
  '(0, eval)("var fromEval = 5; function functionFromEval() {}")',
  '("var quoted = 6")',
  '(`function template() {}`) // var comment = 7;',
  '(/var regexp = 8/); // ;',
  '( /* var comment */ 9 )\n;\n\n',
  'var plain = 10; function declared() {}',
  '{ var block = 11 }',
  '(x => { var inArrow = x; })(12)',
  '(async function () { var later = 13; })();\nfor (var i = 0; i < 2; i++);',
  '(1)\n/2/1; var divided = 14',
  'this.assigned = 15; implicit = 16; (function () { deep = 17; })()',
];

for (const text of texts) {
  const seen = [];
  for (const round of [1, 2, 3]) {
    const sandbox = { counter: 0 };
    const context = vm.createContext(sandbox);
    const script = new vm.Script(text);
    script.runInContext(context);
    if (round === 3) script.runInContext(context);
    seen.push(Object.keys(sandbox).join());
  }
  console.log(JSON.stringify(text), new Set(seen).size === 1 ? seen[0] : seen);
}

for (const text of ['(var wrong)', '(1', '1)', '(1) 2', '(function () { )']) {
  for (const round of [1, 2]) {
    try {
      new vm.Script(text);
      console.log('accepted');
    } catch (error) {
      console.log(round, JSON.stringify(text), error.name);
    }
  }
}

// The same text with another name and another line.
for (const [filename, lineOffset] of [['one.js', 0], ['two.js', 5]]) {
  try {
    new vm.Script('(function () { throw new Error("thrown"); })()', { filename, lineOffset }).runInContext(vm.createContext());
  } catch (error) {
    console.log(error.stack.split('\n')[0].includes(filename) || error.stack.includes(`${filename}:${lineOffset + 1}`));
  }
}
console.log(new vm.Script('1\n//# sourceMappingURL=a.map').sourceMapURL, new vm.Script('1').sourceMapURL);
