const { execFile } = require('child_process');
setTimeout(() => {
  execFile(process.execPath, ['-e', 'setTimeout(() => setImmediate(() => {}), 5)'], (error) => {
    if (error) throw error;
  });
}, 5);
