'use strict';

// node:repl. A server is a readline interface whose lines are collected until they are a complete program,
// which is then evaluated in its context; its value is shown. While an evaluation awaits, later lines are
// queued; the loop goes on.

const vm = require('vm');
const util = require('util');
const readline = require('readline');
const { Console } = require('console');
const { AsyncLocalStorage } = require('async_hooks');
const Module = require('module');
const { codes, E } = require('internal/errors');
const { validateFunction } = require('internal/validators');
const { dynamicImports, isUnfinished, asExpression, withAwait, withVariables } = require('internal/repl/text');
const { Completer } = require('internal/repl/completer');
const { commandsFor, MissingFile } = require('internal/repl/commands');

E('ERR_INVALID_REPL_EVAL_CONFIG', 'Cannot specify both "breakEvalOnSigint" and "eval" for REPL', TypeError);
E('ERR_INVALID_REPL_INPUT', '%s', TypeError);

const REPL_MODE_SLOPPY = Symbol('repl-sloppy');
const REPL_MODE_STRICT = Symbol('repl-strict');
const kContinuation = '| ';

const kNoModule = 'Cannot use import statement outside a module';
const kAdvice = 'Cannot use import statement inside the Node.js REPL, alternatively use dynamic import: ';

// An import statement gives a message that says what to type instead.
function withAdvice(error, code) {
  if (error?.message !== kNoModule) return error;
  const instead = dynamicImports(code);
  if (!instead) return error;
  const { stack } = error;
  error.message = `${kAdvice}${instead}`;
  error.stack = stack.replace(kNoModule, () => error.message);
  return error;
}

class Recoverable extends SyntaxError {
  constructor(err) {
    super();
    this.err = err;
  }
}

const writer = (value) => util.inspect(value, writer.options);
writer.options = { ...util.inspect.defaultOptions, showProxy: true };

// ---- whether the failing code is the program's ----

const owners = new AsyncLocalStorage();
let watching = false;

function watchFailures() {
  if (watching) return;
  watching = true;
  require('internal/process/execution').setDomainHandler((error) => {
    const server = owners.getStore();
    if (server === undefined || process.listenerCount('uncaughtException') > 0) return false;
    server._showFailure(error);
    return true;
  });
}

let evaluations = 0;

class REPLServer extends readline.Interface {
  static MissingFile = MissingFile;

  #pending = ''; // lines that are no complete program yet
  #editing = false;
  #interrupted = false;
  #busy = false;
  #queue = [];
  #prompt;
  #completer;
  #strict;
  #closing = false;

