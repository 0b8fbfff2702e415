'use strict';
// URLPattern: its shape, what it refuses, and what its patterns match.
const { URLPattern } = require('url');
const e = (l, f) => { try { console.log(l, f()); } catch (x) { console.log(l, x.name, x.code, x.message); } };
const d = (o) => Reflect.ownKeys(o).map((n) => { const p = Object.getOwnPropertyDescriptor(o, n); return [String(n), p.enumerable, p.configurable, p.writable, typeof p.get, typeof p.value, p.get?.name, typeof p.value === 'function' ? p.value.length : p.value].join(); });
e('own', () => d(URLPattern)); e('proto', () => d(URLPattern.prototype)); e('inst', () => d(new URLPattern()));
e('same', () => URLPattern === globalThis.URLPattern);
e(1, () => new URLPattern()); e(2, () => new URLPattern('https://a.com/:x?q#h'));
e(3, () => new URLPattern({pathname:'/:a'}).exec('https://example.com/x')); 
e(4, () => new URLPattern('/foo')); e(5, () => new URLPattern('(')); e(6, () => new URLPattern(1)); e(7, () => new URLPattern({}, 1)); e(8, () => new URLPattern({}, '', 1)); e(9, () => URLPattern());
e(10, () => new URLPattern({}, 'https://a')); e(11, () => new URLPattern({pathname: '('})); e(12, () => new URLPattern({hostname: 'a b'})); e(13, () => new URLPattern({port: 'x'}));
e(14, () => new URLPattern().test(1)); e(15, () => new URLPattern().test('', 1)); e(16, () => new URLPattern().test({}, 'x')); e(17, () => URLPattern.prototype.test.call({})); e(18, () => Object.getOwnPropertyDescriptor(URLPattern.prototype, 'hash').get.call({}));
e(19, () => new URLPattern('a', 'b', 1)); e(20, () => new URLPattern({baseURL: 'x'})); e(21, () => new URLPattern({pathname: '/(a'})); e(22, () => new URLPattern({pathname: '/:a/:a'})); e(23, () => new URLPattern({pathname: '/([z-a])'})); e(24, () => new URLPattern(Symbol())); e(25, () => new URLPattern('https://a.com', {ignoreCase: true}).hasRegExpGroups); e(26, () => new URLPattern({pathname: 5}).pathname); e(27, () => new URLPattern({pathname: '/(a)'}).hasRegExpGroups);
e(29, () => new URLPattern({pathname: '/:a?'}).exec('https://x', 'https://y')); e(30, () => Object.prototype.toString.call(new URLPattern()));
e(31, () => require('util').inspect(new URLPattern({pathname: '/x'}), {depth: 0}));
e(33, () => new URLPattern({search: "'"}).search); e(34, () => new URLPattern({protocol: 'https', search: "'"}).search); e(35, () => new URLPattern({search: "a'"}).test({search: "a'"})); e(36, () => new URLPattern({search: "a'"}).test("https://x?a'")); e(37, () => new URLPattern([])); e(38, () => new URLPattern(()=>{})); e(39, () => new URLPattern('https://a', [])); e(40, () => new URLPattern(new URL('https://a.b/c')).hostname);
e(41, () => new URLPattern({pathname: Symbol()})); e(42, () => new URLPattern({ pathname: '/x' }).test({pathname: '/x'}, undefined));
e(43, () => new URLPattern(true)); e(44, () => new URLPattern('https://a.com', null, undefined)); e(45,() => new URLPattern('https://a.com', undefined, {}).hostname);

const subjects = ['https://example.com/', 'https://example.com/foo', 'https://example.com/foo/bar', 'http://example.com:8080/foo?q=1#h',
  'https://user:secret@sub.example.com/foo', 'https://example.com/foo.html', 'file:///etc/passwd', 'data:text/plain,x', 'https://[::1]:8443/',
  'https://ex\u00e4mple.org/b\u00fccher', 'https://example.com/FOO'];
// In which order groups stand is not said.
const groupsOf = ({ groups, input }) => JSON.stringify([input, Object.entries(groups).sort()]);
for (const given of [
  [{ pathname: '/foo/:bar' }], [{ pathname: '/:first/:second?' }], [{ pathname: '/foo/*' }], [{ pathname: '/:name(\\w+).:ext(html|txt)' }],
  [{ pathname: '{/:part}*' }], [{ pathname: '/(foo|bar)/:rest+' }], [{ hostname: '{*.}?example.com' }], [{ hostname: '*.example.com', protocol: 'http{s}?' }],
  ['https://example.com/:path?'], ['https://example.com:*/foo?:q'], ['/foo', 'https://example.com'], ['?q=:v', 'http://example.com:8080/foo'],
  ['#h', 'http://example.com:8080/foo?q=1'], ['https://*:*@*/foo'], ['data\\:text/*'], ['https://[\\:\\:1]:8443/*'], [{ port: '8080' }],
  [{ pathname: '/foo' }, { ignoreCase: true }], ['https://example.com/foo', { ignoreCase: true }], [{ pathname: 'foo', baseURL: 'https://example.com/' }],
  [{ hostname: 'ex\u00e4mple.org' }], [{ pathname: '/b\u00fccher' }], [{ search: 'q=(\\d+)', hash: '*' }], [{ protocol: 'file' }], [{ pathname: '/{foo}+' }],
  [{ pathname: '/a/../foo' }], [{ pathname: '/:caf\u00e9' }], ['https://example.com/{foo/}?bar'], [{ pathname: '/:a:b' }], [{ pathname: '/:a{b}' }],
]) {
  const pattern = new URLPattern(...given);
  console.log(JSON.stringify(given), ['protocol', 'username', 'password', 'hostname', 'port', 'pathname', 'search', 'hash'].map((name) => pattern[name]).join(' | '));
  for (const subject of subjects) {
    if (pattern.test(subject)) console.log('  ', subject, groupsOf(pattern.exec(subject).pathname), groupsOf(pattern.exec(subject).hostname));
  }
}
