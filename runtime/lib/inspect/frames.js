'use strict';

// Lines of a stack in colours: frames of the runtime itself and the working directory are
// grey, packages are underlined.

const ownFrame = /^\s+at (?:[^()]* \()?node:([\w/.-]+):\d+:\d+\)?$/;
const packageName = /([/\\]node_modules[/\\])(@[^/\\]+[/\\][^/\\]+|[^/\\]+)/g;

function isOwn(line) {
  const id = ownFrame.exec(line)?.[1];
  return id !== undefined && internalBinding('runtime').hasBuiltin(id);
}

// The working directory as a path and as a file: URL.
function directories() {
  let path;
  try {
    path = process.cwd();
  } catch {
    return [];
  }
  const { pathToFileURL } = require('internal/url/files');
  return [pathToFileURL(path).href, path];
}

function withDirectory(line, places, paint) {
  for (const place of places) {
    let start = line.indexOf(place);
    if (start === -1) continue;
    const end = start + place.length + 1; // with the slash
    if (line[end - 1] !== '/') continue;
    const inParentheses = line[start - 1] === '(';
    if (inParentheses) start--;
    const before = line.slice(0, start);
    const grey = paint(line.slice(start, end), 'undefined');
    const rest = line.slice(end);
    if (!inParentheses || !rest.endsWith(')')) return [before + grey, rest, ''];
    return [before + grey, rest.slice(0, -1), paint(')', 'undefined')];
  }
  return ['', line, ''];
}

function coloured(lines, paint) {
  let places;
  return lines.map((line) => {
    if (line.includes('\u001b')) return line; // a note, coloured already
    if (isOwn(line)) return paint(line, 'undefined');
    places ??= directories();
    const [before, path, after] = withDirectory(line, places, paint);
    // The slash before node_modules may belong to the directory.
    const marked = `/${path}`.replace(packageName, (whole, folder, name) => folder + paint(name, 'module')).slice(1);
    return before + marked + after;
  });
}

module.exports = { coloured };
