'use strict';
// runtime/doc/BROWSER_LOOP.md shows programs and what they print by both loops. The page names them:
//
//   <!-- both: runtime/test/html/both/error.js -->
//   ...the program and both outputs...
//   <!-- end -->
//
// `node runtime/test/html/document.js` writes what is between; the test beside it checks that nothing would change. Time is
// virtual, so that outputs do not depend on the machine.

const fs = require('fs');
const path = require('path');
const { spawnSync } = require('child_process');

const root = path.join(__dirname, '..', '..', '..');
const rota = path.resolve(root, process.env.BUILD || 'build', 'bin', 'rota');
const page = path.join(root, 'runtime', 'doc', 'BROWSER_LOOP.md');
const ROWS = 12;

function linesOf(file, args) {
  const { status, stdout } = spawnSync(rota, ['--virtual-time', ...args, path.join(root, file)], { encoding: 'utf8', timeout: 60000 });
  const lines = stdout === '' ? [] : stdout.trimEnd().split('\n');
  if (status !== 0) lines.push(`(ends with exit code ${status})`);
  return lines;
}

function sideBySide(left, right) {
  const width = Math.max(16, ...left.map((line) => line.length)) + 4;
  const rows = [['node', 'html'], ['----', '----']];
  const count = Math.max(left.length, right.length);
  for (let i = 0; i < Math.min(count, ROWS); i++) rows.push([left[i] ?? '', right[i] ?? '']);
  if (count > ROWS) rows.push([`(${left.length - ROWS} more)`, `(${right.length - ROWS} more)`]);
  return rows.map(([a, b]) => (a.padEnd(width) + b).trimEnd()).join('\n');
}

function blockOf(file) {
  const text = fs.readFileSync(path.join(root, file), 'utf8').trimEnd();
  const both = sideBySide(linesOf(file, ['--loop=node']), linesOf(file, ['--loop=html']));
  return `<!-- both: ${file} -->\n\`\`\`js\n${text}\n\`\`\`\n\n\`\`\`\n${both}\n\`\`\`\n<!-- end -->`;
}

// The whole page, as it should be.
function made() {
  return fs.readFileSync(page, 'utf8').replace(/<!-- both: (\S+) -->[^]*?<!-- end -->/g, (_, file) => blockOf(file));
}

module.exports = { made, page };
if (require.main === module) fs.writeFileSync(page, made());
