// Colours, from an ES module.
import chalk, { Chalk, supportsColor } from 'chalk';
const colours = new Chalk({ level: 3 });
console.log(JSON.stringify(colours.red.bold('x') + colours.hex('#123456')('y') + colours.bgBlue.underline('z')));
console.log(chalk.level, supportsColor, chalk.green('no terminal, no colour'));
