'use strict';

// Interface: lines from a stream. If the stream is a terminal, its keys go through a table of commands to an editor,
// and a screen shows the line. Any other stream is split at its line ends.

const EventEmitter = require('events');
const { StringDecoder } = require('string_decoder');
const { codes, E } = require('internal/errors');
const {
  validateAbortSignal,
  validateArray,
  validateNumber,
  validateString,
  validateUint32,
} = require('internal/validators');
const { emitKeypressEvents } = require('internal/readline/keys');
const { commandFor, answerOf } = require('internal/readline/commands');
const { Editor, History } = require('internal/readline/editor');
const { Screen, sequences, placeText } = require('internal/readline/screen');

E('ERR_USE_AFTER_CLOSE', '%s was closed', Error);

const kHistorySize = 30;
const kMinCrlfDelay = 100;
const lineEnd = /\r\n|[\n\r\u2028\u2029]/;

// The old form with four arguments, and the options that REPL and promises share.
function settingsOf(input, output, completer, terminal) {
  if (input?.input) return { ...input, given: input };
  return { input, output, completer, terminal, given: {} };
}

class Interface extends EventEmitter {
  #editor = new Editor();
  #screen;
  #history;
  #question; // { answer, prompt before it }
  #paused = false;
  #crAt = 0; // when a carriage return was seen last, in case a line feed belongs to it
  #crlfDelay;
  #completer;
  #tabs = 0;
  #rest = ''; // an unfinished line of a stream that is no terminal
  #decoder;
  #lines;
  #listeners;
  #closeSignal;
  #more = false;
  #shownPrompt;

