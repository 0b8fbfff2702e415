'use strict';

// util.parseArgs: the arguments become tokens first (which a caller may ask for), then values and positionals.

const { codes } = require('internal/errors');
const {
  validateArray,
  validateBoolean,
  validateBooleanArray,
  validateObject,
  validateString,
  validateStringArray,
  validateUnion,
} = require('internal/validators');

function ownOption(config, name) {
  return Object.hasOwn(config, name) ? config[name] : undefined;
}

function looksLikeOption(argument) {
  return typeof argument === 'string' && argument.length > 1 && argument[0] === '-';
}

function longOfShort(short, options) {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(options[name], 'short') && options[name].short === short) return name;
  }
  return short;
}

function typeOf(options, name) {
  return ownOption(options, name)?.type;
}

function tokenize(args, options) {
  const tokens = [];
  let index = -1;
  let groupCount = 0;
  const remaining = [...args];
  // An option whose value, if it has one, is the next argument.
  const separate = (name, rawName, next) => {
    let value;
    let inlineValue;
    if (typeOf(options, name) === 'string' && next !== undefined) {
      value = remaining.shift();
      inlineValue = false;
    }
    tokens.push({ kind: 'option', name, rawName, index, value, inlineValue });
    if (value != null) index++;
  };
  while (remaining.length > 0) {
    const argument = remaining.shift();
    const next = remaining[0];
    if (groupCount > 0) groupCount--;
    else index++;
    if (argument === '--') {
      tokens.push({ kind: 'option-terminator', index });
      for (const rest of remaining) tokens.push({ kind: 'positional', index: ++index, value: rest });
      break;
    }
    if (argument.length === 2 && argument[0] === '-' && argument[1] !== '-') {
      separate(longOfShort(argument[1], options), argument, next);
      continue;
    }
    if (argument.length > 2 && argument[0] === '-' && argument[1] !== '-') {
      const first = longOfShort(argument[1], options);
      if (typeOf(options, first) !== 'string') {
        // A group such as -abc: each letter is an option, until one takes the rest as its value.
        const expanded = [];
        for (let i = 1; i < argument.length; i++) {
          const short = argument[i];
          if (typeOf(options, longOfShort(short, options)) !== 'string' || i === argument.length - 1) {
            expanded.push(`-${short}`);
          } else {
            expanded.push(`-${argument.slice(i)}`);
            break;
          }
        }
        remaining.unshift(...expanded);
        groupCount = expanded.length;
        continue;
      }
      tokens.push({
        kind: 'option',
        name: first,
        rawName: `-${argument[1]}`,
        index,
        value: argument.slice(2),
        inlineValue: true,
      });
      continue;
    }
    if (argument.length > 2 && argument.startsWith('--')) {
      const equals = argument.indexOf('=', 3);
      if (equals === -1) {
        separate(argument.slice(2), argument, next);
      } else {
        const name = argument.slice(2, equals);
        tokens.push({
          kind: 'option',
          name,
          rawName: `--${name}`,
          index,
          value: argument.slice(equals + 1),
          inlineValue: true,
        });
      }
      continue;
    }
    tokens.push({ kind: 'positional', index, value: argument });
  }
  return tokens;
}

function checkUsage(options, token, allowPositionals) {
  const { name } = token;
  if (!Object.hasOwn(options, name)) {
    throw new codes.ERR_PARSE_ARGS_UNKNOWN_OPTION(token.rawName, allowPositionals);
  }
  const { short, type } = options[name];
  const shown = `${short ? `-${short}, ` : ''}--${name}`;
  if (type === 'string' && typeof token.value !== 'string') {
    throw new codes.ERR_PARSE_ARGS_INVALID_OPTION_VALUE(`Option '${shown} <value>' argument missing`);
  }
  if (type === 'boolean' && token.value != null) {
    throw new codes.ERR_PARSE_ARGS_INVALID_OPTION_VALUE(`Option '${shown}' does not take an argument`);
  }
}

function checkAmbiguous(token) {
  if (!token.inlineValue && looksLikeOption(token.value)) {
    const example = token.rawName.startsWith('--')
      ? `'${token.rawName}=-XYZ'`
      : `'--${token.name}=-XYZ' or '${token.rawName}-XYZ'`;
    throw new codes.ERR_PARSE_ARGS_INVALID_OPTION_VALUE(
      `Option '${token.rawName}' argument is ambiguous.\n` +
        `Did you forget to specify the option argument for '${token.rawName}'?\n` +
        `To specify an option argument starting with a dash use ${example}.`,
    );
  }
}

