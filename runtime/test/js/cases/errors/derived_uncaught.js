// The line that is shown is the one that made the error, not its constructor's.
class Derived extends Error { constructor(message) { super(message); } }
process.on('uncaughtExceptionMonitor', (error) => console.log(error.stack.split('\n')[1].replace(/\(.*[/\\]/, '(')));
function fail() {
  throw new Derived('here');
}
fail();
