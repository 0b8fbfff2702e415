'use strict';

// Converts characters to keys. A terminal sends an escape sequence for a key that is no character; a grammar (two
// regular expressions) decides which sequences are complete and which need more characters, and a table names them.

const { StringDecoder } = require('string_decoder');

// By the part after the escape, without numbers that stand for modifiers: name, and a modifier that
// the code itself implies.
const named = new Map();
function name(keyName, codes, modifier) {
  for (const code of codes.split(' ')) named.set(code, { name: keyName, modifier });
}
name('f1', 'OP [P [11~ [[A');
name('f2', 'OQ [Q [12~ [[B');
name('f3', 'OR [R [13~ [[C');
name('f4', 'OS [S [14~ [[D');
name('f5', '[15~ [[E');
name('f6', '[17~');
name('f7', '[18~');
name('f8', '[19~');
name('f9', '[20~');
name('f10', '[21~');
name('f11', '[23~');
name('f12', '[24~');
name('up', '[A OA');
name('down', '[B OB');
name('right', '[C OC');
name('left', '[D OD');
name('clear', '[E OE');
name('end', '[F OF');
name('home', '[H OH');
name('home', '[1~ [7~');
name('insert', '[2~');
name('delete', '[3~');
name('end', '[4~ [8~');
name('pageup', '[5~ [[5~');
name('pagedown', '[6~ [[6~');
name('paste-start', '[200~');
name('paste-end', '[201~');
for (const [letter, keyName] of [
  ['a', 'up'],
  ['b', 'down'],
  ['c', 'right'],
  ['d', 'left'],
  ['e', 'clear'],
]) {
  name(keyName, `[${letter}`, 'shift');
  name(keyName, `O${letter}`, 'ctrl');
}
for (const [digit, keyName] of [
  ['2', 'insert'],
  ['3', 'delete'],
  ['5', 'pageup'],
  ['6', 'pagedown'],
  ['7', 'home'],
  ['8', 'end'],
]) {
  name(keyName, `[${digit}$`, 'shift');
  name(keyName, `[${digit}^`, 'ctrl');
}
name('tab', '[Z', 'shift');

const whole = /^\x1b+(\[\[?|O)(\d*)(?:;(\d+))?([^\d;])$/;
const partial = /^\x1b+(?:(?:\[\[?|O)[\d;]{0,8})?$/;
const kMaxEscapes = 3;

function key(sequence, keyName, { ctrl = false, meta = false, shift = false } = {}) {
  return { sequence, name: keyName, ctrl, meta, shift };
}

function sequenceKey(sequence, [, prefix, first, second, final]) {
  const numbered = '~^$'.includes(final) || (first.length > 1 && second === undefined);
  const code = prefix + (numbered ? first : '') + final;
  const bits = Number(second ?? (numbered || first === '' ? 1 : first)) - 1;
  const found = named.get(code);
  const result = key(sequence, found?.name ?? 'undefined', {
    ctrl: (bits & 4) !== 0,
    meta: (bits & 10) !== 0,
    shift: (bits & 1) !== 0,
  });
  result.code = code;
  if (found?.modifier !== undefined) result[found.modifier] = true;
  return result;
}

const characters = new Map([
  ['\r', 'return'],
  ['\n', 'enter'],
  ['\t', 'tab'],
  ['\b', 'backspace'],
  ['\x7f', 'backspace'],
  ['\x1b', 'escape'],
  [' ', 'space'],
]);

function characterKey(sequence, character, meta) {
  const known = characters.get(character);
  if (known !== undefined) return key(sequence, known, { meta: meta || character === '\x1b' });
  if (!meta && character <= '\x1a')
    return key(sequence, String.fromCharCode(character.charCodeAt(0) + 96), { ctrl: true });
  if (/^[0-9A-Za-z]$/.test(character))
    return key(sequence, character.toLowerCase(), { meta, shift: /[A-Z]/.test(character) });
  return key(sequence, undefined, { meta });
}

class KeyDecoder {
  #pending = '';
  #emit;

  constructor(emit) {
    this.#emit = emit;
  }

  get waiting() {
    return this.#pending !== '';
  }

  feed(character) {
    const text = this.#pending + character;
    if (text[0] !== '\x1b') {
      this.#emit(character, characterKey(character, character, false));
      return;
    }
    if (/^\x1b+$/.test(text) && text.length === kMaxEscapes) return this.#done(text, characterKey(text, '\x1b', true));
    if (partial.test(text)) {
      this.#pending = text;
      return;
    }
    const match = whole.exec(text);
    // "[[" may also be a sequence followed by a bracket: then the second bracket ended the sequence.
    if (match !== null) return this.#done(text, sequenceKey(text, match));
    this.#done(text, characterKey(text, character, true));
  }

  #done(text, found) {
    this.#pending = '';
    this.#emit(undefined, found);
  }

  // Nothing followed an escape: it was the escape key.
  flush() {
    const text = this.#pending;
    this.#pending = '';
    if (text === '') return;
    if (/^\x1b+$/.test(text)) this.#emit(undefined, characterKey(text, '\x1b', true));
    else this.#emit(undefined, characterKey(text, text.at(-1), true));
  }
}

// ---- 'keypress' events of a stream ----

const kDefaultTimeout = 500;
const sources = new WeakMap();

class KeySource {
  #stream;
  #text = new StringDecoder('utf8');
  #keys;
  #timer;
  #interface;

  constructor(stream) {
    this.#stream = stream;
    this.#keys = new KeyDecoder((character, found) => {
      try {
        stream.emit('keypress', character, found);
      } catch (error) {
        // If a listener throws, the rest of the input is still read.
        process.nextTick(() => {
          throw error;
        });
      }
    });
    this.onData = this.onData.bind(this);
    if (stream.listenerCount('keypress') > 0) {
      stream.on('data', this.onData);
    } else {
      this.#await();
    }
  }

  attach(readlineInterface) {
    this.#interface = readlineInterface;
  }

  #await() {
    const onListener = (event) => {
      if (event !== 'keypress') return;
      this.#stream.on('data', this.onData);
      this.#stream.removeListener('newListener', onListener);
    };
    this.#stream.on('newListener', onListener);
  }

  onData(chunk) {
    if (this.#stream.listenerCount('keypress') === 0) {
      this.#stream.removeListener('data', this.onData);
      this.#await();
      return;
    }
    const text = typeof chunk === 'string' ? chunk : this.#text.write(chunk);
    if (text === '') return;
    clearTimeout(this.#timer);
    const owner = this.#interface;
    const points = Array.from(text);
    for (let i = 0; i < points.length; i++) {
      owner?.keyFollows?.(i + 1 < points.length);
      this.#keys.feed(points[i]);
    }
    if (this.#keys.waiting) {
      this.#timer = setTimeout(() => this.#keys.flush(), owner?.escapeCodeTimeout ?? kDefaultTimeout);
    }
  }
}

function emitKeypressEvents(stream, readlineInterface) {
  let source = sources.get(stream);
  if (source === undefined) sources.set(stream, (source = new KeySource(stream)));
  if (readlineInterface !== undefined) source.attach(readlineInterface);
}

module.exports = { emitKeypressEvents };