function storeOption(name, value, options, values) {
  if (name === '__proto__') return;
  const stored = value ?? true;
  if (ownOption(options, name)?.multiple) {
    if (values[name]) values[name].push(stored);
    else values[name] = [stored];
  } else {
    values[name] = stored;
  }
}

// Without a script file, the arguments begin after the program's name.
const evaluates = /^(?:-e|-p|-pe|--eval|--print)$|^--(?:eval|print)=/;

function mainArguments() {
  return process.argv.slice(process.execArgv?.some((flag) => evaluates.test(flag)) ? 1 : 2);
}

function checkOptions(options) {
  for (const [name, option] of Object.entries(options)) {
    validateObject(option, `options.${name}`);
    const type = ownOption(option, 'type');
    validateUnion(type, `options.${name}.type`, ['string', 'boolean']);
    if (Object.hasOwn(option, 'short')) {
      validateString(option.short, `options.${name}.short`);
      if (option.short.length !== 1) {
        throw new codes.ERR_INVALID_ARG_VALUE(`options.${name}.short`, option.short, 'must be a single character');
      }
    }
    const multiple = ownOption(option, 'multiple');
    if (Object.hasOwn(option, 'multiple')) validateBoolean(multiple, `options.${name}.multiple`);
    const preset = ownOption(option, 'default');
    if (preset !== undefined) {
      const place = `options.${name}.default`;
      if (multiple) (type === 'string' ? validateStringArray : validateBooleanArray)(preset, place);
      else (type === 'string' ? validateString : validateBoolean)(preset, place);
    }
  }
}

// `--no-NAME`. False: it is an option like any other.
function storeNegative(token, options, strict, values) {
  const { name, value } = token;
  const positive = name.slice(3);
  if (Object.hasOwn(options, name)) return false;
  if (Object.hasOwn(options, positive) && typeOf(options, positive) === 'boolean') {
    token.name = positive;
    token.value = undefined;
    if (value !== undefined && strict) {
      throw new codes.ERR_PARSE_ARGS_INVALID_OPTION_VALUE(
        `Option '--${token.rawName.slice(2)}' does not take an argument`,
      );
    }
    if (ownOption(options, positive)?.multiple) (values[positive] ??= []).push(false);
    else values[positive] = false;
    return true;
  }
  if (strict) return false;
  values[positive] = false;
  return true;
}

function parseArgs(config = {}) {
  validateObject(config, 'config');
  const args = ownOption(config, 'args') ?? mainArguments();
  const strict = ownOption(config, 'strict') ?? true;
  const allowPositionals = ownOption(config, 'allowPositionals') ?? !strict;
  const returnTokens = ownOption(config, 'tokens') ?? false;
  const allowNegative = ownOption(config, 'allowNegative') ?? false;
  const options = ownOption(config, 'options') ?? { __proto__: null };
  validateArray(args, 'args');
  validateBoolean(strict, 'strict');
  validateBoolean(allowPositionals, 'allowPositionals');
  validateBoolean(returnTokens, 'tokens');
  validateBoolean(allowNegative, 'allowNegative');
  validateObject(options, 'options');
  checkOptions(options);

  const tokens = tokenize(args, options);
  const result = { values: { __proto__: null }, positionals: [] };
  if (returnTokens) result.tokens = tokens;
  for (const token of tokens) {
    if (token.kind === 'option') {
      if (allowNegative && token.name.startsWith('no-') && storeNegative(token, options, strict, result.values))
        continue;
      if (strict) {
        checkUsage(options, token, allowPositionals);
        checkAmbiguous(token);
      }
      storeOption(token.name, token.value, options, result.values);
    } else if (token.kind === 'positional') {
      if (!allowPositionals) throw new codes.ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL(token.value);
      result.positionals.push(token.value);
    }
  }
  for (const [name, option] of Object.entries(options)) {
    if (
      option.default !== undefined &&
      result.values[name] === undefined &&
      name !== '__proto__' &&
      Object.hasOwn(option, 'default')
    ) {
      result.values[name] = option.default;
    }
  }
  return result;
}

module.exports = { parseArgs };
