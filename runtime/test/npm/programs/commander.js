// Options, arguments, an error, and the help text.
const { Command } = require('commander');
const program = new Command('program').exitOverride().configureOutput({ writeErr: (text) => console.log('err:', text.trim()) });
program.option('-n, --number <n>', 'a number', Number).argument('[word]', 'a word').action((word, options) => console.log(word, options));
program.command('sub <what>').description('does something').action((what) => console.log('sub', what));
program.parse(['node', 'program', '-n', '5', 'hello']);
program.parse(['node', 'program', 'sub', 'it']);
try {
  program.parse(['node', 'program', '--bogus']);
} catch (error) {
  console.log(error.code, error.exitCode);
}
console.log(program.helpInformation());