  constructor(...args) {
    super();
    const settings = settingsOf(...args);
    const { signal, escapeCodeTimeout, tabSize, crlfDelay, history, historySize = kHistorySize } = settings;
    let { completer } = settings;
    if (completer !== undefined && typeof completer !== 'function')
      throw new codes.ERR_INVALID_ARG_VALUE('completer', completer);
    if (history !== undefined) validateArray(history, 'history');
    validateNumber(historySize, 'historySize', 0);
    if (tabSize !== undefined) validateUint32(tabSize, 'tabSize', true);
    if (signal) validateAbortSignal(signal, 'options.signal');
    if (Object.hasOwn(settings.given, 'escapeCodeTimeout') && escapeCodeTimeout !== undefined) {
      if (typeof escapeCodeTimeout !== 'number' || !Number.isFinite(escapeCodeTimeout)) {
        throw new codes.ERR_INVALID_ARG_VALUE('input.escapeCodeTimeout', escapeCodeTimeout);
      }
    }
    this.escapeCodeTimeout = escapeCodeTimeout ?? 500;
    this.tabSize = tabSize ?? 8;
    this.#crlfDelay = crlfDelay ? Math.max(kMinCrlfDelay, crlfDelay) : kMinCrlfDelay;
    this.crlfDelay = this.#crlfDelay;
    this.input = settings.input;
    this.output = settings.output;
    this.terminal = Boolean(settings.terminal ?? this.output?.isTTY);
    this.historySize = historySize;
    this.closed = false;
    this.paused = false;
    this.#history = new History(history ?? [], {
      size: historySize,
      unique: Boolean(settings.removeHistoryDuplicates),
    });
    if (typeof completer === 'function' && completer.length === 2) {
      const callbackStyle = completer;
      completer = (line) =>
        new Promise((resolve, reject) => {
          callbackStyle(line, (error, result) => (error ? reject(error) : resolve(result)));
        });
      completer.direct = callbackStyle;
    }
    this.completer = settings.completer;
    this.#completer = completer;
    this._prompt = `${settings.prompt ?? '> '}`;
    this.#screen = new Screen(
      (text) => this._writeToOutput(text),
      () => this.columns,
    );
    this.#listen();
    if (signal) this.#closeOn(signal);
    this.input.resume();
  }

  // ---- what others look at ----

  get line() {
    return this.terminal ? this.#editor.text : this.#rest;
  }

  set line(text) {
    this.#editor.set(`${text}`, Math.min(this.#editor.cursor, `${text}`.length));
  }

  get cursor() {
    return this.#editor.cursor;
  }

  set cursor(at) {
    this.#editor.cursor = at;
  }

  get history() {
    return this.#history.entries;
  }

  set history(entries) {
    this.#history.entries = entries;
  }

  get historyIndex() {
    return this.#history.index;
  }

  set historyIndex(index) {
    this.#history.index = index;
  }

  get columns() {
    const columns = this.output?.columns;
    return columns === undefined || columns === 0 ? Infinity : columns;
  }

  getPrompt() {
    return this._prompt;
  }

  setPrompt(prompt) {
    this._prompt = `${prompt}`;
  }

  getCursorPos() {
    return this.#screen.place((this.#shownPrompt ?? this._prompt) + this.#editor.text.slice(0, this.#editor.cursor));
  }

  // ---- the streams ----

  #listen() {
    const { input, output } = this;
    const on = [];
    const listen = (emitter, event, listener) => {
      emitter.on(event, listener);
      on.push([emitter, event, listener]);
    };
    this.#listeners = on;
    listen(input, 'error', (error) => this.emit('error', error));
    if (this.terminal) {
      emitKeypressEvents(input, this);
      listen(input, 'keypress', (text, key) => this._ttyWrite(text, key));
      listen(input, 'end', () => {
        if (this.#editor.text !== '') this.#emitLine(this.#editor.text);
        this.close();
      });
      if (typeof input.setRawMode === 'function') input.setRawMode(true);
      if (typeof output?.on === 'function') listen(output, 'resize', () => this._refreshLine());
    } else {
      this.#decoder = new StringDecoder('utf8');
      listen(input, 'data', (chunk) => this.#feed(typeof chunk === 'string' ? chunk : this.#decoder.write(chunk)));
      listen(input, 'end', () => {
        this.#rest += this.#decoder.end();
        const last = this.#rest;
        this.#rest = '';
        if (last !== '') this.#emitLine(last);
        this.close();
      });
    }
  }

  #closeOn(signal) {
    if (signal.aborted) {
      process.nextTick(() => this.close());
      return;
    }
    const onAbort = () => this.close();
    signal.addEventListener('abort', onAbort, { once: true });
    this.#closeSignal = () => signal.removeEventListener('abort', onAbort);
  }

  // Whether the current input was pasted, or typed ahead.
  get _moreFollows() {
    return this.#more;
  }

  keyFollows(more) {
    this.#more = more;
  }

  #feed(text) {
    if (text === '') return;
    if (this.#crAt !== 0 && text[0] === '\n' && Date.now() - this.#crAt <= this.#crlfDelay) text = text.slice(1);
    this.#crAt = 0;
    if (text === '') return;
    if (text.endsWith('\r')) this.#crAt = Date.now();
    const parts = (this.#rest + text).split(lineEnd);
    this.#rest = parts.pop();
    for (const part of parts) this.#emitLine(part);
  }

  #emitLine(line) {
    if (this.#question === undefined) {
      this.emit('line', line);
      return;
    }
    const { answer, prompt } = this.#question;
    this.#question = undefined;
    this._prompt = prompt;
    answer(line);
  }

  // ---- asking ----

  prompt(preserveCursor) {
    this.#checkOpen();
    if (this.#paused) this.resume();
    if (this.terminal && process.env.TERM !== 'dumb') {
      if (!preserveCursor) this.#editor.cursor = 0;
      this._refreshLine();
    } else {
      this._writeToOutput(this._prompt);
    }
  }

  question(query, options, answer) {
    if (typeof options === 'function') [options, answer] = [{}, options];
    if (typeof answer !== 'function') return;
    const signal = options?.signal ?? undefined;
    if (signal === undefined) {
      this._question(query, answer);
      return;
    }
    const { promise } = answerOf(
      signal,
      (take) =>
        this._question(query, (line) => {
          take(line);
          answer(line);
        }),
      () => this._abandonQuestion(),
    );
    promise.catch(() => {}); // a caller of this form gets no error
  }

  _question(query, answer) {
    this.#checkOpen();
    if (this.#question !== undefined) {
      this.prompt();
      return;
    }
    this.#question = { answer, prompt: this._prompt };
    this._prompt = `${query}`;
    this.prompt();
  }

  // The user ends the dialogue.
  _leave() {
    this.close();
  }

  _abandonQuestion() {
    if (this.#question === undefined) return;
    this._prompt = this.#question.prompt;
    this.#question = undefined;
  }

  #checkOpen() {
    if (this.closed) throw new codes.ERR_USE_AFTER_CLOSE('readline');
  }

  // ---- stopping and going on ----

  pause() {
    this.#checkOpen();
    if (this.#paused) return this;
    this.input.pause();
    this.#paused = this.paused = true;
    this.emit('pause');
    return this;
  }

  resume() {
    this.#checkOpen();
    if (!this.#paused) return this;
    this.input.resume();
    this.#paused = this.paused = false;
    this.emit('resume');
    return this;
  }

  close() {
    if (this.closed) return;
    if (!this.#paused) this.pause();
    for (const [emitter, event, listener] of this.#listeners) emitter.removeListener(event, listener);
    if (this.terminal && typeof this.input.setRawMode === 'function') this.input.setRawMode(false);
    this.#closeSignal?.();
    this.closed = true;
    this.emit('close');
  }

  [Symbol.dispose]() {
    this.close();
  }

  // ---- writing ----

  write(text, key) {
    this.#checkOpen();
    if (this.#paused) this.resume();
    if (this.terminal) this._ttyWrite(text, key);
    else if (text !== undefined && text !== null) this.#feed(`${text}`);
  }

  _writeToOutput(text) {
    validateString(text, 'stringToWrite');
    if (this.output !== null && this.output !== undefined) this.output.write(text);
  }

  _refreshLine() {
    this.#shownPrompt = this._prompt;
    if (this.columns === Infinity && this.output === undefined) return;
    this.#screen.paint(this._prompt, this.#editor.text, this.#editor.cursor);
  }

  _insertString(text) {
    const atEnd = this.#editor.cursor === this.#editor.text.length;
    this.#editor.insert(text);
    if (!atEnd) {
      this._refreshLine();
      return;
    }
    this._writeToOutput(text);
    this.#screen.rows = this.getCursorPos().rows;
  }

  // ---- keys ----

  _ttyWrite(text, pressed) {
    const key = pressed ?? {};
    this.#crAt = key.name === 'enter' ? this.#crAt : key.name === 'return' ? this.#crAt : 0;
    if (key.name !== 'tab') this.#tabs = 0;
    if (!['up', 'down', 'p', 'n'].includes(key.name)) this.#history.forget();
    const command = key.name !== undefined || key.sequence !== undefined ? commandFor(key) : undefined;
    if (command !== undefined) {
      command(this.#hands, text);
      return;
    }
    if (typeof text !== 'string' || text === '') return;
    // Text with line ends (pasted, or written by the program) is entered line by line.
    const parts = text.split(lineEnd);
    for (let i = 0; i < parts.length; i++) {
      if (parts[i] !== '') this._insertString(parts[i]);
      if (i + 1 < parts.length) this._line();
    }
  }

  // The current line counts as entered.
  _line() {
    const line = this._addHistory();
    const end = this.#screen.place((this.#shownPrompt ?? this._prompt) + this.#editor.text);
    const at = this.getCursorPos();
    if (end.rows > at.rows) this.#screen.moveBy(at, { rows: end.rows, cols: at.cols });
    this._writeToOutput('\r\n');
    this.#screen.rows = 0;
    this.#editor.reset();
    this.#emitLine(line);
  }

  clearLine() {
    this.#editor.move(this.#editor.text.length);
    this._writeToOutput('\r\n');
    this.#editor.reset();
    this.#screen.rows = 0;
  }

  _addHistory() {
    const line = this.#editor.text;
    if (this.terminal && line !== '' && this.#history.add(line)) this.emit('history', this.#history.entries);
    return line;
  }

  #hands = {
    moved: (move) => {
      const before = this.getCursorPos();
      if (move(this.#editor)) this.#screen.moveBy(before, this.getCursorPos());
    },
    changed: (change) => {
      if (change(this.#editor)) this._refreshLine();
    },
    enter: (character) => {
      if (character === '\n' && this.#crAt !== 0 && Date.now() - this.#crAt <= this.#crlfDelay) {
        this.#crAt = 0;
        return;
      }
      this.#crAt = character === '\r' ? Date.now() : 0;
      this._line();
    },
    historyStep: (direction) => {
      const found = this.#history.step(direction, this.#editor.text, this.#editor.cursor);
      if (found === undefined) return;
      this.#editor.set(found);
      this._refreshLine();
    },
    clearScreen: () => {
      this._writeToOutput(placeText(0, 0) + sequences.clearDown);
      this.#screen.rows = 0;
      this._refreshLine();
    },
    interrupt: () => {
      if (this.listenerCount('SIGINT') > 0) this.emit('SIGINT');
      else this._leave();
    },
    endOrErase: () => {
      if (this.#editor.text === '') this._leave();
      else this.#hands.changed((editor) => editor.erase(editor.charRight()));
    },
    suspend: () => {
      if (this.listenerCount('SIGTSTP') > 0) {
        this.emit('SIGTSTP');
        return;
      }
      process.once('SIGCONT', () => {
        if (this.closed) return;
        if (!this.#paused) {
          this.pause();
          this.emit('SIGCONT');
        }
        this.input.setRawMode?.(true);
        this.resume();
        this._refreshLine();
      });
      this.input.setRawMode?.(false);
      process.kill(process.pid, 'SIGTSTP');
    },
    tab: (text) => {
      // A tab inside pasted text is text.
      if (typeof this.#completer !== 'function' || this.#more) {
        this._insertString(text ?? '\t');
        return;
      }
      this.#tabs++;
      this._tabComplete(this.#tabs > 1);
    },
  };

  _tabComplete(again) {
    const before = this.#editor.text.slice(0, this.#editor.cursor);
    const shown = (result) => this.#complete(result, before, again);
    const failed = (error) => {
      this._writeToOutput(`Tab completion error: ${require('internal/util/inspect').inspect(error)}`);
    };
    // A completer that calls back at once is answered at once.
    if (this.#completer.direct !== undefined) {
      this.#pauseFor((done) =>
        this.#completer.direct.call(this, before, (error, result) => {
          done();
          if (error) failed(error);
          else shown(result);
        }),
      );
      return;
    }
    const result = this.#completer.call(this, before);
    if (typeof result?.then === 'function')
      this.#pauseFor((done) =>
        result.then(
          (value) => {
            done();
            shown(value);
          },
          (error) => {
            done();
            failed(error);
          },
        ),
      );
    else shown(result);
  }

  // Keys are queued while candidates for a completion are looked up.
  #pauseFor(work) {
    let here = true;
    let paused = false;
    work(() => {
      here = false;
      if (paused && !this.closed) this.resume();
    });
    if (here && !this.#paused && !this.closed) {
      paused = true;
      this.pause();
    }
  }

  #complete(result, before, again) {
    if (!Array.isArray(result) || !Array.isArray(result[0]) || result[0].length === 0 || this.closed) return;
    const [candidates, on] = result;
    const { commonStart, columnsOf } = require('internal/readline/completion');
    const start = commonStart(candidates.filter((each) => each !== ''));
    if (start.startsWith(on) && start.length > on.length) {
      this._insertString(start.slice(on.length));
      return;
    }
    if (!on.startsWith(start) || start.length === 0 ? false : start.length < on.length) return;
    if (!again) return;
    const at = this.getCursorPos();
    const end = this.#screen.place((this.#shownPrompt ?? this._prompt) + this.#editor.text);
    if (end.rows > at.rows) this.#screen.moveBy(at, end);
    this._writeToOutput(columnsOf(candidates, this.columns));
    this.#screen.rows = 0;
    this._refreshLine();
  }

  [Symbol.asyncIterator]() {
    const { LineIterator } = require('internal/readline/lines');
    return (this.#lines ??= new LineIterator(this));
  }
}

module.exports = { Interface };