  constructor(prompt, stream, evaluate, useGlobal, ignoreUndefined, replMode) {
    const options =
      prompt !== null && typeof prompt === 'object'
        ? { ...prompt }
        : {
            prompt,
            eval: evaluate,
            useGlobal,
            ignoreUndefined,
            replMode,
            ...(stream?.stdin && stream.stdout
              ? { input: stream.stdin, output: stream.stdout }
              : stream
                ? { input: stream, output: stream }
                : {}),
          };
    if (options.eval !== undefined && options.eval !== null && typeof options.eval !== 'function')
      validateFunction(options.eval, 'eval');
    if (options.breakEvalOnSigint && options.eval) throw new codes.ERR_INVALID_REPL_EVAL_CONFIG();
    const input = options.input ?? options.stream ?? process.stdin;
    const output = options.output ?? options.stream ?? process.stdout;
    const shown = options.prompt ?? '> ';
    super({
      input,
      output,
      prompt: shown,
      terminal: options.terminal ?? output.isTTY,
      historySize: options.historySize ?? 1000,
      completer: (line, callback) => this.completer(line, callback),
    });
    this.#prompt = shown;
    this.#strict = options.replMode === REPL_MODE_STRICT;
    this.replMode = options.replMode ?? REPL_MODE_SLOPPY;
    this.useGlobal = Boolean(options.useGlobal);
    this.ignoreUndefined = Boolean(options.ignoreUndefined);
    this.breakEvalOnSigint = Boolean(options.breakEvalOnSigint);
    this.useColors = options.useColors ?? Boolean(this.terminal && output.isTTY && output.hasColors?.());
    this.inputStream = input;
    this.outputStream = output;
    this.writer = options.writer ?? writer;
    this.eval = options.eval ?? ((code, context, file, done) => this.#evaluate(code, file, done));
    this.lines = [];
    this.lines.level = [];
    this.last = undefined;
    this.lastError = undefined;
    this.underscoreAssigned = false;
    this.underscoreErrAssigned = false;
    this.commands = commandsFor(this.terminal);
    const finder = new Completer(this);
    this.#completer = options.completer ?? ((line, callback) => callback(null, finder.find(line)));
    this.completer = (line, callback) => this.#completeLine(line, callback);
    this.resetContext();
    watchFailures();
    this.on('line', (line) => this.#onLine(line));
    this.on('SIGINT', () => this.#onInterrupt());
    this.on('close', () => {
      if (!this.#busy) this.emit('exit');
      else this.#closing = true;
    });
    this.displayPrompt();
  }

  // ---- the context ----

  createContext() {
    if (this.useGlobal) return globalThis;
    const context = vm.createContext();
    const builtin = new Set(vm.runInContext('Object.getOwnPropertyNames(globalThis)', context));
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      if (!builtin.has(name)) Object.defineProperty(context, name, Object.getOwnPropertyDescriptor(globalThis, name));
    }
    context.global = context;
    const own = new Console(this.output);
    Object.defineProperty(context, 'console', {
      __proto__: null,
      value: own,
      configurable: true,
      writable: true,
      enumerable: false,
    });
    return context;
  }

  resetContext() {
    this.context = this.createContext();
    this.underscoreAssigned = false;
    this.underscoreErrAssigned = false;
    this.last = undefined;
    this.lines = [];
    this.lines.level = [];
    const module = new Module('<repl>');
    module.paths = Module._nodeModulePaths(process.cwd());
    module.filename = null;
    const { context } = this;
    for (const [name, value] of [
      ['module', module],
      ['exports', module.exports],
      ['require', Module.createRequire(`${process.cwd()}/<repl>`)],
    ]) {
      Object.defineProperty(context, name, {
        __proto__: null,
        value,
        configurable: true,
        writable: true,
        enumerable: false,
      });
    }
    for (const id of Module.builtinModules) {
      if (/[/:_]/.test(id) || Object.hasOwn(context, id)) continue;
      const put = (value) =>
        Object.defineProperty(context, id, {
          __proto__: null,
          value,
          configurable: true,
          writable: true,
          enumerable: true,
        });
      Object.defineProperty(context, id, {
        __proto__: null,
        get() {
          const loaded = module.require(id);
          put(loaded);
          return loaded;
        },
        set: put,
        configurable: true,
        enumerable: false,
      });
    }
    this.#remember('_', 'last', 'underscoreAssigned', 'Expression assignment to _ now disabled.\n');
    this.#remember('_error', 'lastError', 'underscoreErrAssigned', 'Expression assignment to _error now disabled.\n');
    this.emit('reset', context);
  }

  // `_` is the last value until the program takes the name for itself.
  #remember(name, field, flag, notice) {
    Object.defineProperty(this.context, name, {
      __proto__: null,
      configurable: true,
      get: () => this[field],
      set: (value) => {
        this[field] = value;
        if (this[flag]) return;
        this[flag] = true;
        this.output.write(notice);
      },
    });
  }

  // ---- lines ----

  #onLine(line) {
    const text = line ?? '';
    this.#interrupted = false;
    if (this.#busy) this.#queue.push(text);
    else this.#take(text);
  }

  #take(line) {
    if (this.#editing) {
      this.#pending += `${line}\n`;
      const indent = /^\s+/.exec(line)?.[0];
      if (indent !== undefined && this.terminal && !this._moreFollows) this.write(indent);
      return;
    }
    const command = /^\s*\.([^\s\d.][^\s]*)\s*(.*)$/.exec(line);
    if (command !== null && Number.isNaN(Number.parseFloat(line))) {
      const found = this.commands[command[1]];
      if (found !== undefined) {
        found.action.call(this, command[2].trimEnd());
        return;
      }
      if (this.#pending === '') {
        this.output.write('Invalid REPL keyword\n');
        this.displayPrompt();
        return;
      }
    }
    this.#run(`${this.#pending}${line}\n`, line);
  }

  #run(code, line) {
    this.#busy = true;
    let called = false;
    const done = (error, value) => {
      if (called) return;
      called = true;
      this.#busy = false;
      this.#finish(error, value, code, line);
      if (this.#closing) {
        this.#closing = false;
        this.emit('exit');
      }
      while (this.#queue.length > 0 && !this.#busy && !this.closed) this.#take(this.#queue.shift());
    };
    try {
      owners.run(this, () => this.eval(code, this.context, `REPL${++evaluations}`, done));
    } catch (error) {
      done(error);
    }
    // An evaluator of the program may never call back; only ours makes lines wait.
    if (!called && !this.#awaiting) this.#busy = false;
  }

  #awaiting = false;

  #finish(error, value, code, line) {
    if (error instanceof Recoverable) {
      this.#pending = code;
      if (line !== undefined && line !== '') this.lines.push(line);
      this.displayPrompt();
      return;
    }
    this.#pending = '';
    if (line !== undefined) {
      if (line !== '') this.lines.push(line);
    } else {
      this.lines.push(...code.split('\n'));
    }
    if ((error !== null && error !== undefined) || (error !== null && value === kThrown)) {
      this._showFailure(error);
      return;
    }
    if (value !== undefined || !this.ignoreUndefined) {
      if (!this.underscoreAssigned) this.last = value;
      this.output.write(`${this.#shown(value)}\n`);
    }
    if (!this.closed) this.displayPrompt();
  }

  #shown(value) {
    if (this.writer === writer) return util.inspect(value, { ...writer.options, colors: this.useColors });
    return this.writer(value);
  }

