// The events of run(), in their order, for files in processes of their own and in this one.
const { run } = require('node:test');
const path = require('node:path');
const file = (name) => path.join(__dirname, 'support', 'files', name);

async function tell(options) {
  const told = [];
  for await (const { type, data } of run(options)) {
    if (!['test:start', 'test:pass', 'test:fail', 'test:plan', 'test:summary', 'test:stdout'].includes(type) && data.message !== 'a word') continue;
    if (data.file !== undefined && type === 'test:summary') continue;
    const { name, nesting, testNumber, count, counts, success, message, line, column, details } = data;
    told.push(JSON.stringify({ type, name: name?.replace(__dirname, '.'), nesting, testNumber, count, counts, success, message, line, column,
      kind: details?.type, failure: details?.error?.failureType, cause: details?.error?.cause?.message }));
  }
  console.log(told.join('\n'));
  console.log('exit code', process.exitCode);
}

(async () => {
  await tell({ files: [file('a.test.js'), file('c.test.mjs')], concurrency: 1 });
  await tell({ files: [file('a.test.js')], testNamePatterns: ['one', /first/] });
  await tell({ files: [file('exits.js')] });
  await tell({ files: [file('c.test.mjs')], isolation: 'none' });
})();
