'use strict';
// What `make run` says at its end: what to try next, with the commands as they work here. NO_COLOR and output that goes elsewhere have no colours.

const fs = require('node:fs');
const path = require('node:path');

const build = process.argv[2] ?? 'build';
const rota = path.join(build, 'bin', 'rota');
const colours = process.stdout.isTTY && process.stdout.hasColors?.() && !process.env.NO_COLOR;
const bold = (text) => (colours ? `\x1b[1m${text}\x1b[0m` : text);
const hasNode = (process.env.PATH ?? '').split(':').some((place) => fs.existsSync(path.join(place, 'node')));

const lines = [
  [`${rota} --timeline=page.html examples/timeline.js`, 'a page of every callback; open page.html'],
  [`${rota} fuzz examples/step_by_step/account.js`, 'finds a race: examples/README.md goes on with it'],
  [`${rota} --watchdog=50 examples/blocked.js`, 'names what blocks the loop'],
  hasNode ? [`${rota} timeline -o page.html -- node app.js`, 'the same page for your own Node program'] : [`${rota} doctor -- node`, 'your own Node, when you have one: can it be shown, too?'],
  [`${build}/examples/ticks`, 'ticks and microtasks, in C'],
  ['make book', `the book of the loop: ${build}/book/index.html`],
  [`${rota} --help`, 'all commands; rota help COMMAND has examples'],
];
const width = Math.max(...lines.map(([command]) => command.length));
console.log(`\n${bold('What to try next')}`);
for (const [command, words] of lines) console.log(`  ${bold(command.padEnd(width))}  ${words}`);
