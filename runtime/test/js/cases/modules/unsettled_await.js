'use strict';
// A top-level await that never ends: exit code 13, and a warning with the line of that await, of several.
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const programs = [
  'await new Promise(() => {});',
  'await 1;\nconst two = await Promise.resolve(2);\n  await new Promise(() => {});\nawait 4;',
  'for (const work of [async () => 1, () => new Promise(() => {})])\n  console.log(await work());\nawait 0;',
  'console.log(await [await 1, await (async () => await 2)()].at(-1), -await 5, typeof await 0);\nawait (\n  new Promise(() => {}));',
  "import { EOL as end } from 'os';\nconst o = await import('os');\nconsole.log(await end === o.EOL, (await o).EOL === end);\nexport default await new Promise(() => {});",
  "import { missing } from 'no-such-package';\nawait 1;",
  'await 1;\ntry {\n  await Promise.reject(new RangeError("caught"));\n} catch (error) {\n  console.log(error.message);\n}\nawait null.x;',
];
const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'await-')), 'program.mjs');
for (const text of programs) {
  fs.writeFileSync(file, text);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
  console.log(status, stdout.trim());
  if (status === 13) console.log(stderr.replaceAll(path.dirname(file), ''));
  else console.log(stderr.match(/\w+Error(?: \[\w+\])?: .*/)?.[0].replaceAll(path.dirname(file), ''));
}
fs.rmSync(path.dirname(file), { recursive: true });
