'use strict';

// The parser does not support the source phase (`import source x from`, `import.source()`): it gets blanks in place of
// the word, and code that handles an import looks at the text itself.
const kSourceCall = /\bimport(\s*\.\s*)source(?=\s*\()/g;
const kSourceAhead = /^import\s*\.?\s*source\b/;

function blankSourcePhase(text) {
  return /\bimport\s*\.?\s*source\b/.test(text) ? blanked(text) : text;
}

// A function of its own: the engine makes the classes of its expression with it, which takes milliseconds.
function blanked(text) {
  const blank = (found) => `import${found.slice(6).replace(/\S/g, ' ')}`;
  return text
    .replace(/\bimport(\s+)source(?=\s+(?!from\s*['"])[\p{ID_Start}$_][\p{ID_Continue}$]*\s+from\b)/gu, blank)
    .replace(kSourceCall, blank);
}

function hasSourcePhase(text, masked, node) {
  return (
    text !== masked &&
    kSourceAhead.test(text.slice(node.start, node.end)) &&
    !kSourceAhead.test(masked.slice(node.start, node.end))
  );
}

module.exports = { blankSourcePhase, hasSourcePhase };
