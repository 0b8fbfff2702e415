'use strict';
// fs-extra 11.4.1: of two calls of ensureSymlink for one link the second fails (EEXIST). Both see that there is none, and both make
// it. ensureLink does the same. It hardly needs a schedule: most orders show it.

const fs = require('fs');
const path = require('path');
const extra = require('fs-extra-11.4.1');
const folder = require('./scratch.js');

const target = path.join(folder, 'target'), link = path.join(folder, 'link');
fs.writeFileSync(target, '');

Promise.all([extra.ensureSymlink(target, link), extra.ensureSymlink(target, link)]);
