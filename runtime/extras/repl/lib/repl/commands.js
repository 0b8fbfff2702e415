'use strict';

// The commands that begin with a dot.

const fs = require('fs');

function say(server, text) {
  server.output.write(`${text}\n`);
}

const commands = {
  break: {
    help: 'Sometimes you get stuck, this gets you out',
    action() {
      this.clearBufferedCommand();
      this.displayPrompt();
    },
  },
  clear: {
    help: 'Alias for .break',
    action() {
      this.clearBufferedCommand();
      if (!this.useGlobal) {
        say(this, 'Clearing context...');
        this.resetContext();
      }
      this.displayPrompt();
    },
  },
  exit: {
    help: 'Exit the REPL',
    action() {
      this.close();
    },
  },
  help: {
    help: 'Print this help message',
    action() {
      const names = Object.keys(this.commands).sort();
      const widest = Math.max(...names.map((name) => name.length));
      for (const name of names) {
        const { help } = this.commands[name];
        say(this, help ? `.${name}${' '.repeat(widest - name.length + 3)}${help}` : `.${name}`);
      }
      say(this, '\nPress Ctrl+C to abort current expression, Ctrl+D to exit the REPL');
      this.displayPrompt();
    },
  },
  save: {
    help: 'Save all evaluated commands in this REPL session to a file',
    action(file) {
      try {
        if (file === '') throw new this.constructor.MissingFile();
        fs.writeFileSync(file, this.lines.join('\n'));
        say(this, `Session saved to: ${file}`);
      } catch (error) {
        say(this, error instanceof this.constructor.MissingFile ? error.message : `Failed to save: ${file}`);
      }
      this.displayPrompt();
    },
  },
  load: {
    help: 'Load JS from a file into the REPL session',
    action(file) {
      let text;
      if (file === '') {
        say(this, new this.constructor.MissingFile().message);
      } else {
        try {
          if (!fs.statSync(file).isFile()) say(this, `Failed to load: ${file} is not a valid file`);
          else text = fs.readFileSync(file, 'utf8');
        } catch {
          say(this, `Failed to load: ${file}`);
        }
      }
      if (text === undefined) this.displayPrompt();
      else this._loadText(text);
    },
  },
};

const editor = {
  help: 'Enter editor mode',
  action() {
    this._enterEditor();
  },
};

class MissingFile extends Error {
  constructor() {
    super('The "file" argument must be specified');
  }
}

function commandsFor(terminal) {
  return Object.assign({ __proto__: null }, commands, terminal ? { editor } : {});
}

module.exports = { commandsFor, MissingFile };