  _showFailure(error) {
    if (!this.underscoreErrAssigned) this.lastError = error;
    let text;
    if (util.types.isNativeError(error)) {
      text = failureText(error, (value) => this.#shown(value));
    } else {
      text = this.#shown(error);
    }
    const isLong =
      typeof error === 'object' && error !== null && !util.types.isNativeError(error) && text.includes('\n');
    const lead = isLong || error?.message?.startsWith?.(kAdvice) ? 'Uncaught:\n' : 'Uncaught ';
    const syntax = /^(REPL\d+:\d+\n)([^]*?\n\s*\^+\n\n)([^]*)$/.exec(text);
    this.output.write(syntax !== null ? `${syntax[2]}${lead}${syntax[3].split('\n')[0]}\n` : `${lead}${text}\n`);
    this.clearBufferedCommand();
    if (!this.closed) this.displayPrompt();
  }

  // ---- evaluation ----

  #compileAndRun(code, file) {
    const script = new vm.Script(this.#strict ? `'use strict'; ${code}` : code, { filename: file });
    return this.useGlobal ? script.runInThisContext() : script.runInContext(this.context);
  }

  _evaluateQuietly(code) {
    return this.useGlobal ? vm.runInThisContext(code) : vm.runInContext(code, this.context);
  }

  #evaluate(code, file, done) {
    if (code === '\n') {
      done(null);
      return;
    }
    const whole = asExpression(code) ?? code;
    const waits = withAwait(whole);
    if (waits !== undefined) {
      this.#await(waits, file, done);
      return;
    }
    let value;
    try {
      value = this.#compileAndRun(withVariables(whole), file);
    } catch (error) {
      if (error?.name === 'SyntaxError' && isUnfinished(whole)) done(new Recoverable(error));
      else done(withAdvice(error, whole), kThrown);
      return;
    }
    done(null, value);
  }

