'use strict';

// Glob patterns as regular expressions: *, **, ?, [sets], {alternatives} and extended groups,
// for path.matchesGlob and fs.glob.

function translateSet(pattern, i) {
  let j = i + 1;
  let text = '[';
  if (pattern[j] === '!' || pattern[j] === '^') {
    text += '^/';
    j++;
  }
  const start = j;
  while (j < pattern.length && (pattern[j] !== ']' || j === start)) {
    if (pattern[j] === '[' && pattern[j + 1] === ':') {
      const close = pattern.indexOf(':]', j);
      const name = close === -1 ? undefined : pattern.slice(j + 2, close);
      const known = {
        alpha: '\\p{L}',
        digit: '\\d',
        alnum: '\\p{L}\\p{N}',
        upper: '\\p{Lu}',
        lower: '\\p{Ll}',
        space: '\\s',
        punct: '\\p{P}',
        word: '\\w',
        xdigit: 'A-Fa-f0-9',
      }[name];
      if (known !== undefined) {
        text += known;
        j = close + 2;
        continue;
      }
    }
    const c = pattern[j];
    if (c === '\\' && j + 1 < pattern.length) {
      text += `\\${pattern[j + 1]}`;
      j += 2;
      continue;
    }
    text += c === '\\' || c === '[' || c === '&' || c === '~' ? `\\${c}` : c;
    j++;
  }
  return j >= pattern.length ? undefined : { text: `${text}]`, end: j };
}

function expandBraces(pattern) {
  let depth = 0;
  let start = -1;
  for (let i = 0; i < pattern.length; i++) {
    if (pattern[i] === '\\') {
      i++;
    } else if (pattern[i] === '{') {
      if (depth++ === 0) start = i;
    } else if (pattern[i] === '}' && depth > 0 && --depth === 0) {
      const inner = pattern.slice(start + 1, i);
      const before = pattern.slice(0, start);
      const after = pattern.slice(i + 1);
      const range = /^(-?\d+)\.\.(-?\d+)$/.exec(inner);
      let choices;
      if (range) {
        choices = [];
        const from = Number(range[1]);
        const to = Number(range[2]);
        const step = from <= to ? 1 : -1;
        for (let n = from; n !== to + step; n += step) choices.push(String(n));
      } else {
        choices = [];
        let level = 0;
        let last = 0;
        for (let j = 0; j <= inner.length; j++) {
          if (inner[j] === '{') level++;
          else if (inner[j] === '}') level--;
          else if (j === inner.length || (inner[j] === ',' && level === 0)) {
            choices.push(inner.slice(last, j));
            last = j + 1;
          }
        }
        if (choices.length < 2) continue;
      }
      return choices.flatMap((choice) => expandBraces(before + choice + after));
    }
  }
  return [pattern];
}

// One segment of a pattern (no slash in it) as the source of a regular expression.
function translateSegment(pattern) {
  let source = '';
  const groups = [];
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i];
    if ('?*+@!'.includes(c) && pattern[i + 1] === '(') {
      groups.push(c);
      source += c === '!' ? '(?:(?!(?:' : '(?:';
      i++;
    } else if (c === ')' && groups.length > 0) {
      const kind = groups.pop();
      if (kind === '!')
        source += `)${groups.length === 0 ? `(?:${translateSegment(pattern.slice(i + 1))})$` : ''})[^/]*?)`;
      else source += kind === '@' ? ')' : `)${kind}`;
    } else if (c === '|' && groups.length > 0) {
      source += '|';
    } else if (c === '*') {
      source += '[^/]*?';
    } else if (c === '?') {
      source += '[^/]';
    } else if (c === '[') {
      const set = translateSet(pattern, i);
      if (set === undefined) {
        source += '\\[';
      } else {
        source += set.text;
        i = set.end;
      }
    } else if (c === '\\' && i + 1 < pattern.length) {
      source += pattern[++i].replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
    } else {
      source += c.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
    }
  }
  return source;
}

function startsWithWildcard(segment) {
  return /^[*?[]|^[+@!]\(/.test(segment);
}

function translate(pattern) {
  const segments = pattern.split('/');
  let source = '';
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i];
    const last = i === segments.length - 1;
    if (segment === '**') {
      if (last) source += '(?:(?!\\.{1,2}(?:/|$))(?!\\.)[^/]*(?:/(?!\\.)[^/]*)*)?';
      else source += '(?:(?!\\.)[^/]+/)*';
      continue;
    }
    const guard = startsWithWildcard(segment) ? '(?!\\.)' : '';
    source += `${guard}${translateSegment(segment)}${segment !== '' && /^[*]+$/.test(segment) ? '(?<=[^/])' : ''}`;
    if (!last) source += '/';
  }
  return source;
}

function matchGlobPattern(path, pattern, windows = process.platform === 'win32') {
  if (windows) {
    path = path.replaceAll('\\', '/');
    pattern = pattern.replaceAll('\\', '/');
  }
  const normalized = path
    .replace(/\/+/g, '/')
    .replace(/(?!^)\/\.(?=\/|$)/g, '')
    .replace(/^\.\/(?=.)/, '');
  return expandBraces(pattern.replace(/^\.\/(?=.)/, '')).some((each) => {
    const test = new RegExp(`^${translate(each.replace(/\/+/g, '/'))}$`, windows ? 'iu' : 'u');
    // For **, the part before the first slash of an absolute path is a folder like any other.
    return test.test(each.startsWith('**/') ? normalized.replace(/^\//, '') : normalized);
  });
}

module.exports = { expandBraces, matchGlobPattern, translateSegment, startsWithWildcard };
