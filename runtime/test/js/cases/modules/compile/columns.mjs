// Columns in stacks of a module whose text was rewritten.
import fs, { readFileSync as r } from 'node:fs'; import { join } from 'node:path';
try { join('a', r.foo.bar); } catch (e) { console.log(e.message, e.stack.split('\n')[1].replace(/file.*\//, '')) }
const f = () => { fs.readFileSync('/x' + join('a'), r, new Error('q').stack.split('\n').slice(1,2).forEach((l) => console.log(l.replace(/file.*\//, '')))); };
try { f() } catch (e) { console.log(e.message) }
async function g() { const a = await import('node:os'); console.log(a.EOL.length, new Error('z').stack.split('\n')[1].replace(/file.*\//, '')); } await g();
