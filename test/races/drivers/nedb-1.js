'use strict';
// nedb pull request 610: ensureIndex() writes to the file and is not waited for; the file is written meanwhile, and what is loaded is not
// what was written. The first of two tests of nedb's own: an index, and three documents.

const fs = require('fs');
const path = require('path');
const { bug, folder, isFixed } = require('../driver.js');
const Datastore = require('nedb-1.8.0');

const filename = path.join(folder(), 'test.db');
const rows = ['1', '2', '3'].map((z) => JSON.stringify({ _id: `id${z}`, z }));
const store = new Datastore({ filename });

function load() {
  fs.writeFile(filename, rows.join('\n'), (error) => {
    if (error) throw error;
    store.loadDatabase(() => {
      const documents = store.getAllData().length,
        keys = store.indexes.z?.tree.getNumberOfKeys();
      if (documents !== 3 || keys !== 3) bug(`${documents} documents and ${keys} keys were loaded, of 3`);
    });
  });
}

if (isFixed) store.ensureIndex({ fieldName: 'z' }, load);
else {
  store.ensureIndex({ fieldName: 'z' });
  load();
}
