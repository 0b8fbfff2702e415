'use strict';

// The format of a module by its URL, the source of its text, and whether the attributes of an import match the format.

const { codes } = require('internal/errors');
const { readText } = internalBinding('modules');
const helpers = require('internal/modules/helpers');
const packages = require('internal/modules/package_json');
const { urlToPath } = require('internal/modules/esm/resolve');

const kFormats = { '.mjs': 'module', '.cjs': 'commonjs', '.json': 'json', '.wasm': 'wasm', '.node': 'addon' };

function formatOf(url) {
  const path = urlToPath(url);
  const dot = path.lastIndexOf('.');
  const extension = dot > path.lastIndexOf('/') + 0 ? path.slice(dot) : '';
  switch (extension) {
    case '.mjs':
      return 'module';
    case '.cjs':
      return 'commonjs';
    case '.json':
      return 'json';
    case '.node':
      return 'addon';
    case '.js': {
      const type = packages.scopeOf(path)?.type ?? 'none';
      return type === 'none' ? 'detect' : type;
    }
    case '':
      return (packages.scopeOf(path)?.type ?? 'none') === 'module' ? 'module' : 'detect';
    case '.wasm':
      return 'wasm';
    case '.ts':
    case '.mts':
    case '.cts': {
      const typescript = require('internal/modules/typescript');
      if (typescript.isEnabled())
        return `${typescript.kindOf(path, packages.scopeOf(path)?.type) ?? 'detect'}-typescript`;
    }
    // falls through
    default:
      throw new codes.ERR_UNKNOWN_FILE_EXTENSION(extension, path);
  }
}

// The format of a URL, as far as it is known without reading the text. null: the text decides.
function formatHint(url) {
  if (url.startsWith('node:')) return 'builtin';
  if (!url.startsWith('file:')) return undefined;
  const path = urlToPath(url);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const extension = name.slice(name.lastIndexOf('.') + 1 === 0 ? name.length : name.lastIndexOf('.'));
  if (extension in kFormats) return kFormats[extension];
  if (/^\.[cm]?ts$/.test(extension)) {
    const typescript = require('internal/modules/typescript');
    const kind = typescript.isEnabled() ? typescript.kindOf(path, packages.scopeOf(path)?.type) : undefined;
    return kind === undefined ? (typescript.isEnabled() ? null : undefined) : `${kind}-typescript`;
  }
  const type = packages.scopeOf(path)?.type ?? 'none';
  if (extension === '.js') return type === 'none' ? null : type;
  return extension === '' ? (type === 'none' ? null : type) : undefined;
}

// If no marker decides the format, the text is parsed.
const mayDetect = () => !require('internal/process/flags').hasFlag('--no-experimental-detect-module');

function isModuleText(text, url) {
  if (!mayDetect()) return false;
  if (!/\bimport\b|\bexport\b|\bawait\b/.test(text)) return false;
  try {
    internalBinding('modules').checkSyntax(
      `(function (exports, require, module, __filename, __dirname) {${text.startsWith('#!') ? '//' : ''}${text}\n})`,
      url,
    );
    return false;
  } catch {
    return require('internal/modules/esm/rewrite').looksLikeModule(text, url);
  }
}

function readSource(url, base) {
  const path = urlToPath(url);
  const text = readText(path);
  if (typeof text === 'number') {
    const { uvException } = require('internal/errors');
    throw uvException({ errno: text, syscall: 'open', path });
  }
  return helpers.stripBOM(text);
}

function parseData(url) {
  const match = /^data:([^,;]+)?((?:;[^,]*)?),([^]*)$/.exec(url);
  if (match === null) throw new codes.ERR_INVALID_URL(url);
  const [, type = 'text/plain', parameters, body] = match;
  return { type, bytes: Buffer.from(decodeURIComponent(body), /;base64$/i.test(parameters) ? 'base64' : 'utf8') };
}

function checkAttributes(attributes, format, url) {
  if (attributes !== undefined) {
    for (const key of Object.keys(attributes)) {
      if (key !== 'type') throw new codes.ERR_IMPORT_ATTRIBUTE_UNSUPPORTED(key, attributes[key], url);
    }
  }
  const type = attributes?.type;
  if (format === 'json') {
    if (type === undefined) throw new codes.ERR_IMPORT_ATTRIBUTE_MISSING(url, 'type', 'json');
    if (type !== 'json') throw new codes.ERR_IMPORT_ATTRIBUTE_UNSUPPORTED('type', type, url);
    return;
  }
  if (type === undefined || (type === 'text' && format === 'text')) return;
  if (type !== 'json') throw new codes.ERR_IMPORT_ATTRIBUTE_UNSUPPORTED('type', type, url);
  throw new codes.ERR_IMPORT_ATTRIBUTE_TYPE_INCOMPATIBLE(url, type);
}

function checkKeys(attributes, url) {
  if (attributes === undefined) return;
  for (const key of Object.keys(attributes)) {
    if (key !== 'type' || (attributes.type !== 'json' && attributes.type !== 'text')) {
      throw new codes.ERR_IMPORT_ATTRIBUTE_UNSUPPORTED(key, attributes[key], url);
    }
  }
}

module.exports = { mayDetect, checkAttributes, checkKeys, formatHint, formatOf, isModuleText, parseData, readSource };
