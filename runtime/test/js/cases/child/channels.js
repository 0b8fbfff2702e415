// The diagnostics channels of child processes.
const dc = require('node:diagnostics_channel');
const { spawn, execFile } = require('node:child_process');

dc.subscribe('child_process', ({ process: child }) => console.log('made', child.constructor.name, child.pid));
dc.tracingChannel('child_process.spawn').subscribe({
  start: ({ process: child, options }) => console.log('start', child.pid, options.file.replace(process.execPath, '<program>'), options.args.length),
  end: ({ process: child }) => console.log('end', typeof child),
  error: ({ error }) => console.log('error', error.code, error.syscall),
});
spawn(process.execPath, ['-e', '0']).on('close', (code) => {
  console.log(code);
  spawn('no-such-program').on('error', (error) => {
    console.log(error.code);
    execFile(process.execPath, ['-p', '1'], (error, stdout) => console.log(error, stdout));
  });
});
