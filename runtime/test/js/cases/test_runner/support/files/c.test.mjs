import test from 'node:test';
test('one of a module', (t) => t.diagnostic('a word'));
test('fails', () => { throw new Error('as it should'); });
