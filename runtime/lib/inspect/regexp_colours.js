'use strict';

// A regular expression in colours: a deeper level starts later in the list of colours, so that matching parentheses can
// be seen. The text is split by one pattern outside of a character class and by another inside; each part has a place
// (its distance from the first colour of its level).

const usual = ['green', 'red', 'yellow', 'cyan', 'magenta'];

// Places: 0 slashes and references, 1 brackets and flags, 2 what is matched, 3 wildcards and numbers, 4 operators.
const escapes = '\\\\x..|\\\\\\d+|\\\\[^]';
const outside = new RegExp(
  [
    '(?<named>\\((?:\\?<(?![=!])))(?<name>[^>]*)>',
    '(?<open>\\()(?<how>\\?(?:[:=!]|<[=!]))?',
    '(?<close>\\))',
    '(?<property>\\\\[pP]\\{|\\\\u\\{)(?<inside>[^}]*)\\}',
    '(?<back>\\\\k<)(?<target>[^>]*)>',
    '(?<broken>\\\\[pPu]\\{|\\\\k<)',
    `(?<escape>${escapes})`,
    '(?<set>\\[)(?<not>\\^)?',
    '\\{(?<least>\\d*)(?<comma>,)?(?<most>\\d*)(?<end>\\})',
    '(?<any>\\.)',
    '(?<operator>[*+?|^$,])',
    '(?<literal>[^])',
  ].join('|'),
  'y',
);
const inside = new RegExp(
  [
    '(?<property>\\\\[pP]\\{|\\\\u\\{)(?<inside>[^}]*)\\}',
    `(?<escape>${escapes})`,
    '(?<end>\\])',
    '(?<range>-)(?!\\])',
    '(?<literal>[^])',
  ].join('|'),
  'y',
);

module.exports = function highlight(text, codes, chosen) {
  const names = Array.isArray(chosen) && chosen.length > 0 ? chosen : usual;
  let depth = 0;
  let output = '';
  const put = (part, place) => {
    if (part === undefined || part === '') return;
    const pair = codes[names[Math.max(0, depth + place) % names.length]];
    output += pair === undefined ? part : `\u001b[${pair[0]}m${part}\u001b[${pair[1]}m`;
  };
  let inClass = false;
  let first = false; // the next part is the class's first, where - is itself
  put('/', 0);
  let at = 1;
  while (at < text.length && (inClass || text[at] !== '/')) {
    const pattern = inClass ? inside : outside;
    pattern.lastIndex = at;
    const { 0: whole, groups } = pattern.exec(text);
    at += whole.length;
    if (groups.property !== undefined) {
      put(groups.property, 1);
      put(groups.inside, 2);
      put('}', 1);
      first = false;
    } else if (inClass) {
      if (groups.end !== undefined) {
        depth--;
        inClass = false;
        put(']', 1);
      } else {
        put(whole, groups.range !== undefined && !first ? 2 : 1);
      }
      first = false;
    } else if (groups.named !== undefined) {
      put('(', 1);
      put('?<', 1);
      put(groups.name, 2);
      put('>', 1);
      depth++;
    } else if (groups.open !== undefined) {
      put('(', 1);
      put(groups.how, 1);
      depth++;
      if (groups.how === undefined && text[at] === '?') {
        // (?i:x): the mark is no operator
        put('?', 1);
        at++;
      }
    } else if (groups.close !== undefined) {
      depth--;
      put(')', 1);
    } else if (groups.back !== undefined) {
      put('\\k<', 0);
      put(groups.target, 1);
      put('>', 0);
    } else if (groups.set !== undefined) {
      put('[', 1);
      depth++;
      put(groups.not, 1);
      inClass = true;
      first = groups.not === undefined;
    } else if (groups.end !== undefined && (groups.least !== '' || groups.comma !== undefined)) {
      put('{', 1);
      put(groups.least, 3);
      put(groups.comma, 2);
      put(groups.most, 3);
      put('}', 1);
    } else if (groups.end !== undefined) {
      put('{', 2);
      put('}', 2);
    } else {
      put(whole, groups.any !== undefined ? 3 : groups.operator !== undefined ? 4 : 2);
    }
  }
  depth = 0;
  put('/', 0);
  put(text.slice(at + 1), 1);
  return output;
};
