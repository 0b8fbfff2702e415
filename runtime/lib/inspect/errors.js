'use strict';

// Errors: their stacks, with a first line that names the class, and without frames that the cause repeats.

const { isInstance } = require('internal/inspect/names');
const { Lines, show } = require('internal/inspect/layout');

const { hasOwn } = Object;
const runtime = internalBinding('runtime');
const NativeError = runtime.Error ?? Error;
const errorToString = NativeError.prototype.toString;
const objectToString = Object.prototype.toString;
// properties that the engine adds to errors that it throws itself
const enginesOwn = new Set(['line', 'column', 'sourceURL']);

const kShownByHead = ['name', 'message', 'stack'];
const kStackIndent = 4;
const kSharedFrames = 3; // so many or fewer frames that the cause has too are shown all the same
const kLongStack = 10; // frames: repeated ones are told by number

function isError(value) {
  return (
    typeof value === 'object' &&
    value !== null &&
    (require('internal/util/types').isNativeError(value) || isInstance(value, NativeError))
  );
}

// A property, or undefined if reading it throws.
function read(object, name) {
  try {
    return object[name];
  } catch {
    return undefined;
  }
}

function headOf(error) {
  try {
    return errorToString.call(error);
  } catch {
    return objectToString.call(error); // a name that cannot become a string, an accessor that throws
  }
}

// If a program has replaced the stack by a value, the value is shown below the head. It is indented twice: by its
// position, and with the error as a whole.
class StrangeStack {
  constructor(head, part) {
    this.head = head;
    this.part = part;
  }

  render(indent, view) {
    const text = show(this.part, indent + kStackIndent, view);
    return new Lines(`[${this.head}\n${' '.repeat(kStackIndent)}${text}]`).render(indent);
  }
}

function strangeStack(describer, error, stack) {
  describer.path.push(error);
  const part = describer.describe(stack, NaN); // no depth: neither a limit nor short enough for a line
  describer.path.pop();
  return part;
}

const titleInStack = /^([A-Z][\w [\]()-]+)(?=:|\n\s+at)/;
const titleAlone = /^([\w-]*Error)$/;

// The stack's first word, if it is the error's name and ends as a name does.
function leadingName(stack, name) {
  if (!name.endsWith('Error') || !stack.startsWith(name)) return undefined;
  const next = stack[name.length];
  return next === undefined || next === ':' || next === '\n' ? name : undefined;
}

// Puts the class's name in the place of the error's, or before it.
function withClass(stack, name, title) {
  if (title.name === null) {
    const found = titleInStack.exec(stack)?.[1] ?? titleAlone.exec(stack)?.[1] ?? '';
    const whole = title.before(found || 'Error').slice(0, -1);
    if (whole.includes(name) || found !== '')
      return found === '' ? `${whole}: ${stack}` : whole + stack.slice(found.length);
    return `${whole}: ${stack}`;
  }
  const lead = leadingName(stack, name);
  if (lead === undefined) return stack;
  const whole = title.before('Error').slice(0, -1);
  if (whole === lead) return stack;
  const rest = stack.slice(lead.length);
  return whole.includes(lead) ? whole + rest : `${whole} [${lead}]${rest}`;
}

// A name that is no string is part of the stack as text; the class is shown after it.
function withStrangeName(stack, name, title) {
  if (typeof name === 'symbol') return stack;
  const text = `${name}`;
  if (text === '' || !stack.startsWith(text)) return stack;
  return `${text} [${title.before('Error').slice(0, -1)}]${stack.slice(text.length)}`;
}

const linesOf = (stack) => stack.split('\n');

// Frames at the end that the cause has, too, become a note: where they begin and how many they are.
function sharedWith(cause, frames) {
  const stack = read(cause, 'stack');
  if (typeof stack !== 'string') return undefined;
  const theirs = linesOf(stack);
  const first = theirs.findIndex((line) => line.startsWith('    at'));
  if (first === -1) return undefined;
  for (let mine = 0; mine < frames.length - kSharedFrames; mine++) {
    const at = theirs.indexOf(frames[mine], first);
    if (at === -1) continue;
    let length = 1;
    while (
      mine + length < frames.length &&
      at + length < theirs.length &&
      frames[mine + length] === theirs[at + length]
    )
      length++;
    if (length > kSharedFrames) return { mine, length };
  }
  return undefined;
}

