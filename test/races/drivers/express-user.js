'use strict';
// express issue 3536: the user of a request is kept where the next request finds it. What the issue asks of MongoDB, a file gives here.

const fs = require('fs');
const http = require('http');
const path = require('path');
const express = require('express-4.16.4');
const { bug, folder, isFixed } = require('../driver.js');

const base = folder();
for (const name of ['ann', 'bob']) fs.writeFileSync(path.join(base, name), JSON.stringify({ name }));
const app = express();
let current;

app.use((request, response, next) => {
  fs.readFile(path.join(base, request.query.user), 'utf8', (error, text) => {
    if (error) return next(error);
    request.user = current = JSON.parse(text);
    next();
  });
});
app.get('/', (request, response, next) => {
  fs.stat(base, (error) => {
    if (error) return next(error);
    response.send((isFixed ? request.user : current).name);
  });
});

const server = app.listen(0, '127.0.0.1', () => {
  let open = 2;
  const get = (user) => {
    http.get({ port: server.address().port, host: '127.0.0.1', path: `/?user=${user}`, agent: false }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      if (text !== user) bug(`${user} is greeted as ${text}`);
      if (--open === 0) server.close();
    });
  };
  get('ann');
  setTimeout(get, 10, 'bob');
});
