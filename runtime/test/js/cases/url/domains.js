'use strict';
// domainToASCII and domainToUnicode refuse what is more than a host.
const { domainToASCII, domainToUnicode } = require('url');

const domains = ['http://x/', 'http:', '//x', '\\x', 'a:80', 'a:', ':80', 'user@h', 'u:p@h', '[::1]', '[::1]:80', 'a/b', 'a?b', 'a#b', 'a\\b', 'A.B', '',
  'español.com', 'xn--espaol-zwa.com', '中文.com', '1.2.3.4', '0x7f.1', 'a b', 'a%41', '..', '☃.net', 'localhost', '^', 'a|b'];
for (const domain of domains) console.log(JSON.stringify(domain), domainToASCII(domain), domainToUnicode(domain));
