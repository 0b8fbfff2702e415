'use strict';

// rota --run name [-- arguments]: a script of the nearest package.json, run by the shell, with the commands of
// installed packages in the path.

const fs = require('fs');
const path = require('path');
const { spawnSync } = require('child_process');

const say = (text) => internalBinding('stdio').writeSync(2, `${text}\n`);

function leave(code, text) {
  if (text !== undefined) say(text);
  process.exit(code);
}

function parents(directory) {
  const list = [directory];
  while (path.dirname(list.at(-1)) !== list.at(-1)) list.push(path.dirname(list.at(-1)));
  return list;
}

const list = (scripts) =>
  ['Available scripts are:', ...Object.entries(scripts).map(([name, text]) => `  ${name}: ${text}`)].join('\n');

// Characters without a meaning for the shell need no quotes.
const quote = (word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

function run(name, args) {
  const directories = parents(process.cwd());
  const file = directories.map((directory) => path.join(directory, 'package.json')).find((each) => fs.existsSync(each));
  if (file === undefined) leave(1, `Can't find package.json for directory ${process.cwd()}`);
  let scripts;
  try {
    scripts = JSON.parse(fs.readFileSync(file, 'utf8')).scripts;
  } catch {
    leave(1, `Can't parse ${file}`);
  }
  if (typeof scripts !== 'object' || scripts === null) leave(1, `Can't find "scripts" field in ${file}`);
  if (name === '') leave(9, list(scripts));
  const text = scripts[name];
  if (typeof text !== 'string') leave(1, `Missing script: "${name}" for ${file}\n\n${list(scripts)}`);
  const home = path.dirname(file);
  const commands = directories
    .map((directory) => path.join(directory, 'node_modules', '.bin'))
    .filter((each) => fs.existsSync(each));
  const env = {
    ...process.env,
    PATH: [...commands, process.env.PATH].join(':'),
    NODE_RUN_SCRIPT_NAME: name,
    NODE_RUN_PACKAGE_JSON_PATH: file,
  };
  const { status } = spawnSync('/bin/sh', ['-c', [text, ...args.map(quote)].join(' ')], {
    cwd: home,
    env,
    stdio: 'inherit',
  });
  process.exit(status === 0 ? 0 : 1);
}

module.exports = { run };
