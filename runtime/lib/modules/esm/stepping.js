'use strict';

// The text of a module that yields what it awaits (internal/modules/esm/link says why):
//
//   await x;                       (yield x);
//   for await (const a of b) c;    { const e = each();
//                                    try { for (e.over(b); yield* e.step(); ) { const a = e.value; c; } }
//                                    catch (x) { e.fail(x); }
//                                    finally { yield* e.close(); } }

const { breaks, kLast } = require('internal/modules/esm/syntax');

const kHead = /^for(?:\s|\/\*[^]*?\*\/|\/\/.*)*await(?:\s|\/\*[^]*?\*\/|\/\/.*)*\(/;
const kBeforeOf = /^(?:[\s)]|\/\*[^]*?\*\/|\/\/.*)*?(?=of\b)/;

// What the rewriting of a module (internal/modules/esm/uses) asks for if the module is to yield what it awaits.
class Stepping {
  #text;
  #edits;
  #targets = []; // what loops assign to: { start, end, name, isDeclaration, edit }

  constructor(text, edits) {
    this.#text = text;
    this.#edits = edits;
  }

  #insert(at, replacement, order) {
    const edit = { start: at, end: at, replacement, order };
    this.#edits.push(edit);
    return edit;
  }

  // A `for await` outside of all functions. `start` is that of its labels: they belong to the loop inside.
  lowerLoop(node, start) {
    const { left, right, body } = node;
    const text = this.#text;
    const name = `__rota_each_${this.#targets.length}`;
    const head = kHead.exec(text.slice(node.start, left.start))[0].length;
    const targetStart = node.start + head;
    const ofStart = left.end + kBeforeOf.exec(text.slice(left.end, right.start))[0].length;
    this.#insert(start, `{const ${name}=__rota_import.each();try{`, -kLast + start);
    this.#edits.push({
      start: node.start,
      end: targetStart,
      replacement: `for(${breaks(text, node.start, targetStart)}`,
      order: 0,
    });
    this.#edits.push({ start: ofStart, end: ofStart + 2, replacement: `${name}.over(`, order: 0 });
    // The loop's own bracket closes the call.
    const edit = this.#insert(body.start, '', -1);
    this.#insert(
      node.end,
      `}}catch(${name}_e){${name}.fail(${name}_e)}finally{yield* ${name}.close()}}`,
      kLast - start,
    );
    const isDeclaration = left.type === 'VariableDeclaration';
    this.#targets.push({ start: targetStart, end: ofStart, name, isDeclaration, edit });
  }

  // What a loop assigns to is moved into its body, when all edits of it are known.
  moveTargets(applyEdits) {
    for (const { start, end, name, isDeclaration, edit } of this.#targets) {
      const isInside = (other) => other.start >= start && other.end <= end && other !== edit;
      const inside = this.#edits
        .filter(isInside)
        .map((other) => ({ ...other, start: other.start - start, end: other.end - start }));
      const target = applyEdits(this.#text.slice(start, end), inside);
      for (let i = this.#edits.length - 1; i >= 0; i--) if (isInside(this.#edits[i])) this.#edits.splice(i, 1);
      this.#edits.push({ start, end, replacement: '', order: 0 });
      const value = `${name}.value`;
      edit.replacement = `;yield* ${name}.step();){${isDeclaration ? `${target}=${value};` : `(${target}=${value});`}`;
    }
  }
}

module.exports = { Stepping };
