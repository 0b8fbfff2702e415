'use strict';

// Texts without syntax errors that programs have given to node:vm lately. A tool gives the same texts to each of its
// contexts: such a text is checked once, and the contexts share the script that the engine has made of it.

const { makeScript } = internalBinding('vm');

class Text {
  #script; // undefined: the engine makes none, and evaluates the text each time
  #url;
  #names;
  #sourceMapURL = null; // not looked for yet
  code;

  constructor(code, url, script) {
    this.code = code;
    this.#url = url;
    this.#script = script;
  }

  // What can be evaluated: a script has one name, and its first line is number 1.
  at(url, line) {
    return this.#script !== undefined && url === this.#url && line === 1 ? this.#script : this.code;
  }

  get sourceMapURL() {
    const { code } = this;
    if (this.#sourceMapURL === null)
      this.#sourceMapURL = code.includes('sourceMappingURL=')
        ? /^\/\/[#@] sourceMappingURL=(\S+)\s*$/m.exec(code)?.[1]
        : undefined;
    return this.#sourceMapURL;
  }

  // See internal/vm/declared.
  get names() {
    this.#names ??= [require('internal/vm/declared').declaredNames(this.code)];
    return this.#names[0];
  }
}

const known = new Map();
const kMost = 8 << 20; // characters
let size = 0;

// `check` is called for a text that is not known; it throws its syntax error.
function textOf(code, url, line, check) {
  const found = known.get(code);
  if (found !== undefined) return found;
  const script = line === 1 ? makeScript(code, url) : undefined;
  if (script === undefined) check();
  const text = new Text(code, url, script);
  size += code.length;
  if (size > kMost) {
    known.clear();
    size = code.length;
  }
  if (size <= kMost) known.set(code, text);
  return text;
}

module.exports = { textOf };