  #await({ names, code }, file, done) {
    this.#awaiting = true;
    const end = (error, value) => {
      this.#awaiting = false;
      done(error, value);
    };
    let promise;
    try {
      if (names.length > 0) this.#compileAndRun(`var ${names.join(', ')};`, file);
      promise = this.#compileAndRun(code, file);
    } catch (error) {
      end(error, kThrown);
      return;
    }
    promise.then(
      (result) => end(null, result?.value),
      (error) => end(error, kThrown),
    );
  }

  // ---- prompts, editor, interruption ----

  displayPrompt(preserveCursor) {
    if (this.closed) return;
    if (this.#editing) {
      super.setPrompt('');
      return;
    }
    super.setPrompt(this.#pending === '' ? this.#prompt : kContinuation);
    this.prompt(preserveCursor);
  }

  setPrompt(prompt) {
    this.#prompt = prompt;
    super.setPrompt(prompt);
  }

  getPrompt() {
    return this.#prompt;
  }

  clearBufferedCommand() {
    this.#pending = '';
  }

  _enterEditor() {
    this.#editing = true;
    this.output.write('// Entering editor mode (Ctrl+D to finish, Ctrl+C to cancel)\n');
    super.setPrompt('');
  }

  #leaveEditor() {
    this.#editing = false;
    super.setPrompt(this.#prompt);
  }

  _loadText(text) {
    if (this.terminal) this.output.write(`${text}\n`);
    this.#run(text.replace(/\n?$/, '\n'));
  }

  #onInterrupt() {
    const empty = this.line.length === 0;
    this.clearLine();
    const fresh = this.#pending === '' && empty;
    if (this.#editing) this.#leaveEditor();
    if (fresh) {
      if (this.#interrupted) {
        this.close();
        return;
      }
      this.output.write('(To exit, press Ctrl+C again or Ctrl+D or type .exit)\n');
      this.#interrupted = true;
    }
    this.clearBufferedCommand();
    this.displayPrompt();
  }

  _ttyWrite(text, key) {
    const pressed = key ?? {};
    if (this.#editing && pressed.ctrl && pressed.name === 'd') {
      const code = this.#pending + this.line;
      if (this.line.trim() !== '') this._addHistory();
      this.clearLine();
      this.#leaveEditor();
      this.#pending = '';
      if (code.trim() === '') this.displayPrompt();
      else this.#run(`${code.replace(/\n?$/, '\n')}`);
      return;
    }
    super._ttyWrite(text, pressed);
  }

  // ---- public methods ----

  defineCommand(keyword, command) {
    const entry = typeof command === 'function' ? { action: command } : command;
    validateFunction(entry.action, 'cmd.action');
    this.commands[keyword] = entry;
  }

  complete(...args) {
    this.completer(...args);
  }

  #completeLine(line, callback) {
    const answer = (error, result) => {
      if (error || !this.#editing) {
        callback(error, result);
        return;
      }
      // The editor mode shows no lists.
      const [words, on] = result;
      const { commonStart } = require('internal/readline/completion');
      const start = commonStart(words.filter((word) => word !== '' && word.startsWith(on)));
      callback(null, start === '' ? [[], on] : [[start], on]);
    };
    if (this.#completer.length > 1) this.#completer.call(this, line, answer);
    else answer(null, this.#completer.call(this, line));
  }

  // It ends in the next tick, as in Node: ticks that were queued before still run, and so do lines that came with the
  // one that ends it.
  close() {
    process.nextTick(() => super.close());
  }

  setupHistory(file, callback) {
    const options = typeof file === 'object' && file !== null ? file : { filePath: file };
    validateFunction(callback ?? options.onHistoryFileLoaded, 'callback');
    const { attach, defaultFile } = require('internal/repl/main');
    attach(this, options.filePath ?? defaultFile(), callback ?? options.onHistoryFileLoaded);
  }
}

const kThrown = Symbol('thrown');

// An error with the program's own frames only.
function failureText(error, show) {
  const stack = error.stack;
  if (typeof stack === 'string') {
    const lines = stack.split('\n');
    const inner = lines.findIndex((line) =>
      /^\s+at .*\(?node:|^\s+at REPL\d+:\d+:\d+$|^\s+at new Script \(node:vm/.test(line),
    );
    if (inner !== -1) {
      try {
        Object.defineProperty(error, 'stack', {
          __proto__: null,
          value: lines.slice(0, inner).join('\n'),
          writable: true,
          configurable: true,
        });
      } catch {
        // a frozen error is shown as it is
      }
    }
  }
  const text = show(error);
  return /^\[[^]*\]$/.test(text) && (!text.includes('\n') || /^\[REPL\d/.test(text)) ? text.slice(1, -1) : text;
}

function start(...args) {
  return new REPLServer(...args);
}

const builtinModules = () => Module.builtinModules.filter((id) => !id.startsWith('_') && !id.includes('/'));

module.exports = {
  start,
  writer,
  REPLServer,
  REPL_MODE_SLOPPY,
  REPL_MODE_STRICT,
  Recoverable,
  isValidSyntax: (code) => !isUnfinished(code),
};
for (const name of ['builtinModules', '_builtinLibs']) {
  Object.defineProperty(module.exports, name, {
    __proto__: null,
    get: builtinModules,
    set() {},
    enumerable: name === 'builtinModules',
    configurable: true,
  });
}
