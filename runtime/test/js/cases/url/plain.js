'use strict';

// URLs that need no parser, and those that look like them: random ones of parts that matter, each with all its
// properties. What is printed is a few of them, and a sum over all.

let state = 7;
const below = (n) => (state = (state * 1103515245 + 12345) % 2147483648) % n;
const one = (list) => list[below(list.length)];

const schemes = ['http', 'https', 'ws', 'wss', 'HTTP', 'ftp', 'file', 'blob', 'x', ''];
const separators = ['://', '://', '://', '://', ':/', ':', ':\\\\', ':///'];
const users = ['', '', '', 'user@', 'a.b-c_d~@', 'u:p@', 'u:@', '@', 'a@b@', '%41@', 'é@'];
const hosts = [
  ...[
    'example.org',
    'a',
    'a-b.c',
    'a.b.',
    'a..b',
    '.',
    '',
    'x9',
    '9x',
    '1.2.3.4',
    '1.2',
    '0x10',
    'a.0x1',
    'a.1',
    '256.1.1.1',
  ],
  ...[
    'EXAMPLE.org',
    'xn--p1ai',
    'axn--b',
    'a_b',
    'a%41',
    'münchen.de',
    '[::1]',
    '[1::',
    'a b',
    'localhost',
    '-',
    'a.b-',
  ],
];
const ports = ['', '', '', ':80', ':443', ':8080', ':', ':0', ':00080', ':65535', ':65536', ':999999', ':x', ':21'];
const paths = [
  ...[
    '',
    '/',
    '/a',
    '/a/',
    '/a/b',
    '//',
    '/./a',
    '/a/..',
    '/a/../b',
    '/%2e/a',
    '/a%2E%2e',
    '/.a/..b',
    '/a b',
    "/'",
    '/é',
  ],
  ...['/a;b=c,d', '/~a!$&(*)+@:', '/%', '/%zz', '/\\', '/|', '/{}', '/C:/x', '/^', '/"', '/a\tb'],
];
const queries = ['', '', '?', '?a=b', '?a=b&c', '?a?b/c', "?'", '?é', '?a b', '?%', '?[]', '?a\nb', '?"<>', '?`{}|^'];
const fragments = ['', '', '#', '#e', '#e/f?g', '#`', '# ', '#é', "#'", '#a#b', '#{}|^'];
const bases = [undefined, undefined, 'https://base.org:81/x/y?z', 'file:///a/b', 'x:opaque'];

const names = 'href origin protocol username password host hostname port pathname search hash'.split(' ');
let sum = 0;
const add = (text) => {
  for (let i = 0; i < text.length; i++) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) >>> 0;
};

for (let i = 0; i < 6000; i++) {
  const text =
    one(schemes) + one(separators) + one(users) + one(hosts) + one(ports) + one(paths) + one(queries) + one(fragments);
  const base = one(bases);
  let said;
  try {
    const url = new URL(text, base);
    said = names.map((name) => url[name]).join(' ');
    if (i % 5 === 0) {
      url.searchParams.append('k', 'v w');
      url[one(['port', 'host', 'username', 'pathname', 'hash', 'search', 'protocol'])] = one([
        '8',
        'a',
        '',
        'http',
        '#?',
      ]);
      said += ` ${url.href}`;
    }
  } catch (error) {
    said = error.code;
  }
  add(`${said}\n`);
  if (i % 100 === 0) console.log(`${text} ${said}`);
}
console.log(sum);
