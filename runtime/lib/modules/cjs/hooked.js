'use strict';

// Resolving and loading through the program's hooks.

const helpers = require('internal/modules/helpers');
const packages = require('internal/modules/package_json');
const { hooks } = require('internal/modules/hooks');
const { Module } = require('internal/modules/cjs/module');
const { readSource } = require('internal/modules/cjs/source');

const toUrl = (filename) => require('internal/modules/esm/resolve').pathToUrl(filename);
const toFilename = (url) => (url.startsWith('file:') ? require('internal/modules/esm/resolve').urlToPath(url) : url);

// -> { filename, format }; a URL that is no file URL is kept as it is.
function resolveHooked(request, parent, isMain, options) {
  const parentURL = parent?.filename
    ? parent.filename[0] === '/'
      ? toUrl(parent.filename)
      : parent.filename
    : undefined;
  const { url, format } = hooks.resolve(request, parentURL, undefined, [...helpers.requireConditions], (specifier) => {
    const wanted = specifier.startsWith('file:') ? toFilename(specifier) : specifier;
    const found = Module._resolveFilename(wanted, parent, isMain, options);
    const isBuiltin = helpers.isBuiltin(found);
    return {
      __proto__: null,
      url: isBuiltin ? `node:${helpers.builtinName(found)}` : toUrl(found),
      format: undefined,
      importAttributes: undefined,
    };
  });
  return { filename: toFilename(url), format };
}

function formatHint(filename) {
  if (helpers.isBuiltin(filename)) return 'builtin';
  if (filename.endsWith('.json')) return 'json';
  if (filename.endsWith('.mjs')) return 'module';
  if (filename.endsWith('.cjs')) return 'commonjs';
  if (filename.endsWith('.node')) return 'addon';
  if (/\.[cm]?ts$/.test(filename)) {
    const typescript = require('internal/modules/typescript');
    const kind = typescript.isEnabled() ? typescript.kindOf(filename, packages.scopeOf(filename)?.type) : undefined;
    return kind && `${kind}-typescript`;
  }
  const type = filename.endsWith('.js') ? (packages.scopeOf(filename)?.type ?? 'none') : 'none';
  return type === 'none' ? undefined : type;
}

function loadHooked(filename, hint) {
  const url = filename[0] === '/' ? toUrl(filename) : `${filename}`;
  return hooks.load(
    url,
    hint ?? formatHint(filename),
    undefined,
    [...helpers.requireConditions],
    (wanted, { format }) => {
      if (format === 'builtin') return { source: undefined, format };
      return { source: format === 'addon' ? undefined : readSource(toFilename(wanted)), format };
    },
  );
}

module.exports = { loadHooked, resolveHooked };
