'use strict';

// NODE_OPTIONS holds as the command line does, also for what a thread may be; and what is told because of it.
const { spawnSync } = require('child_process');
const { Worker } = require('worker_threads');

function child(options, code, ...args) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [...args, '-e', code], { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: options } });
  return { stdout: stdout.trim(), stderr, status };
}

if (process.argv[2] !== 'threads') {
  const seen = child('--no-deprecation --stack-trace-limit=3 --title=named --dns-result-order=ipv4first --max-http-header-size=1234 "--conditions=a b"', `
    console.log(process.noDeprecation, Error.stackTraceLimit, process.title, require('dns').getDefaultResultOrder(), require('http').maxHeaderSize);
    console.log(process.execArgv.length > 0 && process.execArgv.includes('--no-deprecation'));
    process.env.NODE_OPTIONS = '--insecure-http-parser --trace-exit';
    process.exit();
  `);
  console.log(seen);

  const traced = child('--trace-exit', 'function bye() { process.exit(3); } bye();');
  console.log(traced.status, traced.stderr.replace(/:\d+\) /, ':PID) ').split('\n')[0], /at bye/.test(traced.stderr));

  for (const section of ['http', 'http2', 'net']) {
    const { stderr } = spawnSync(process.execPath, ['-e', `require('util').debuglog('${section}')('told')`],
      { encoding: 'utf8', env: { ...process.env, NODE_DEBUG: section } });
    console.log(stderr.replaceAll(/ \d+: | \(node:\d+\)/g, ' PID: ').replaceAll(/^\(node:\d+\)/gm, '(node)').split('\n').filter((line) => line !== '' && !line.startsWith('(Use')));
  }

  const exchange = spawnSync(process.execPath, ['-e', `
    const http = require('http');
    const server = http.createServer((req, res) => res.end()).listen(0, () => http.get({ port: server.address().port, agent: false }, (res) => {
      res.resume().on('close', () => server.close());
    }));`], { encoding: 'utf8', env: { ...process.env, NODE_DEBUG: 'http' } });
  console.log(/^HTTP \d+: /m.test(exchange.stderr), exchange.status);

  console.log(spawnSync(process.execPath, [__filename, 'threads'], { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '--title=same' } }).stdout);
} else {
  const cases = [
    [['--']], [['--', '--unknown']], [['--title=a']], [['--no-warnings']], [['word']], [['--no-warnings', 'word']], [['-r']], [['--expose-gc']],
    [undefined, '--title=other'], [undefined, '--title=same'], [undefined, '--unknown'], [undefined, '--no-deprecation'],
  ];
  (async () => {
    for (const [execArgv, options] of cases) {
      const env = options === undefined ? undefined : { ...process.env, NODE_OPTIONS: options };
      try {
        const worker = new Worker("require('worker_threads').parentPort.postMessage([process.execArgv, process.noDeprecation])", { eval: true, execArgv, env });
        const answer = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
        console.log(execArgv, options, '->', answer);
      } catch (error) {
        console.log(execArgv, options, error.code, error.message);
      }
    }
    // Taken away: the thread ends with a code of its own, and its maker hears of no error.
    new Worker('process._fatalException = undefined; throw new Error("told on stderr");', { eval: true }).on('error', () => console.log('no error'))
      .on('exit', (code) => console.log('exit', code));
  })();
}
