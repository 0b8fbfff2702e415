// What a call site says of constructors, of plain functions, and of the code of a file itself.
import { createRequire } from 'module';
import fs from 'fs';
import os from 'os';
import path from 'path';

const shown = `(() => {
  const before = Error.prepareStackTrace;
  Error.prepareStackTrace = (error, sites) => sites;
  const { stack } = new Error();
  Error.prepareStackTrace = before;
  return stack.slice(1, 3).map((site) =>
    [site.getTypeName(), site.getFunctionName(), site.isToplevel(), site.isConstructor(), site.isEval(), site.isNative()].join());
})()`;
const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'sites-')), 'file');
fs.writeFileSync(
  `${file}.cjs`,
  `const here = () => ${shown};
class Made { constructor() { this.sites = here(); } }
function Old() { this.sites = here(); }
function plain() { return here(); }
module.exports = { made: new Made().sites, old: new Old().sites, plain: plain(), here: here()[1] };`,
);
fs.writeFileSync(`${file}.mjs`, `const here = () => ${shown};\nfunction plain() { return here(); }\nexport const called = plain();\nexport const direct = here()[1];`);
console.log(createRequire(import.meta.url)(`${file}.cjs`));
const { called, direct } = await import(`${file}.mjs`);
console.log(called, direct);
fs.rmSync(path.dirname(file), { recursive: true });
