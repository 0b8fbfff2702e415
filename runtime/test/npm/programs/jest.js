// Tests in contexts of their own: mocks, timers that are made up, snapshots, a page, and failures with their place.
const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const directory = path.resolve('made-jest');
fs.rmSync(directory, { recursive: true, force: true });
fs.mkdirSync(directory);
const files = {
  'package.json': '{ "name": "made" }',
  'sum.js': 'exports.sum = (a, b) => a + b;\nexports.dep = () => require("./dep").value();',
  'dep.js': 'exports.value = () => "real";',
  'passes.test.js': `
    jest.mock('./dep', () => ({ value: jest.fn(() => 'mocked') }));
    const { sum, dep } = require('./sum');
    describe('sum', () => {
      test('adds', () => { expect(sum(1, 2)).toBe(3); expect(new Error('x')).toBeInstanceOf(Error); });
      test('mocks', () => { expect(dep()).toBe('mocked'); expect(require('./dep').value).toHaveBeenCalledTimes(1); });
      test('waits', async () => { await expect(Promise.reject(new TypeError('q'))).rejects.toThrow('q'); });
      test('timers', () => {
        jest.useFakeTimers();
        const called = jest.fn();
        setTimeout(called, 1000);
        jest.advanceTimersByTime(1000);
        expect(called).toHaveBeenCalled();
        jest.useRealTimers();
      });
      test.each([[1, 1], [2, 4]])('square of %i', (a, b) => expect(a * a).toBe(b));
      test.skip('skipped', () => {});
    });`,
  'fails.test.js': 'test("differs", () => {\n  expect({ a: 1, b: [1, 2] }).toEqual({ a: 1, b: [1, 3] });\n});\n',
  'page.test.js': '/** @jest-environment jsdom */\ntest("page", () => {\n  document.body.innerHTML = "<p>x</p>";\n' +
    '  expect(document.querySelector("p").textContent).toBe("x");\n  expect(window).toBe(globalThis);\n  window.made = 5;\n  expect(made).toBe(5);\n});\n',
};
for (const name in files) fs.writeFileSync(path.join(directory, name), files[name]);
for (const args of [['passes', '--coverage'], ['fails'], ['page']]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.resolve('node_modules/jest/bin/jest.js'), '--ci', '-i', '--no-cache', ...args],
    { cwd: directory, encoding: 'utf8', env: { ...process.env, FORCE_COLOR: '0' } });
  // Whether a time is told depends on how long it was; a method's place is told with its object or without; jest's own places are its own.
  const text = (stdout + stderr).replace(/ \(\d+(?:\.\d+)? m?s\)|^Time:.*$|^ *at \.\.\/node_modules.*\n/gm, '');
  console.log(status, text.replace(/at (?:Object\.)?\S+ \((.*)\)/g, 'at $1'));
}
