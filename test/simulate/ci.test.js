'use strict';
// rota fuzz in CI: parts of the seeds, a budget, reports in other formats, what is accepted, exit codes, and going on after a stop.

const { assert, build, finish, root, rota, run, scratch, test } = require('../page/harness.js');
const { spawn } = require('child_process');
const fs = require('fs');
const path = require('path');

// A tool's module, as Node runs it.
const modules = require(path.resolve(build, 'lib', 'rota-tools', 'modules.js'));
function load(name) {
  const module = { exports: {} };
  if (modules[name] === undefined) return require(name);
  modules[name](module.exports, load, module);
  return module.exports;
}
const { seedsOf } = load('internal/cli/fuzz/count');

const races = path.join(root, 'examples', 'races');
const cache = path.join(races, 'cache.js'), fixed = path.join(races, 'fixed', 'cache.js');

function fuzz(args, options = {}) {
  return run(rota, ['fuzz', '-o', scratch, ...args], { timeout: 200000, ...options });
}

const scriptOf = (name, text) => {
  const file = path.join(scratch, name);
  fs.writeFileSync(file, text);
  return file;
};
const first = (count, seeds) => Array.from({ length: count }, () => seeds.next().value);

// ---- how long, and which part ----

test('the parts of a search have all seeds together, each once, and each strategy alike', () => {
  const seeds = [1, 2, 3, 4, 5].flatMap((index) => first(200, seedsOf({ from: 1, shard: { index, of: 5 } })).filter((seed) => seed < 800));
  assert.deepStrictEqual(seeds.sort((a, b) => a - b), Array.from({ length: 799 }, (_, i) => i + 1));
  for (const index of [1, 2]) assert.strictEqual(first(80, seedsOf({ from: 8, shard: { index, of: 2 } })).filter((seed) => seed % 8 === 5).length, 10);
  const counted = (part) => fuzz(['--count', '--seeds=40', '--jobs=2', `--shard=${part}/4`, fixed]).stdout;
  for (const part of [1, 2, 3, 4]) assert.match(counted(part), /of 10 seeds/);
  for (const bad of ['0/2', '3/2', '1', 'a/b', '1/0']) assert.match(fuzz([`--shard=${bad}`, fixed]).stderr, /must be a part of a number/);
});

test('a budget is filled with new seeds, and is not passed', () => {
  const script = scriptOf('many_orders.js', "const fs = require('fs'); for (let i = 0; i < 9; i++) fs.stat('/', () => {});");
  const began = Date.now();
  const found = fuzz(['--budget=6s', '--jobs=2', script]);
  assert.ok(Date.now() - began < 20000);
  assert.strictEqual(found.status, 0, found.stdout + found.stderr);
  assert.ok(Number(/(\d+) seeds in/.exec(found.stdout)[1]) > 5, found.stdout);
  for (const bad of ['10', 'm', '5x', '0s', '1m 2s']) assert.match(fuzz([`--budget=${bad}`, script]).stderr, /must be a time, as/);
});

test('a program that never ends takes no longer than the time that is given', () => {
  const began = Date.now();
  const found = fuzz(['--budget=4s', scriptOf('endless.js', 'setInterval(() => {}, 1000)')]);
  assert.ok(Date.now() - began < 15000, `${Date.now() - began} ms`);
  assert.match(found.stdout, /^Undisturbed, it hangs\.$/m);
  assert.strictEqual(found.status, 2);
});

// ---- formats ----

