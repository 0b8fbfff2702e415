'use strict';

// Shows a page: in what $BROWSER names, else by xdg-open. No shell reads the file's name. $BROWSER is a list, separated
// by colons, of commands with arguments; %s in one is the file.

const path = require('path');

function commandsOf(page) {
  const wanted = (process.env.BROWSER ?? '').split(':').filter((each) => each.trim() !== '');
  return [...wanted, 'xdg-open'].map((each) => {
    const words = each.trim().split(/\s+/);
    return words.some((word) => word.includes('%s'))
      ? words.map((word) => word.replaceAll('%s', () => page))
      : [...words, page];
  });
}

// Without waiting for the browser's end. `say` is told if there is none.
function openPage(name, say) {
  const { spawn } = require('child_process');
  const page = path.resolve(name);
  const commands = commandsOf(page);
  const tryNext = () => {
    const command = commands.shift();
    if (command === undefined) {
      say(`no browser was found: set BROWSER, or install xdg-open (xdg-utils). The page is ${page}`);
      return;
    }
    const child = spawn(command[0], command.slice(1), { detached: true, stdio: 'ignore' });
    child.on('error', tryNext);
    child.unref();
  };
  tryNext();
}

module.exports = { openPage };
