'use strict';
// simplecrawler issue 298: a request no longer counts as open while its page is being decompressed, which is before its links are in the
// queue; when the next look at the queue comes in between, the crawl ends without them.

const http = require('http');
const zlib = require('zlib');
const { bug, isFixed, pick } = require('../driver.js');
const Crawler = pick('simplecrawler-0.7.0', 'simplecrawler-1.0.1');

const pages = { '/': '<a href="/next">next</a>', '/next': 'the end' };
const server = http.createServer((request, response) => {
  response.setHeader('Content-Type', 'text/html');
  response.setHeader('Content-Encoding', 'gzip');
  response.end(zlib.gzipSync(pages[request.url] ?? ''));
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address(),
    crawler = isFixed ? new Crawler(`http://127.0.0.1:${port}/`) : new Crawler('127.0.0.1', '/', port);
  const seen = [];
  crawler.interval = 50;
  crawler.respectRobotsTxt = false;
  crawler.on('fetchcomplete', ({ path }) => seen.push(path));
  crawler.on('complete', () => {
    if (!seen.includes('/next')) bug('the crawl ended before the last page');
    server.close();
    server.closeAllConnections();
  });
  crawler.start();
});
