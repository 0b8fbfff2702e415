'use strict';
// What doc/ci gives to copy: its syntax, its keys, no action but two of GitHub's own, and that the scripts in it run.

const { assert, build, finish, root, run, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const path = require('path');
const yaml = require('js-yaml');
const { nodes } = require('./nodes.js');

const folder = path.join(root, 'doc', 'ci');
const textOf = (name) => fs.readFileSync(path.join(folder, name), 'utf8');
const load = (name) => yaml.load(textOf(name), { schema: yaml.CORE_SCHEMA });
const only = (object, names) => assert.deepStrictEqual(Object.keys(object).filter((name) => !names.split(' ').includes(name)), []);

// A step runs a script or uses an action, never both.
function checkStep(step, isComposite) {
  only(step, 'id name if run uses with env shell working-directory continue-on-error timeout-minutes');
  assert.strictEqual('run' in step, !('uses' in step), JSON.stringify(step));
  if (step.uses !== undefined) assert.match(step.uses, /^(?:actions\/(?:checkout|setup-node)@v\d+|\.\/\.github\/actions\/races)$/);
  if (isComposite && 'run' in step) assert.strictEqual(step.shell, 'bash');
  // Values from outside reach a script as variables only: in its text they would be commands.
  if (step.run !== undefined) assert.doesNotMatch(step.run, /\$\{\{/);
}

function checkScript(text) {
  const file = path.join(scratch, 'step.sh');
  fs.writeFileSync(file, `#!/bin/bash\nset -e\n${text}`);
  assert.strictEqual(run('bash', ['-n', file]).status, 0, text);
  const linted = run('shellcheck', [file]);
  if (linted.error === undefined) assert.strictEqual(linted.status, 0, linted.stdout);
  return file;
}

test('the action', () => {
  const action = load('action.yml');
  only(action, 'name description inputs outputs runs author branding');
  for (const input of Object.values(action.inputs)) {
    only(input, 'description required default deprecationMessage');
    assert.strictEqual(typeof input.default, 'string');
  }
  for (const output of Object.values(action.outputs)) only(output, 'description value');
  only(action.runs, 'using steps');
  assert.strictEqual(action.runs.using, 'composite');
  for (const step of action.runs.steps) checkStep(step, true);
  const [step] = action.runs.steps;
  const given = Object.values(step.env).map((value) => /^\$\{\{ inputs\.(\w+) \}\}$/.exec(value)[1]);
  assert.deepStrictEqual(given.sort(), Object.keys(action.inputs).sort());
  checkScript(step.run);
});

test('the workflow', () => {
  const workflow = load('races.yml');
  only(workflow, 'name run-name on permissions env defaults concurrency jobs');
  only(workflow.on, 'push pull_request schedule workflow_dispatch');
  assert.deepStrictEqual(workflow.permissions, { contents: 'read' });
  const { inputs } = load('action.yml');
  for (const job of Object.values(workflow.jobs)) {
    only(job, 'name needs permissions runs-on if env timeout-minutes strategy steps container services outputs defaults concurrency');
    only(job.strategy, 'matrix fail-fast max-parallel');
    for (const step of job.steps) {
      checkStep(step, false);
      if (step.uses?.startsWith('./')) only(step.with, Object.keys(inputs).join(' '));
      if (step.run !== undefined) checkScript(step.run);
    }
    assert.deepStrictEqual(job.strategy.matrix.shard.map((shard) => shard.split('/')[1]), job.strategy.matrix.shard.map(() => String(job.strategy.matrix.shard.length)));
  }
});

test('the job for GitLab', () => {
  const { races, ...others } = load('gitlab.yml');
  only(others, '');
  only(races, 'image parallel timeout variables script cache artifacts stage rules needs before_script after_script');
  only(races.cache, 'key paths when policy');
  only(races.artifacts, 'when paths reports expire_in name');
  for (const line of races.script) checkScript(line);
  const options = run(path.join(build, 'bin', 'rota'), ['fuzz', '--help']).stdout;
  for (const name of ['gitlab.yml', 'action.yml', 'fuzz.sh']) {
    const used = /fuzz (?:[^\n]*\\\n)*[^\n]*/.exec(textOf(name).replace(/^#.*$/gm, ''))[0];
    for (const [option] of used.matchAll(/--[a-z][a-z-]+(?==)/g)) assert.ok(options.includes(`  ${option}=`), `${name}: ${option}`);
  }
});

test('the script of the action annotates a race, counts it, and fails the step', () => {
  const [step] = load('action.yml').runs.steps;
  const place = fs.mkdtempSync(path.join(scratch, 'action-')), output = path.join(place, 'output');
  fs.copyFileSync(path.join(root, 'examples', 'races', 'cache.js'), path.join(place, 'cache.js'));
  const env = { ...process.env, PATH: `${path.join(build, 'bin')}:${process.env.PATH}`, GITHUB_OUTPUT: output, GITHUB_RUN_NUMBER: '7', GITHUB_WORKSPACE: place };
  const inputs = { ...Object.fromEntries(Object.entries(load('action.yml').inputs).map(([name, input]) => [name, input.default])), command: `${nodes[0]} cache.js`, budget: '60s' };
  for (const [name, value] of Object.entries(step.env)) env[name] = inputs[/inputs\.(\w+)/.exec(value)[1]];
  const found = run('bash', ['-e', checkScript(step.run)], { cwd: place, env });
  assert.strictEqual(found.status, 1, found.stdout + found.stderr);
  assert.match(found.stdout, /^::error file=cache\.js,line=23,title=a race%3A /m);
  assert.strictEqual(fs.readFileSync(output, 'utf8'), 'found=1\n');
  for (const name of ['races.xml', 'races.sarif', 'races.json']) assert.ok(fs.existsSync(path.join(place, 'races-found', name)), name);
  Object.assign(env, { RACES_BASELINE: path.join(place, 'accepted.json'), RACES_BUDGET: '10s' });
  assert.strictEqual(run('bash', ['-e', checkScript(step.run)], { cwd: place, env: { ...env, RACES_OPTIONS: '--accept' } }).status, 0);
  assert.match(run('bash', ['-e', checkScript(step.run)], { cwd: place, env }).stdout, /^::notice file=cache\.js/m);
  assert.match(fs.readFileSync(output, 'utf8'), /found=0\n$/);
});

finish();