// Runs of frames that repeat: each is shown once, with a note behind it.
function withoutRepetitions(frames, note) {
  const output = [];
  for (let i = 0; i < frames.length;) {
    const run = longestRepetition(frames, i);
    if (run === undefined) {
      output.push(frames[i++]);
      continue;
    }
    const { length, times } = run;
    output.push(...frames.slice(i, i + length));
    const what = times === 1 ? 'lines ' : `${length} lines ${times} times`;
    output.push(note(`    ... collapsed ${length * times} duplicate lines matching above ${what}...`));
    i += length * (times + 1);
  }
  return output;
}

// The repetition that begins at `start` and hides the most lines. Fewer than three lines are not worth a note.
function longestRepetition(frames, start) {
  let best;
  for (let length = 1; start + 2 * length <= frames.length; length++) {
    let times = 0;
    while (repeats(frames, start, length, times + 1)) times++;
    if (length * times >= 3 && (best === undefined || length * times > best.length * best.times))
      best = { length, times };
  }
  return best;
}

function repeats(frames, start, length, times) {
  const from = start + length * times;
  if (from + length > frames.length) return false;
  for (let i = 0; i < length; i++) {
    if (frames[from + i] !== frames[start + i]) return false;
  }
  return true;
}

function framesFor(describer, error, text) {
  const note = (line) => describer.view.paint(line, 'undefined');
  let frames = linesOf(text);
  const cause = hasOwn(error, 'cause') ? read(error, 'cause') : undefined;
  if (isError(cause)) {
    const shared = sharedWith(cause, frames);
    if (shared !== undefined) {
      const hidden = shared.length - 2;
      frames.splice(shared.mine + 1, hidden, note(`    ... ${hidden} lines matching cause stack trace ...`));
    }
  }
  if (frames.length > kLongStack) frames = withoutRepetitions(frames, note);
  return describer.view.colors ? require('internal/inspect/frames').coloured(frames, describer.view.paint) : frames;
}

// Properties that the head shows already, those that the engine added, and the two that are always shown.
function chooseKeys(describer, sketch, text) {
  const { value } = sketch;
  let { keys } = sketch;
  if (describer.view.showHidden) {
    keys = keys.filter((key) => !enginesOwn.has(key) && key !== 'stack');
    if (hasOwn(value, 'stack')) keys.unshift('stack');
  } else if (keys.length > 0) {
    keys = keys.filter((key) => {
      if (!kShownByHead.includes(key)) return true;
      const shown = readOrThrown(value, key);
      if (typeof shown === 'symbol') return true; // kThrew is one
      return typeof shown === 'string' && !text.includes(shown);
    });
  }
  if (hasOwn(value, 'cause') && !keys.includes('cause')) keys.push('cause');
  if (hasOwn(value, 'errors') && Array.isArray(read(value, 'errors')) && !keys.includes('errors')) keys.push('errors');
  sketch.keys = keys;
}

const kThrew = Symbol('threw');
function readOrThrown(object, name) {
  try {
    return object[name];
  } catch {
    return kThrew;
  }
}

// The error's head and frames: a text or a part.
function describeError(describer, sketch) {
  const { value, title } = sketch;
  internalBinding('util').adoptError?.(value);
  const given = read(value, 'stack');
  const hasText = typeof given === 'string' && given !== '' && !describer.view.withoutStacks;
  const stack = hasText ? given : headOf(value);
  chooseKeys(describer, sketch, stack);
  const name = read(value, 'name');
  const named =
    typeof name === 'string' || name == null
      ? withClass(stack, name ?? 'Error', title)
      : withStrangeName(stack, name, title);
  if (given && typeof given !== 'string') return new StrangeStack(named, strangeStack(describer, value, given));
  // Frames begin after the message, which may itself look like a frame.
  const message = read(value, 'message');
  const at = typeof message === 'string' && message !== '' ? named.indexOf(message) : -1;
  const frames = named.indexOf('\n    at', at === -1 ? 0 : at + message.length);
  const text =
    frames === -1
      ? bracketed(named)
      : [named.slice(0, frames), ...framesFor(describer, value, named.slice(frames + 1))].join('\n');
  return text.includes('\n') ? new Lines(text) : text;
}

const bracketed = (text) => (text.startsWith('[object ') ? text : `[${text}]`);

module.exports = { describeError, isError };
