// An ES module that awaits cannot be required: the error.
try {
  require('./support/required_await.mjs');
} catch (error) {
  const short = (text) => text.replaceAll(__dirname, '.');
  console.log(error.name, error.code, short(error.message));
  console.log(short(error.stack.split('\n    at ')[0]) === short(`${error.name} [${error.code}]: ${error.message}`));
  console.log(error.requireStack.map(short), Object.keys(error));
}
