'use strict';

// The message and position of a syntax error, as V8 gives them, for a text that the engine has refused. The engine's
// own are not precise enough: a parser finds the error, and a table translates its message. The error may be at an
// earlier position than the one where the parser stopped: `await x` in a function that is not async is read as a name,
// followed by an unexpected one.

const helpers = require('internal/modules/helpers');

const kReservedWhenStrict = /^(?:implements|interface|let|package|private|protected|public|static|yield)$/;
// In a function of its own: the engine makes the classes of such an expression with the function that has it, which
// takes milliseconds.
const wordOf = (text) => /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/u.exec(text)?.[0];
const kToken = /^(?:=>|===|!==|==|!=|<=|>=|\.\.\.|\?\?=|\?\?|\?\.|&&|\|\||\+\+|--|\*\*|<<|>>>|>>|[^])/;
const kAwaitIsOnlyValid = 'await is only valid in async functions and the top level bodies of modules';

// For each kind of token: its name, and how much of it the carets underline.
function tokenAt(text, pos) {
  const rest = text.slice(pos);
  if (rest === '') return { said: 'Unexpected end of input', width: 1 };
  const word = wordOf(rest);
  if (word !== undefined) {
    const said = helpers.getAcorn().keywordTypes[word]
      ? `Unexpected token '${word}'`
      : kReservedWhenStrict.test(word)
        ? 'Unexpected strict mode reserved word'
        : `Unexpected identifier '${word}'`;
    return { said, width: word.length };
  }
  const number = /^\d[\w.]*/.exec(rest);
  if (number) return { said: 'Unexpected number', width: number[0].length };
  const string = /^(['"])(?:(?!\1|\\|\n)[^]|\\[^])*\1?/.exec(rest);
  if (string) return { said: 'Unexpected string', width: string[0].length };
  if (rest[0] === '`') return { said: 'Unexpected template string', width: 1 };
  const [token] = kToken.exec(rest);
  return { said: `Unexpected token '${token}'`, width: token.length };
}

const unexpectedToken = (text, pos) => ({ pos, ...tokenAt(text, pos) });
const upToLineEnd = (text, pos) => /^.*/.exec(text.slice(pos))[0].trimEnd().length;

// The parser did not expect the token at pos; the token before it may be the reason.
function unexpected(text, pos) {
  const before = text.slice(0, pos);
  const named = /\bconst\s+([\w$]+)\s*$/.exec(before);
  if (named)
    return {
      said: 'Missing initializer in const declaration',
      pos: pos - (before.length - before.lastIndexOf(named[1])),
      width: named[1].length,
    };
  if (/\bfor\s*$/.test(before) && /^await\b/.test(text.slice(pos)))
    return { said: 'Unexpected reserved word', pos, width: 5 };
  const awaited = /(?<![\w$.])await[^\S\n]+$/.exec(before);
  if (awaited) return { said: kAwaitIsOnlyValid, pos: awaited.index, width: 5 };
  return unexpectedToken(text, pos);
}

const says =
  (said, width = () => 1) =>
  (text, pos) => ({ said, pos, width: width(text, pos) });
const tokenWidth = (text, pos) => tokenAt(text, pos).width;

// The parser's messages. A message that is not listed here is used as it is.
const findings = [
  [/^Unexpected token$/, unexpected],
  [/^Unexpected keyword '|^Logical expressions and coalesce expressions cannot be mixed/, unexpectedToken],
  [
    /^Using declaration cannot/,
    (text, pos) => unexpectedToken(text, pos + /^(?:await\s+)?using\s*/.exec(text.slice(pos))[0].length),
  ],
  [
    /^The keyword '\w+' is reserved$/,
    (text, pos) => {
      const { said, width } = tokenAt(text, pos);
      return { said: said.includes('strict mode') ? said : 'Unexpected reserved word', pos, width };
    },
  ],
  [/^Unterminated string constant/, says('Invalid or unexpected token', upToLineEnd)],
  [/^Unterminated regular expression|^Unexpected character/, says('Invalid or unexpected token')],
  [/^Unterminated template/, says('Unterminated template literal')],
  [/^'return' outside/, says('Illegal return statement', tokenWidth)],
  [/^Duplicate constructor in the same class/, says('A class may only have one constructor', tokenWidth)],
  [/^let is disallowed as a lexically bound name/, says('let is disallowed as a lexically bound name', tokenWidth)],
  // in modules only: elsewhere it is a name
  [/^Cannot use keyword 'await'/, says('Unexpected reserved word', tokenWidth)],
  [
    /^'import' and 'export' may appear only with/,
    (text, pos) => {
      const said = text.startsWith('import', pos)
        ? 'Cannot use import statement outside a module'
        : "Unexpected token 'export'";
      return { said, pos, width: 6 };
    },
  ],
  [/^Cannot use 'import.meta' outside a module/, says("Cannot use 'import.meta' outside a module", () => 11)],
];

function explain(found, text) {
  const message = found.message.replace(/ \(\d+:\d+\)$/, '');
  const [, finding] = findings.find(([pattern]) => pattern.test(message)) ?? [undefined, says(message)];
  return finding(text, found.pos);
}

const kMissingBracket = 'missing ) after argument list'; // the engine's message is better than the parser's

// Writes the parser's result into the engine's error.
function fill(error, found, text, file) {
  let { said, pos, width } = explain(found, text);
  if (error.message === kMissingBracket) {
    said = kMissingBracket;
    // At the end of the text there is no token to show: the last one is shown.
    if (text.slice(pos).trim() === '') pos = Math.max(0, text.trimEnd().search(/(?:[\w$]+|[^\w$])$/));
    width = tokenAt(text, pos).width;
  }
  const lines = text.slice(0, pos).split('\n');
  const place = { file, line: lines.length, column: lines[lines.length - 1].length + 1, width };
  for (const [key, value] of [
    ['message', said],
    ['__rotaSyntax', place],
  ]) {
    Object.defineProperty(error, key, { value, writable: true, configurable: true, enumerable: false });
  }
}

// The error, with the parser's result if there is one.
function decorate(error, text, file, isModule) {
  try {
    helpers.getAcorn().parse(text, {
      ...helpers.kParseOptions,
      sourceType: isModule ? 'module' : 'script',
      allowReturnOutsideFunction: !isModule,
      allowAwaitOutsideFunction: isModule,
    });
  } catch (found) {
    if (typeof found.pos === 'number') fill(error, found, text, file);
  }
  return error;
}

module.exports = { decorate, fill };
