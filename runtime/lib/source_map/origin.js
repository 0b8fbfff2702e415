'use strict';

// --enable-source-maps, module.setSourceMapsSupport and module.findSourceMap: the maps of files that the program has
// loaded, and the conversion of positions in stacks. A map is loaded when an error of its file is first shown.

const { sources } = require('internal/state');

const kComment = /\/[/*][#@][ \t]+sourceMappingURL=([^\s'"]+)/g;

const support = { enabled: false, nodeModules: false, generatedCode: false };
const maps = new Map(); // file -> SourceMap, or null
const texts = new Map(); // file -> what was compiled, of files with a map

function enable(enabled, nodeModules, generatedCode) {
  Object.assign(support, { enabled, nodeModules, generatedCode });
  require('internal/errors/frames').mapFrames(enabled ? originOf : null, enabled ? note : null);
}

// Called for a text that is compiled under this name: tools that generate code add their map to it.
function note(file, text) {
  maps.delete(file);
  if (text.includes('sourceMappingURL=')) texts.set(file, text);
  else texts.delete(file);
}

// The last comment of its kind. If code follows it, it may be part of a string: then the code is parsed.
function addressIn(text) {
  const found = [...text.matchAll(kComment)].at(-1);
  if (found === undefined) return undefined;
  if (!/\n\s*\S/.test(text.slice(found.index))) return found[1];
  const comments = [];
  for (const sourceType of ['module', 'script']) {
    comments.length = 0;
    try {
      require('internal/deps/acorn').parse(text, {
        ecmaVersion: 'latest',
        sourceType,
        allowHashBang: true,
        allowReturnOutsideFunction: true,
        onComment: (block, body) => comments.push(body),
      });
      break;
    } catch {
      // no code of this kind
    }
  }
  return comments
    .map((body) => /^[#@][ \t]+sourceMappingURL=([^\s'"]+)/.exec(body)?.[1])
    .findLast((address) => address !== undefined);
}

function payloadAt(address, base) {
  if (address.startsWith('data:')) {
    const comma = address.indexOf(',');
    const head = address.slice(5, comma);
    if (comma === -1 || !/^application\/json(?:;|$)/.test(head)) return undefined;
    const body = address.slice(comma + 1);
    return JSON.parse(head.endsWith(';base64') ? Buffer.from(body, 'base64').toString() : decodeURIComponent(body));
  }
  const url = new URL(address, base);
  if (url.protocol !== 'file:') return undefined;
  return JSON.parse(require('fs').readFileSync(url, 'utf8'));
}

// Sources are resolved relative to the map, or to the code that contains it.
function located(payload, address, base) {
  const from = address.startsWith('data:') ? base : new URL(address, base);
  const root = payload.sourceRoot ?? '';
  const place = (source) => URL.parse(root + source, from)?.href ?? source;
  if (!Array.isArray(payload.sources)) return payload;
  return { ...payload, sources: payload.sources.map(place), sourceRoot: '' };
}

function load(file) {
  const text = texts.get(file) ?? require('internal/process/execution').sourceText(file);
  const address = text === undefined ? undefined : addressIn(text);
  if (address === undefined) return null;
  try {
    const { pathToFileURL } = require('internal/url/files');
    const base = file.startsWith('/') ? pathToFileURL(file) : file;
    const payload = payloadAt(address, base);
    if (payload === undefined || payload === null || typeof payload !== 'object') return null;
    const { SourceMap } = require('internal/source_map/map');
    return new SourceMap(located(payload, address, base), { lineLengths: text.split('\n').map((line) => line.length) });
  } catch {
    return null; // a map that cannot be loaded counts as none
  }
}

function mapOf(file) {
  if (!support.enabled || !file || file.startsWith('node:')) return undefined;
  if (!support.nodeModules && /[/\\]node_modules[/\\]/.test(file)) return undefined;
  let map = maps.get(file);
  if (map === undefined) {
    maps.set(file, null); // a failure is remembered, and not tried again
    maps.set(file, (map = load(file)));
  }
  return map ?? undefined;
}

function pathOf(source) {
  if (!source.startsWith('file:')) return source;
  try {
    return require('internal/url/files').fileURLToPath(source);
  } catch {
    return source;
  }
}

// A frame with its position in the source, or the frame itself.
function originOf(frame) {
  if (frame.native || !(frame.line > 0)) return frame;
  const map = mapOf(frame.file);
  if (map === undefined) return frame;
  const { originalSource, originalLine, originalColumn } = map.findEntry(frame.line - 1, frame.column - 1);
  if (originalSource === undefined) return frame;
  const file = pathOf(originalSource);
  const { sources: list = [], sourcesContent = [] } = map.payload;
  const content = sourcesContent[list.indexOf(originalSource)];
  if (typeof content === 'string' && !sources.has(file)) sources.set(file, content);
  return { ...frame, file, line: originalLine + 1, column: originalColumn + 1, generated: frame };
}

// Only for loaded files: `isLoaded` checks a path or a URL.
function find(path, isLoaded) {
  for (const file of [
    path,
    pathOf(path),
    path.startsWith('/') ? require('internal/url/files').pathToFileURL(path).href : path,
  ]) {
    if (isLoaded(file)) return mapOf(file);
  }
  return undefined;
}

module.exports = { enable, find, originOf, support };
