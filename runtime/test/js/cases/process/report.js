'use strict';

// process.report: its settings, what is written, and the parts that programs look at.

const fs = require('fs'), os = require('os'), path = require('path');
const { report } = process;
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'report-'));
process.on('exit', () => fs.rmSync(directory, { recursive: true }));

for (const [name, value] of [['directory', 5], ['filename', 5], ['compact', 5], ['excludeNetwork', 1], ['excludeEnv', 1], ['signal', 'x'],
  ['signal', 5], ['reportOnFatalError', 1], ['reportOnSignal', 1], ['reportOnUncaughtException', 1]]) {
  try {
    report[name] = value;
  } catch (error) {
    console.log(name, error.code, error.message);
  }
}
for (const bad of [() => report.getReport(5), () => report.writeReport(5), () => report.writeReport('a', 5)]) {
  try {
    bad();
  } catch (error) {
    console.log(error.code, error.message);
  }
}
console.log([report.directory, report.filename, report.compact, report.excludeNetwork, report.excludeEnv, report.signal, report.reportOnFatalError,
  report.reportOnSignal, report.reportOnUncaughtException]);

const now = report.getReport();
console.log(Object.keys(now).join(), Object.keys(now.header).join());
console.log(/^\d+\.\d+$/.test(now.header.glibcVersionRuntime), now.header.processId === process.pid, now.header.event, now.header.trigger, now.header.filename);
console.log(now.javascriptStack.message, now.sharedObjects.some((name) => name.includes('libc.so')), Object.keys(now.userLimits).length);
console.log(report.getReport(new RangeError('mine')).javascriptStack.message, now.environmentVariables.PATH === process.env.PATH);

report.directory = directory;
console.log(report.writeReport('given.json'));
report.filename = 'set.json';
console.log(report.writeReport(new Error('x')));
report.filename = '';
console.log(/^report\.\d{8}\.\d{6}\.\d+\.0\.\d{3}\.json$/.test(report.writeReport()));
report.compact = report.excludeNetwork = report.excludeEnv = true;
report.writeReport('compact.json');
const read = (name) => fs.readFileSync(path.join(directory, name), 'utf8');
console.log(JSON.parse(read('given.json')).header.filename, JSON.parse(read('set.json')).javascriptStack.message, fs.readdirSync(directory).length);
console.log(read('compact.json').split('\n').length, 'environmentVariables' in JSON.parse(read('compact.json')),
  'networkInterfaces' in JSON.parse(read('compact.json')).header);
