'use strict';

// import() in code that was made from text at run time: by `new Function`, eval, or node:vm. It is resolved relative to
// the nearest file on the stack.

const { codes, E } = require('internal/errors');

E('ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING', 'A dynamic import callback was not specified.', TypeError);

const isFile = (name) => name.startsWith('/') || name.startsWith('file:');

function importEvaluated(specifier) {
  const { importFrom } = require('internal/modules/esm/import');
  const { pathToUrl } = require('internal/modules/esm/resolve');
  for (const frame of require('internal/process/stacks').callSites(20)) {
    const name = frame.file;
    if (frame.native || !name || name.startsWith('node:')) continue;
    const answer = require('internal/vm/importers').ask(name, specifier);
    if (answer !== undefined) return answer;
    if (isFile(name)) return importFrom(specifier, name.startsWith('/') ? pathToUrl(name) : name);
    if (name.startsWith('evalmachine.')) return Promise.reject(new codes.ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING());
  }
  return importFrom(specifier, `${pathToUrl(process.cwd())}/[eval]`);
}

module.exports = { importEvaluated };
