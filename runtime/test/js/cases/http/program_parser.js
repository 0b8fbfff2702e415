// The parser of _http_common, for programs that bring the bytes themselves.
const { HTTPParser } = require('_http_common');
const handlers = ['kOnHeaders', 'kOnHeadersComplete', 'kOnBody', 'kOnMessageComplete'];

function run(type, texts, answer) {
  const parser = new HTTPParser();
  parser.initialize(type, {});
  for (const name of handlers) {
    parser[HTTPParser[name]] = function(...args) {
      console.log(' ', name, this === parser, JSON.stringify(args.map((arg) => Buffer.isBuffer(arg) ? `${arg}` : arg)));
      if (answer instanceof Error && name === 'kOnMessageComplete') throw answer;
      return name === 'kOnHeadersComplete' ? answer : undefined;
    };
  }
  const show = (value) => value instanceof Error ? [value.message, value.code, value.reason, value.bytesParsed] : value;
  try {
    for (const text of texts) console.log(show(parser.execute(Buffer.from(text))));
  } catch (error) {
    console.log('thrown', error.message);
  }
  console.log('finish', show(parser.finish()));
  console.log(parser.remove(), parser.free(), parser.close());
}

const { REQUEST, RESPONSE } = HTTPParser;
console.log(Object.entries(HTTPParser).join(' '));
run(REQUEST, ['GET /a HTTP/1.1\r\nHost: x\r\nA: b\r\nA: c\r\n\r\n']);
run(REQUEST, ['POST /a HTTP/1.1\r\nContent-', 'Length: 5\r\n\r\nhe', 'llo', 'GET /n HTTP/1.0\r\n\r\n']);
run(REQUEST, ['POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nTrailer: x\r\n\r\n']);
run(REQUEST, ['GET / HTTP/1.1\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nrest']);
run(REQUEST, ['CONNECT a:1 HTTP/1.1\r\n\r\nrest']);
run(REQUEST, ['garbage\r\n\r\n']);
run(REQUEST, ['POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nab']);
run(REQUEST, ['GET / HTTP/1.1\r\n\r\n'], new Error('of a handler'));
run(RESPONSE, ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi']);
run(RESPONSE, ['HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\nbody', 'more']);
run(RESPONSE, ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n'], 1);
run(RESPONSE, ['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 204 No Content\r\n\r\n']);
