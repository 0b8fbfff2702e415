// Mocks of modules, which vitest finds by the caller's place in a stack; types taken away by a child; failures with their place. Test files run in threads and in processes.
const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const directory = path.resolve('made-vitest');
fs.rmSync(directory, { recursive: true, force: true });
// No module is in the project's own directory: a caller that is not found would be taken to be there.
for (const name of ['source', 'checks']) fs.mkdirSync(path.join(directory, name), { recursive: true });
const files = {
  'package.json': '{ "name": "made", "type": "module" }',
  'source/dep.js': 'export const value = () => "real";\nexport const other = () => "other";\n',
  'source/whole.js': 'export const answer = () => "real";\nexport const kept = 7;\n',
  'source/sum.ts': `import { value, other } from './dep.js';
interface Pair { a: number; b: number }
export const sum = ({ a, b }: Pair): number => a + b;
export const dep = (): string => \`\${value()} \${other()}\`;
`,
  'checks/passes.test.js': `import { describe, expect, test, vi } from 'vitest';
import { readFileSync } from 'node:fs';
import { dep, sum } from '../source/sum';
import * as mocked from '../source/dep.js';
import { answer, kept } from '../source/whole.js';
vi.mock('../source/dep.js', async (original) => ({ ...(await original()), value: vi.fn(() => 'mocked') }));
vi.mock('../source/whole.js');
vi.mock('node:fs', () => ({ readFileSync: () => 'no file' }));
describe('sum', () => {
  test('adds', () => expect(sum({ a: 1, b: 2 })).toBe(3));
  test('mocks', () => { expect(dep()).toBe('mocked other'); expect(mocked.value).toHaveBeenCalledTimes(1); });
  test('mocks whole modules', () => { expect(answer()).toBe(undefined); expect(answer).toHaveBeenCalledOnce(); expect(kept).toBe(7); });
  test('mocks modules of the runtime', () => expect(readFileSync('x')).toBe('no file'));
  test('waits', async () => { await expect(Promise.reject(new TypeError('q'))).rejects.toThrow('q'); });
  test('timers', () => {
    vi.useFakeTimers();
    const called = vi.fn();
    setTimeout(called, 1000);
    vi.advanceTimersByTime(1000);
    expect(called).toHaveBeenCalled();
    vi.useRealTimers();
  });
  test.each([[1, 1], [2, 4]])('square of %i', (a, b) => expect(a * a).toBe(b));
  test.skip('skipped', () => {});
  test('imports what is mocked later', async () => {
    vi.doMock('../source/dep.js', () => ({ value: () => 'again', other: () => 'too' }));
    vi.resetModules();
    expect((await import('../source/sum')).dep()).toBe('again too');
  });
  test('imports what is mocked no longer', async () => {
    vi.doUnmock('../source/dep.js');
    vi.resetModules();
    expect((await import('../source/sum')).dep()).toBe('real other');
  });
});
`,
  'checks/fails.test.ts': `import { expect, test } from 'vitest';
type Made = { a: number; b: number[] };
test('differs', () => {
  expect({ a: 1, b: [1, 2] } satisfies Made).toEqual({ a: 1, b: [1, 3] });
});
test('throws after an await', async () => {
  await null;
  throw new Error('thrown');
});
`,
};
for (const name in files) fs.writeFileSync(path.join(directory, name), files[name]);
const program = path.resolve('node_modules/vitest/vitest.mjs');
for (const args of [['passes', '--pool', 'threads'], ['passes', '--pool', 'forks'], ['fails', '--pool', 'threads']]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'run', '--reporter', 'verbose', '--testTimeout', '60000', ...args],
    { cwd: directory, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1', CI: '1' } });
  // Whether a time is told depends on how long it was.
  const text = (stdout + stderr).replace(/ +\d+(?:\.\d+)? ?m?s\b|^ *(?:Start at|Duration) .*\n/gm, '').replaceAll(directory, '');
  console.log(args.join(' '), status, text);
}
