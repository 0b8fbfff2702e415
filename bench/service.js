'use strict';
// A service that does what services do: routes, JSON, a database (node:sqlite), files. Prints its port.
//
//   node bench/service.js          loaded by bench/service-cost

const { createServer } = require('node:http');
const { readFile, writeFile, mkdtemp } = require('node:fs/promises');
const { rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { DatabaseSync } = require('node:sqlite');

const PRODUCTS = 2000;
const PAGES = 8;
const database = new DatabaseSync(':memory:');

function fillDatabase() {
  database.exec(`
    create table products (id integer primary key, name text, price integer, tags text);
    create table orders (id integer primary key, product integer, amount integer, at text);
    create index names on products (name)`);
  const insert = database.prepare('insert into products values (?, ?, ?, ?)');
  database.exec('begin');
  for (let id = 1; id <= PRODUCTS; id++) {
    insert.run(id, `product ${id % 97} of ${id}`, (id * 7919) % 10000, JSON.stringify(['new', `shelf ${id % 13}`]));
  }
  database.exec('commit');
}

fillDatabase();
const one = database.prepare('select * from products where id = ?');
const like = database.prepare('select id, name, price, tags from products where name >= ? order by name limit 20');
const order = database.prepare('insert into orders (product, amount, at) values (?, ?, ?)');
const forget = database.prepare('delete from orders where id <= ?');

function answer(response, status, value) {
  const text = JSON.stringify(value);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

const withTags = (row) => ({ ...row, tags: JSON.parse(row.tags) });

function getProduct(request, response, [id]) {
  const row = one.get(Number(id));
  if (row === undefined) answer(response, 404, { error: 'no such product', id });
  else answer(response, 200, withTags(row));
}

function search(request, response, groups, query) {
  const rows = like.all(`product ${query.get('from') ?? ''}`).map(withTags);
  answer(response, 200, { count: rows.length, sum: rows.reduce((sum, { price }) => sum + price, 0), rows });
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

async function postOrder(request, response) {
  const { product, amount } = await bodyOf(request);
  const { lastInsertRowid: id } = order.run(product, amount, new Date().toISOString());
  if (id % 1000 === 0) forget.run(id - 500);
  answer(response, 201, { id: Number(id), product: one.get(product), amount });
}

let folder;

async function getPage(request, response, [name]) {
  const template = await readFile(join(folder, `${name}.html`), 'utf8');
  const text = template.replace(/\{(\w+)\}/g, (all, key) => (key === 'name' ? name : String(request.headers[key])));
  response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

const routes = [
  ['GET', /^\/products\/(\d+)$/, getProduct],
  ['GET', /^\/search$/, search],
  ['POST', /^\/orders$/, postOrder],
  ['GET', /^\/pages\/(\w+)$/, getPage],
];

async function onRequest(request, response) {
  const url = new URL(request.url, 'http://localhost');
  try {
    for (const [method, pattern, handle] of routes) {
      const found = method === request.method && pattern.exec(url.pathname);
      if (found) return await handle(request, response, found.slice(1), url.searchParams);
    }
    answer(response, 404, { error: 'no such route' });
  } catch (error) {
    answer(response, 500, { error: error.message });
  }
}

async function main() {
  folder = await mkdtemp(join(tmpdir(), 'service-'));
  for (let i = 0; i < PAGES; i++) {
    await writeFile(join(folder, `page${i}.html`), `<h1>{name}</h1><p>{host}</p>${'<p>text</p>\n'.repeat(200)}`);
  }
  const server = createServer(onRequest);
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
  process.on('SIGTERM', () => {
    rmSync(folder, { recursive: true });
    process.exit(0);
  });
}

main();
