'use strict';
// URL and URLSearchParams, the old functions, and buffers' odd corners: shapes and refusals.
const url = require('url');
const { transcode, isUtf8, isAscii, resolveObjectURL } = require('buffer');
const show = (label, run) => {
  try {
    const value = run();
    console.log(label, 'ok', value);
  } catch (error) {
    console.log(label, error.name, error.code, error.message, error.input, error.base);
  }
};
const all = (label, list, run) => { for (const each of list) show(`${label} ${typeof each === 'symbol' ? 'symbol' : JSON.stringify(each)}`, () => run(each)); };
all('new URL', [[], ['x'], ['/x', 'y'], ['/x', 'https://a.b/c/d'], [null], [Symbol.iterator], ['https://a:b@c.d:80/e?f#g'], ['http://[::1'], ['https://a b'], ['file:///C|/x'], ['http://1.2.3.256'], ['http://0x7f.1'],
  ['https://ex\u00e4mple.org/\u00fc?\u00e9#\u00e8'], ['data:x y z '], ['javascript:alert(1)'], ['http://a//b/../c'], ['HTTP://A.B:80'], ['ws://a:99999'], ['//x'], ['', 'https://a.b']], (given) => new url.URL(...given).href);
all('canParse', [[], ['x'], ['/x', 'https://a'], ['https://a']], (given) => url.URL.canParse(...given));
all('URL.parse', [[], ['x'], ['/x', 'https://a']], (given) => url.URL.parse(...given)?.href);
{
  const u = new url.URL('https://user:pw@host.example:8080/p/a/t/h?query=string#hash');
  for (const [name, value] of [['protocol', 'http'], ['protocol', 'foo'], ['protocol', 'file'], ['username', 'a b'], ['password', ''], ['host', 'x.y:1'], ['host', 'bad host'], ['hostname', 'z:5'], ['hostname', ''],
    ['port', '65536'], ['port', '7x'], ['port', ''], ['pathname', 'a?b#c'], ['search', 'x y'], ['search', ''], ['hash', '#'], ['hash', 'a b']]) {
    u[name] = value;
    console.log(name, JSON.stringify(value), u.href);
  }
  show('href', () => { u.href = 'nope'; });
  console.log(u, url.urlToHttpOptions(u), JSON.stringify(u));
}
all('URLSearchParams', [undefined, null, '', '?a=1&a=2&b', 'a=%zz&%c3=%e2%82', { a: 1, b: [2] }, [['a', 'b']], [['a']], [5], 5, [['a', 'b', 'c']]], (init) => `${new url.URLSearchParams(init)}`);
{
  const p = new url.URLSearchParams('b=2&a=1&b=3&\ud800=\udc00');
  show('sort', () => { p.sort(); return `${p}`; });
  all('get', ['b', 'z', null], (name) => p.get(name));
  show('getAll', () => p.getAll('b'));
  show('has', () => [p.has('b'), p.has('b', '3'), p.has('b', '9')]);
  show('delete', () => { p.delete('b', '2'); return `${p}`; });
  show('set', () => { p.set('b', '7'); p.append('c', 'd e+f&g'); return [`${p}`, p.size]; });
  show('args', () => p.get());
  show('args', () => p.append('x'));
  show('this', () => url.URLSearchParams.prototype.get.call({}, 'x'));
  show('forEach', () => p.forEach(5));
  console.log(p, p.entries(), [...p.keys()], p[Symbol.iterator]().toString());
}
all('fileURLToPath', ['file:///a%20b', 'file:///a%2Fb', 'file://host/a', 'http://a', 'x', 5, 'file:///%E4'], (given) => url.fileURLToPath(given));
all('pathToFileURL', ['/a b', '/a%b', '/a#b?c', '/\u00fc', '/a\\b', '/a/', '/~[x]^|'], (given) => url.pathToFileURL(given).href);
all('domain', ['xn--fiq228c.com', '\u4e2d\u6587.com', 'xn--i\u00f1valid.com', 'a b', ''], (name) => [url.domainToASCII(name), url.domainToUnicode(name)]);
all('parse', ['http://a.com:80/b?c=d#e', 'mailto:a@b', '//x/y', 'javascript:x', 'HTTP://USER:PW@A.b/%7Efoo', 'http://a.com/ b', 'x?y', 'http://[::1]:5/', 'http://a;b/c', 'http://x:abc/'], (given) => url.parse(given).href);
all('resolve', [['/one/two/three', 'four'], ['http://a/b', '/c'], ['http://a/b/c/d', '../x'], ['http://a', '//b/c'], ['mailto:a@b', 'c'], ['http://a/b?c', '#d']], (given) => url.resolve(...given));
all('format', [{ protocol: 'http', host: 'a.b', pathname: 'c', query: { d: [1, 2] } }, { hostname: 'x', port: 5, slashes: true }, 5, 'http://a/?b#c'], (given) => url.format(given));
show('format', () => url.format(new url.URL('http://u:p@\u4e2d.com/a?b#c'), { auth: false, fragment: false, search: false, unicode: true }));
all('transcode', [['\u20ac', 'utf8', 'latin1'], ['\u20ac', 'utf8', 'ascii'], ['\u20ac', 'utf8', 'utf16le'], ['a', 'utf8', 'nope'], ['\u00e9', 'utf8', 'ucs2'], ['a', 'hex', 'utf8']],
  ([text, from, to]) => transcode(Buffer.from(text), from, to));
show('transcode', () => transcode('x', 'utf8', 'latin1'));
all('isUtf8', [[255], [195, 169], []], (bytes) => [isUtf8(Buffer.from(bytes)), isAscii(Buffer.from(bytes))]);
show('isUtf8', () => isUtf8('x'));
all('resolveObjectURL', ['blob:nodedata:x', 'x', 5], (id) => resolveObjectURL(id));
show('blob', () => { const id = URL.createObjectURL(new Blob(['x'], { type: 'A/B' })); const blob = resolveObjectURL(id); URL.revokeObjectURL(id); return [/^blob:nodedata:/.test(id), blob, resolveObjectURL(id)]; });
show('blob', () => URL.createObjectURL(5));
all('Blob', [[], [[]], ['x'], [['a', Buffer.from('b')]], [['x'], { type: '\u00e9' }], [['a\nb'], { endings: 'native' }], [['x'], { endings: 'nope' }], [['x'], 5]], (given) => new Blob(...given));
all('File', [[], [['x']], [['x'], 'n'], [['x'], 'n', { lastModified: 5, type: 'T/X' }], [['x'], 5, { lastModified: 'x' }]], (given) => { const f = new File(...given); return [f.name, f.size, f.type, typeof f.lastModified]; });
all('atob', ['YQ==', 'YQ', 'Y', 'Y Q = =', '*', '', 'YWJj\n', null], (text) => atob(text));
all('btoa', ['a', '\u00ff', '\u0100', '', null], (text) => btoa(text));