// A strict reader of what is written: elements, attributes and texts; no comments, no sections.
function readXml(text) {
  const entity = (raw) => raw.replace(/&(?:#(\d+);)?/g, (all, code) => { assert.ok(code !== undefined, `${all} in ${raw}`); return String.fromCharCode(code); });
  const stack = [{ children: [] }];
  let at = text.indexOf('?>') + 2;
  assert.ok(text.startsWith('<?xml version="1.0" encoding="UTF-8"?>'));
  assert.doesNotMatch(text, /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/);
  for (const [all, words, end, name, attributes, empty] of text.slice(at).matchAll(/([^<]+)|<\/(\w+)>|<(\w+)((?:\s+[\w:]+="[^"<]*")*)\s*(\/?)>/g)) {
    at += all.length;
    const top = stack.at(-1);
    if (words !== undefined) top.text = (top.text ?? '') + entity(words);
    else if (end !== undefined) assert.strictEqual(stack.pop().name, end);
    else {
      const element = { name, children: [], attributes: {} };
      for (const [, key, value] of attributes.matchAll(/([\w:]+)="([^"]*)"/g)) { assert.ok(!(key in element.attributes)); element.attributes[key] = entity(value); }
      top.children.push(element);
      if (empty === '') stack.push(element);
    }
  }
  assert.strictEqual(at, text.length, 'something is no element');
  assert.strictEqual(stack.length, 1);
  return stack[0].children;
}

// By the schema of the plug-in of Jenkins for JUnit, which the others follow.
function checkJunit(text) {
  const [suites, ...others] = readXml(text);
  assert.strictEqual(others.length, 0);
  assert.strictEqual(suites.name, 'testsuites');
  for (const suite of suites.children) {
    assert.strictEqual(suite.name, 'testsuite');
    for (const key of ['name', 'tests', 'failures', 'errors', 'skipped', 'time']) assert.ok(key in suite.attributes, key);
    const cases = suite.children;
    const having = (name) => cases.filter((each) => each.children.some((child) => child.name === name)).length;
    assert.deepStrictEqual([suite.attributes.tests, suite.attributes.failures, suite.attributes.errors, suite.attributes.skipped].map(Number),
      [cases.length, having('failure'), having('error'), having('skipped')]);
    for (const { name, attributes, children } of cases) {
      assert.strictEqual(name, 'testcase');
      assert.deepStrictEqual(Object.keys(attributes).sort(), ['classname', 'name', 'time']);
      assert.match(attributes.time, /^\d+(\.\d+)?$/);
      assert.ok(children.length <= 1);
      for (const child of children) assert.ok(['failure', 'error', 'skipped'].includes(child.name) && typeof child.attributes.message === 'string');
    }
  }
  return suites.children[0].children;
}

// By the schema of SARIF 2.1.0: what is required, the types, and no property that it does not know.
function checkSarif(text) {
  const log = JSON.parse(text);
  const only = (object, ...names) => assert.deepStrictEqual(Object.keys(object).filter((name) => !names.includes(name)), []);
  only(log, '$schema', 'version', 'runs');
  assert.strictEqual(log.version, '2.1.0');
  const [run] = log.runs;
  only(run, 'tool', 'invocations', 'columnKind', 'originalUriBaseIds', 'automationDetails', 'results');
  only(run.tool.driver, 'name', 'rules');
  for (const rule of run.tool.driver.rules) only(rule, 'id', 'name', 'shortDescription', 'fullDescription', 'defaultConfiguration');
  for (const invocation of run.invocations) {
    only(invocation, 'executionSuccessful', 'exitCode', 'toolExecutionNotifications');
    assert.strictEqual(typeof invocation.executionSuccessful, 'boolean');
    for (const { level, message } of invocation.toolExecutionNotifications) assert.ok(level === 'error' && message.text !== '');
  }
  for (const result of run.results) {
    only(result, 'ruleId', 'ruleIndex', 'level', 'message', 'locations', 'relatedLocations', 'partialFingerprints', 'suppressions');
    assert.strictEqual(run.tool.driver.rules[result.ruleIndex].id, result.ruleId);
    assert.ok(result.message.text !== '' && Object.values(result.partialFingerprints).every((value) => /^[0-9a-f]{16}$/.test(value)));
    for (const location of [...result.locations, ...result.relatedLocations]) {
      only(location, 'id', 'physicalLocation', 'message');
      const { artifactLocation: { uri, uriBaseId }, region: { startLine } } = location.physicalLocation;
      assert.ok(Number.isInteger(startLine) && startLine >= 1);
      assert.ok(!uri.startsWith('/') && decodeURIComponent(uri) !== '' && run.originalUriBaseIds[uriBaseId] !== undefined, uri);
    }
    for (const { kind, justification } of result.suppressions ?? []) assert.ok(kind === 'external' && typeof justification === 'string');
  }
  return run;
}

// A command of a job's log on GitHub, unescaped.
function readAnnotations(text) {
  const plain = (value) => value.replace(/%2C/g, ',').replace(/%3A/g, ':').replace(/%0D/g, '\r').replace(/%0A/g, '\n').replace(/%25/g, '%');
  return text.split('\n').slice(0, -1).map((line) => {
    const [, level, properties, words] = /^::(error|notice) ([^:]*)::([^\r]*)$/.exec(line) ?? assert.fail(line);
    const list = properties.split(',').map((each) => /^(\w+)=([^,:]*)$/.exec(each) ?? assert.fail(line));
    return { level, text: plain(words), ...Object.fromEntries(list.map(([, name, value]) => [name, plain(value)])) };
  });
}

test('one search writes all formats, each as its readers want it', () => {
  const folder = fs.mkdtempSync(path.join(scratch, 'formats-'));
  fs.copyFileSync(cache, path.join(folder, 'cache.js'));
  const found = fuzz(['--format=text,json:r.json,junit:r.xml,sarif:r.sarif,github:r.txt', '-o', folder, 'cache.js'], { cwd: folder, env: { ...process.env, GITHUB_WORKSPACE: folder } });
  assert.strictEqual(found.status, 1, found.stdout + found.stderr);
  assert.match(found.stdout, /connected twice[^]*to see it again/);
  const read = (name) => fs.readFileSync(path.join(folder, name), 'utf8');
  const { finds, ...whole } = JSON.parse(read('r.json'));
  assert.strictEqual(whole.exitCode, 1);
  assert.strictEqual(finds.length, 1);
  assert.deepStrictEqual(finds[0].location, { file: 'cache.js', line: 23 });
  assert.deepStrictEqual([finds[0].early.name, finds[0].late.name, finds[0].late.line], ['later', 'onSettings', 15]);
  const [tried, failed] = checkJunit(read('r.xml'));
  assert.match(tried.attributes.name, /^\d+ schedules$/);
  assert.match(failed.children[0].text, /connected twice[^]*to see it again: rota fuzz --replay=\S+\.schedule SCRIPT/);
  const [result] = checkSarif(read('r.sarif')).results;
  assert.strictEqual(result.locations[0].physicalLocation.artifactLocation.uri, 'cache.js');
  assert.strictEqual(result.partialFingerprints['rotaFind/v1'], finds[0].id);
  const [annotation] = readAnnotations(read('r.txt'));
  assert.deepStrictEqual([annotation.level, annotation.file, annotation.line], ['error', 'cache.js', '23']);
  assert.match(annotation.title, /a race: it exits with 1: AssertionError \[ERR_ASSERTION\]: connected twice/);
  assert.match(annotation.text, /\nundisturbed: onSettings \(\S*cache\.js:15\), later/);
});

test('a format without a file has the output; people read the other stream', () => {
  const found = fuzz(['--format=json', '--no-page', cache]);
  assert.strictEqual(JSON.parse(found.stdout).finds.length, 1);
  assert.match(found.stderr, /connected twice[^]*one differs/);
  const none = fuzz(['--format=junit', '--seeds=5', fixed]);
  assert.strictEqual(none.status, 0);
  assert.strictEqual(checkJunit(none.stdout).length, 1);
  assert.match(fuzz(['--format=json,junit', cache]).stderr, /only one of them goes to the output/);
  assert.match(fuzz(['--format=html', cache]).stderr, /must be of text, json, junit, sarif, github/);
  assert.match(fuzz([`--format=json:${cache}/x`, cache]).stderr, /--format gives another directory/);
  assert.match(fuzz(['--count', '--format=json', cache]).stderr, /--count only counts/);
});

test('whatever the program prints is escaped, and control characters are left out', () => {
  const folder = fs.mkdtempSync(path.join(scratch, 'odd, 100% & <odd>-'));
  fs.writeFileSync(path.join(folder, 'a,b c%.js'), `
    const fs = require('fs');
    let order = '';
    for (const name of 'ab') fs.stat('/', () => { order += name; if (order === 'ba') throw new Error(']]> <b> & "q" \\u0000\\u0007 100%25,\\r::warning::x'); });`);
  const found = fuzz(['--format=junit:r.xml,sarif:r.sarif,github:r.txt', '-o', folder, 'a,b c%.js'], { cwd: folder, env: { ...process.env, GITHUB_WORKSPACE: folder } });
  assert.strictEqual(found.status, 1, found.stdout + found.stderr);
  const read = (name) => fs.readFileSync(path.join(folder, name), 'utf8');
  assert.match(checkJunit(read('r.xml'))[1].children[0].text, /\]\]> <b> & "q"/);
  assert.ok(checkSarif(read('r.sarif')).results.length >= 1);
  const annotations = readAnnotations(read('r.txt'));
  assert.strictEqual(annotations.length, 1);
  assert.strictEqual(annotations[0].file, 'a,b c%.js');
  assert.match(annotations[0].text, /100%25,\r?::warning::x/);
});

test('secrets and the command line stay out of reports', () => {
  const script = scriptOf('secret.js', `
    const fs = require('fs');
    let order = '';
    for (const name of 'ab') fs.stat('/', () => { order += name; if (order === 'ba') throw new Error('for ' + process.env.DEPLOY_TOKEN); });`);
  const env = { ...process.env, DEPLOY_TOKEN: 'hush-hush-4711' };
  const args = ['-o', scratch, script, '--password=open-sesame'];
  for (const format of ['json', 'junit', 'sarif', 'github']) {
    const { stdout, status } = fuzz([`--format=${format}`, ...args], { env });
    assert.strictEqual(status, 1);
    assert.doesNotMatch(stdout, /hush-hush|open-sesame/);
    assert.match(stdout, /for \*\*\*/);
  }
  const asked = fuzz(['--format=json', '--show-command', ...args], { env }).stdout;
  assert.match(asked, /open-sesame/);
  assert.doesNotMatch(asked, /hush-hush/);
});

// ---- what is accepted, and exit codes ----

test('what is in the baseline is told, and is no failure; anything else is', () => {
  const baseline = path.join(scratch, 'accepted.json');
  assert.match(fuzz([`--baseline=${baseline}`, cache]).stderr, /accepted\.json: no such file/);
  const added = fuzz([`--baseline=${baseline}`, '--accept', cache]);
  assert.strictEqual(added.status, 0, added.stdout + added.stderr);
  assert.match(added.stdout, /^Added to \S*accepted\.json: it exits with 1: .*connected twice \(run [a-z]+-\d+\)$/m);
  const { accepted } = JSON.parse(fs.readFileSync(baseline, 'utf8'));
  assert.strictEqual(accepted.length, 1);
  accepted[0].why = 'known since spring';
  fs.writeFileSync(baseline, JSON.stringify({ accepted }));
  const again = fuzz([`--baseline=${baseline}`, '--seeds=12', '--format=junit:a.xml,sarif:a.sarif,github:a.txt', cache]);
  assert.strictEqual(again.status, 0, again.stdout + again.stderr);
  assert.match(again.stdout, /^Accepted by /m);
  assert.match(checkJunit(fs.readFileSync(path.join(scratch, 'a.xml'), 'utf8'))[1].children[0].attributes.message, /^accepted: known since spring/);
  assert.strictEqual(checkSarif(fs.readFileSync(path.join(scratch, 'a.sarif'), 'utf8')).results[0].suppressions[0].justification, 'known since spring');
  assert.strictEqual(readAnnotations(fs.readFileSync(path.join(scratch, 'a.txt'), 'utf8'))[0].level, 'notice');
  const other = scriptOf('cache.js', fs.readFileSync(cache, 'utf8').replace('connected twice', 'another one'));
  assert.strictEqual(fuzz([`--baseline=${baseline}`, other]).status, 1);
  fs.writeFileSync(baseline, '{}');
  const bad = fuzz([`--baseline=${baseline}`, cache]);
  assert.match(bad.stderr, /accepted\.json is not a baseline/);
  assert.strictEqual(bad.status, 2);
  assert.match(fuzz(['--accept', cache]).stderr, /which file/);
});

test('exit codes: 0 nothing, 1 a find, 2 it could not be tried, 9 the command line', () => {
  assert.strictEqual(fuzz(['--seeds=3', fixed]).status, 0);
  assert.strictEqual(fuzz(['--no-page', cache]).status, 1);
  const fails = scriptOf('fails.js', 'process.exit(7)'), crashes = scriptOf('crashes.js', 'process.abort()'), text = scriptOf('text', 'no program');
  for (const args of [[fails], [crashes], ['--', text], ['--', path.join(scratch, 'none')]]) {
    const found = fuzz(['--seeds=2', '--format=junit', ...args]);
    assert.strictEqual(found.status, 2, found.stdout + found.stderr);
    assert.strictEqual(checkJunit(found.stdout)[0].children[0].name, 'error');
    assert.strictEqual(checkSarif(fuzz(['--seeds=2', '--format=sarif', ...args]).stdout).invocations[0].executionSuccessful, false);
  }
  assert.strictEqual(fuzz(['--shard=9', cache]).status, 9);
});

// ---- going on ----

const waitFor = async (what) => { for (let i = 0; i < 600 && !what(); i++) await new Promise((resolve) => setTimeout(resolve, 100)); assert.ok(what()); };

for (const signal of ['SIGTERM', 'SIGKILL'])
  test(`a search that was stopped by ${signal} goes on where it was`, async () => {
    const state = fs.mkdtempSync(path.join(scratch, 'state-')), file = path.join(state, 'worker-2of3.json'), report = path.join(state, 'r.json');
    const args = ['fuzz', '--budget=1h', '--shard=2/3', `--state=${state}`, `--format=json:${report}`, '-o', scratch, path.join(races, 'fixed', 'worker.js')];
    const nextIn = () => { try { return JSON.parse(fs.readFileSync(file, 'utf8')).next ?? 0; } catch { return 0; } };
    const child = spawn(rota, args, { stdio: 'ignore' });
    await waitFor(() => nextIn() > 9);
    child.kill(signal);
    const [code] = await new Promise((resolve) => child.on('exit', (...how) => resolve(how)));
    assert.strictEqual(code, signal === 'SIGTERM' ? 143 : null);
    const stopped = nextIn();
    if (signal === 'SIGTERM') {
      const { isInterrupted, tried, why } = JSON.parse(fs.readFileSync(report, 'utf8'));
      assert.ok(isInterrupted && tried > 0 && why === 'it was stopped');
    }
    const again = run(rota, args.map((word) => (word === '--budget=1h' ? '--seeds=30' : word)), { timeout: 100000 });
    assert.strictEqual(again.status, 0, again.stdout + again.stderr);
    assert.ok(nextIn() > stopped && nextIn() <= stopped + 100, `${stopped}, then ${nextIn()}`);
  });

finish();
