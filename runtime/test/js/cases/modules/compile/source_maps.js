'use strict';

// Source maps: stacks with the positions of the sources, how a map is found, the results of module.SourceMap.
const fs = require('fs');
const os = require('os');
const path = require('path');
const { SourceMap, findSourceMap, getSourceMapsSupport, setSourceMapsSupport } = require('module');
const { spawnSync } = require('child_process');

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
function number(value) {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = '';
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += alphabet[rest > 0 ? digit | 32 : digit];
  } while (rest > 0);
  return text;
}

// [[column, original line, original column, name?], ...] for each line
function mappings(lines) {
  let line = 0;
  let column = 0;
  let name = 0;
  return lines.map((segments) => {
    let generated = 0;
    return segments.map(([at, toLine, toColumn, named]) => {
      let text = number(at - generated) + number(0) + number(toLine - line) + number(toColumn - column);
      [generated, line, column] = [at, toLine, toColumn];
      if (named !== undefined) {
        text += number(named - name);
        name = named;
      }
      return text;
    }).join();
  }).join(';');
}

const code = "'use strict';\nfunction fail() {\n  throw new Error('mapped');\n}\nmodule.exports = fail;\n";
const source = `${'// a line\n'.repeat(10)}export default function fail(): never {\n\n      throw new Error('mapped');\n}\n`;
const map = {
  version: 3, file: 'gen.js', sources: ['original.ts'], names: ['fail'],
  mappings: mappings([[], [[0, 10, 15, 0]], [[2, 12, 6], [8, 12, 12]], [[0, 13, 0]], [[0, 10, 0]]]),
};
const inline = (object) => `data:application/json;base64,${Buffer.from(JSON.stringify(object)).toString('base64')}`;

const home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'maps-')));
const put = (name, text) => fs.writeFileSync(path.join(home, name), text);
fs.mkdirSync(path.join(home, 'node_modules'));
put('disk.js', `${code}//# sourceMappingURL=disk.js.map\n`);
put('disk.js.map', JSON.stringify({ ...map, sourceRoot: 'src/', sourcesContent: [source] }));
put('inline.js', `${code}//# sourceMappingURL=${inline(map)}\nvoid 0;\n`);
put('text.js', `${code}void \`\n//# sourceMappingURL=${inline(map)}\n\`;\n`);
put('lost.js', `${code}//# sourceMappingURL=nowhere.map\n`);
put('node_modules/dep.js', `${code}//# sourceMappingURL=${inline(map)}\n`);
put('module.mjs', `${code.replace('module.exports = fail', 'export default fail')}//# sourceMappingURL=${inline(map)}\n`);
put('original.ts', source);
put('compiled.js', 'not what is compiled');
put('main.js', `
const Module = require('module');
const place = (fail) => { try { fail(); } catch (error) { return error.stack.split('\\n')[1].trim(); } };
for (const name of ['disk', 'inline', 'text', 'lost', 'node_modules/dep']) console.log(place(require('./' + name + '.js')));
const made = new Module(require.resolve('./compiled.js'));
made._compile(${JSON.stringify(`${code}//# sourceMappingURL=${inline(map)}`)}, require.resolve('./compiled.js'));
console.log('compiled:', place(made.exports));
const site = (() => { Error.prepareStackTrace = (error, trace) => trace[0]; try { require('./disk.js')(); } catch (error) { return error.stack; } })();
console.log(site.getFileName(), site.getLineNumber(), site.getColumnNumber());
Error.prepareStackTrace = undefined;
const found = Module.findSourceMap(require.resolve('./disk.js'));
console.log(found && [found.payload.sources, found.payload.sourceRoot, found.lineLengths, found.findOrigin(3, 9)]);
console.log(Module.findSourceMap(require.resolve('./main.js')), { ...Module.getSourceMapsSupport() }, process.sourceMapsEnabled);
import('./module.mjs').then(({ default: fail }) => {
  console.log(place(fail));
  setImmediate(() => require('./disk.js')());
});
`);
for (const options of [[], ['--enable-source-maps']]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [...options, path.join(home, 'main.js')], { encoding: 'utf8' });
  console.log(options, status);
  console.log(stdout.replaceAll(home, 'HOME'));
  console.log(stderr.replaceAll(home, 'HOME').split('\n').slice(0, 6).join('\n'));
}

// The same, by the program itself.
const fail = require(path.join(home, 'inline.js'));
const dep = require(path.join(home, 'node_modules/dep.js'));
const shown = (each) => {
  try {
    return each();
  } catch (error) {
    return error.stack.split('\n')[1].replaceAll(home, 'HOME').trim();
  }
};
for (const given of [[false], [true], [true, { nodeModules: true }], [false]]) {
  setSourceMapsSupport(...given);
  for (const name of ['inline.js', 'node_modules/dep.js']) delete require.cache[path.join(home, name)];
  console.log(given, { ...getSourceMapsSupport() });
  console.log(shown(require(path.join(home, 'inline.js'))), shown(require(path.join(home, 'node_modules/dep.js'))));
}
console.log(typeof fail, typeof dep, findSourceMap('nowhere.js'));
fs.rmSync(home, { recursive: true });

const one = new SourceMap(map, { lineLengths: [1, 2] });
console.log(one.findEntry(0, 5), one.findEntry(1, 3), one.findEntry(2, 9), one.findOrigin(3, 11), one.lineLengths);
const index = new SourceMap({ version: 3, sections: [{ offset: { line: 0, column: 0 }, map }, { offset: { line: 100, column: 10 }, map: { ...map, sources: ['second.ts'] } }] });
console.log(index.findEntry(2, 9).originalSource, index.findEntry(102, 9), index.findEntry(101, 12));
for (const wrong of [() => new SourceMap(1), () => setSourceMapsSupport(1), () => setSourceMapsSupport(true, { nodeModules: 1 })]) {
  try {
    wrong();
  } catch (error) {
    console.log(error.code, error.message);
  }
}
