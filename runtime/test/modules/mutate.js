'use strict';

// Modules changed at random, for runtime/test/modules/compare.js: words are exchanged, lost or doubled, so that much of it is
// still a module.
//
//   node runtime/test/modules/mutate.js SEED COUNT TARGET FILE...      writes COUNT modules into the directory TARGET

const fs = require('fs');
const path = require('path');

const [seedText, countText, target, ...files] = process.argv.slice(2);
let state = Number(seedText) >>> 0;
function below(limit) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}

const kToken = /\s+|[\p{ID_Continue}$]+|=>|\.\.\.|\?\.|\/\/.*|./gsu;
const kPieces = [
  ...'( ) { } [ ] , ; : ? = => ... ?. . * / + ! ` \' " \n'.split(' '),
  ...'async await yield function class extends static new delete typeof in of let const var return import export'.split(' '),
  'import.meta', 'import("x")', 'arguments', 'new.target', 'export default', 'export { x }', "import x from 'x';\n", 'x', '{ x }',
  '(x) => x', '({ x = 1 }) => x', '[x] = [x]', '`${x}`', '/x/g', 'yield*', '<!--', 'for (const x of y)', 'catch (x) {}',
];

fs.mkdirSync(target, { recursive: true });
for (let i = 0; i < Number(countText); i++) {
  const text = fs.readFileSync(files[below(files.length)], 'utf8').slice(0, 20000);
  const tokens = text.match(kToken) ?? [];
  const names = tokens.filter((token) => /^[\p{ID_Start}$_]/u.test(token));
  for (let changes = 1 + below(3); changes > 0; changes--) {
    const at = below(tokens.length);
    switch (below(5)) {
      case 0:
        tokens.splice(at, 1 + below(2));
        break;
      case 1:
        tokens.splice(at, 0, ` ${kPieces[below(kPieces.length)]} `);
        break;
      case 2: // one name in the place of another: shadows, imports and exports of it
        if (names.length > 0) {
          const one = names[below(names.length)];
          const other = names[below(names.length)];
          for (let k = 0; k < tokens.length; k++) if (tokens[k] === one && below(3) === 0) tokens[k] = other;
        }
        break;
      case 3:
        tokens.splice(at, 0, ...tokens.slice(at, at + below(30)));
        break;
      default:
        tokens[at] = kPieces[below(kPieces.length)];
    }
  }
  fs.writeFileSync(path.join(target, `${seedText}-${i}.mjs`), tokens.join(''));
}
