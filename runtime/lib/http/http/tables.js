'use strict';

// Tables of HTTP: methods in the order of the parser's numbers, and the reason phrases of status codes.

const parserMethods = [
  'DELETE',
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'COPY',
  'LOCK',
  'MKCOL',
  'MOVE',
  'PROPFIND',
  'PROPPATCH',
  'SEARCH',
  'UNLOCK',
  'BIND',
  'REBIND',
  'UNBIND',
  'ACL',
  'REPORT',
  'MKACTIVITY',
  'CHECKOUT',
  'MERGE',
  'M-SEARCH',
  'NOTIFY',
  'SUBSCRIBE',
  'UNSUBSCRIBE',
  'PATCH',
  'PURGE',
  'MKCALENDAR',
  'LINK',
  'UNLINK',
  'SOURCE',
];
// The parser's number of this method is out of sequence (after those of HTTP/2 and RTSP).
parserMethods[46] = 'QUERY';

const known = parserMethods.filter((name) => name !== undefined);

const phrases = {
  1: 'Continue|Switching Protocols|Processing|Early Hints',
  2: 'OK|Created|Accepted|Non-Authoritative Information|No Content|Reset Content|Partial Content|Multi-Status|Already Reported',
  3: 'Multiple Choices|Moved Permanently|Found|See Other|Not Modified|Use Proxy||Temporary Redirect|Permanent Redirect',
  4:
    'Bad Request|Unauthorized|Payment Required|Forbidden|Not Found|Method Not Allowed|Not Acceptable|Proxy Authentication Required|' +
    'Request Timeout|Conflict|Gone|Length Required|Precondition Failed|Payload Too Large|URI Too Long|Unsupported Media Type|' +
    "Range Not Satisfiable|Expectation Failed|I'm a Teapot|||Misdirected Request|Unprocessable Entity|Locked|Failed Dependency|Too Early|" +
    'Upgrade Required||Precondition Required|Too Many Requests||Request Header Fields Too Large',
  5:
    'Internal Server Error|Not Implemented|Bad Gateway|Service Unavailable|Gateway Timeout|HTTP Version Not Supported|' +
    'Variant Also Negotiates|Insufficient Storage|Loop Detected|Bandwidth Limit Exceeded|Not Extended|Network Authentication Required',
};

const STATUS_CODES = { 226: 'IM Used', 451: 'Unavailable For Legal Reasons' };
for (const hundred of Object.keys(phrases)) {
  phrases[hundred].split('|').forEach((phrase, i) => {
    if (phrase !== '') STATUS_CODES[hundred * 100 + i] = phrase;
  });
}

// Status lines of responses, made once each.
const statusLines = new Map();
function statusLine(code, message) {
  let line = statusLines.get(code);
  if (line !== undefined && message === STATUS_CODES[code]) return line;
  line = `HTTP/1.1 ${code} ${message}\r\n`;
  if (message === STATUS_CODES[code]) statusLines.set(code, line);
  return line;
}

module.exports = { parserMethods, METHODS: known.toSorted(), STATUS_CODES, statusLine };
