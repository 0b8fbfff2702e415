// A run with what passes, fails, waits and is skipped, reported as JSON without times.
const Mocha = require('mocha');
const assert = require('assert');
const mocha = new Mocha({ reporter: 'min', timeout: 2000 });
const suite = Mocha.Suite.create(mocha.suite, 'a suite');
const add = (name, run) => suite.addTest(new Mocha.Test(name, run));
let before = 0;
suite.beforeEach(() => before++);
add('passes', () => assert.strictEqual(1, 1));
add('waits', async () => new Promise((resolve) => setTimeout(resolve, 5)));
add('calls back', (done) => setImmediate(done));
add('fails', () => assert.deepStrictEqual({ a: 1, b: [1, 2] }, { a: 1, b: [1, 3] }));
add('rejects', async () => { throw new TypeError('no'); });
add('is too slow', function (done) { this.timeout(10); setTimeout(done, 100); });
add('is skipped');
const results = [];
class Quiet {
  constructor(runner) {
    for (const event of ['start', 'suite', 'pass', 'fail', 'pending', 'suite end', 'end']) {
      runner.on(event, (test, error) => results.push([event, test?.title, error?.name, error?.message.split('\n')[0]]));
    }
  }
}
mocha.reporter(Quiet);
mocha.run((failures) => {
  for (const line of results) console.log(...line);
  console.log(failures, 'failed; before each:', before);
});
