// Runs the program on this process's executable, and prints what it says but for times, stacks and names of machines.
const { spawnSync } = require('node:child_process');
exports.show = (args, options = {}) => {
  const { cwd = __dirname, keep = () => true, env } = options;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', env: { ...process.env, ...env } });
  console.log(`--- ${args.map((each) => each.replace(/\/\S*reports-\w+/, "<folder>")).join(" ")}: ${status}`);
  const text = stdout.replaceAll(__dirname, '<dir>').replace(/\(?\d+(\.\d+)?ms\)/g, '(*ms)').replace(/(duration_ms:?|time=")( ?)\d+(\.\d+)?/g, '$1$2*')
    .replace(/hostname="[^"]*"/g, 'hostname').replace(/timestamp="[^"]*"/g, 'timestamp');
  const lines = text.split('\n').filter((line) => !/^\s+(at )?\S.*(node:|<dir>.*:\d+:\d+\)?( \{)?$|<anonymous>|Promise\.all)/.test(line.replace(/^(\s+location: .*)$/, '')) && !/^\s+(at )?(async )?(<dir>|node:)/.test(line));
  console.log(lines.filter((line) => !/^\s+stack: \|-$/.test(line)).filter(keep).join('\n').trimEnd());
  if (stderr !== '') console.log(`stderr: ${stderr.trimEnd().replaceAll(__dirname, '<dir>')}`);
};
