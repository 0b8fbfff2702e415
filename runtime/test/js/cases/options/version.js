// The version, asked for in two ways.
const { execFileSync } = require('child_process');
for (const option of ['-v', '--version']) {
  const said = execFileSync(process.execPath, [option, '--no-warnings', 'no-such-file.js'], { encoding: 'utf8' });
  console.log(option, said === `${process.version}\n`);
}
