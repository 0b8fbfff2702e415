'use strict';

// V8's words for syntax errors of code given to eval, Function and vm. (Files are looked at by the parser:
// internal/modules/helpers.)

const plain = new Map(
  Object.entries({
    'Unexpected end of script': 'Unexpected end of input',
    'Unexpected EOF': 'Invalid or unexpected token',
    'Parser error': "Unexpected token '}'",
    'Function statements must have a name.': 'Function statements require a function name',
    'Return statements are only valid inside functions.': 'Illegal return statement',
    'new.target is only valid inside functions or static blocks.': 'new.target expression is not allowed here',
    'super is not valid in this context.': "'super' keyword unexpected here",
    "'with' statements are not valid in strict mode.": 'Strict mode code may not include a with statement',
    'Decimal integer literals with a leading zero are forbidden in strict mode':
      'Octal literals are not allowed in strict mode.',
    "'break' is only valid inside a switch or loop statement.": 'Illegal break statement',
    "'continue' is only valid inside a loop statement.":
      'Illegal continue statement: no surrounding iteration statement',
    'Left side of assignment is not a reference.': 'Invalid left-hand side in assignment',
    'Cannot call constructor in an optional chain.': 'Invalid optional chain from new expression',
    'Cannot declare multiple constructors in a single class.': 'A class may only have one constructor',
    'import.meta is only valid inside modules.': "Cannot use 'import.meta' outside a module",
    "Cannot have a newline after 'throw'.": 'Illegal newline after throw',
    '\\u can only be followed by a Unicode character sequence': 'Invalid Unicode escape sequence',
    '\\x can only be followed by a hex character sequence': 'Invalid hexadecimal escape sequence',
  }),
);

const rules = [
  [/^Cannot declare an? .*: '(.*)'\.$/, (name) => `Identifier '${name}' has already been declared`],
  [
    /^(?:Unexpected .*\. )?(?:const declared variable '.*' must have an initializer\.|const variables in for loops must have initializers\.)$/,
    () => 'Missing initializer in const declaration',
  ],
  [
    /Expected an initializer in destructuring variable declaration\.$/,
    () => 'Missing initializer in destructuring declaration',
  ],
  [/Try statements must have at least a catch or finally block\.$/, () => 'Missing catch or finally after try'],
  [/Expected '\)' to end an argument list\.$/, () => 'missing ) after argument list'],
  [
    /^Unexpected keyword 'default'\. Expected '}' to end a body of a 'switch'\.$/,
    () => 'More than one default clause in switch statement',
  ],
  [
    /Ambiguous unary expression in the left hand side of the exponentiation/,
    () =>
      'Unary operator used immediately before exponentiation expression. Parenthesis must be used to disambiguate ' +
      'operator precedence',
  ],
  [/Attempted to redeclare the label '(.*)'\.$/, (name) => `Label '${name}' has already been declared`],
  [/^Cannot use the undeclared label '(.*)'\.$/, (name) => `Undefined label '${name}'`],
  [
    /^Unexpected keyword 'let'\. Cannot use 'let' as an identifier name for a LexicalDeclaration\.$/,
    () => 'let is disallowed as a lexically bound name',
  ],
  [/^Unexpected identifier '.*'\. import call expects/, () => 'Cannot use import statement outside a module'],
  [
    /^Cannot delete unqualified property '.*' in strict mode\.$/,
    () => 'Delete of an unqualified identifier in strict mode.',
  ],
  [/^Cannot modify '(?:eval|arguments)' in strict mode\.$/, () => 'Unexpected eval or arguments in strict mode'],
  [
    /^Duplicate parameter '.*' not allowed|^Cannot declare a parameter named '.*' in strict mode as it has already been declared/,
    () => 'Duplicate parameter name not allowed in this context',
  ],
  [
    /^(Postfix|Prefix) (?:\+\+|--) operator applied to value that is not a reference\.$/,
    (which) => `Invalid left-hand side expression in ${which.toLowerCase()} operation`,
  ],
  [/^(?:Unexpected use of|Cannot use the) reserved word '/, () => 'Unexpected reserved word'],
  [
    /^(?:No identifiers allowed directly after numeric literal|No (?:binary|octal|hexadecimal) digits after|Invalid character)/,
    () => 'Invalid or unexpected token',
  ],
  [/^Unterminated regular expression literal/, () => 'Invalid regular expression: missing /'],
  [/^Unexpected (?:keyword|token) '([^]*?)'(?:\. [^]*)?$/, (token) => `Unexpected token '${token}'`],
  [/^Unexpected identifier '([^]*?)'(?:\. [^]*)?$/, (name) => `Unexpected identifier '${name}'`],
  [/^Unexpected number '/, () => 'Unexpected number'],
  [/^Unexpected string literal/, () => 'Unexpected string'],
];

function translate(message) {
  const known = plain.get(message);
  if (known !== undefined) return known;
  for (const [pattern, write] of rules) {
    const parts = pattern.exec(message);
    if (parts !== null) return write(parts[1]);
  }
  return undefined;
}

module.exports = { translate };
