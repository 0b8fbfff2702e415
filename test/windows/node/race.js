let text;
require('fs').readFile(__filename, () => (text = 'read'));
setTimeout(() => {
  if (text !== undefined) return;
  console.log('not read');
  process.exitCode = 1;
}, 5);
