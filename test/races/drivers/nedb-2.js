'use strict';
// nedb pull request 610, the second of its two tests: the index is unique, and the file breaks that. Loading has to fail.

const fs = require('fs');
const path = require('path');
const { bug, folder, isFixed } = require('../driver.js');
const Datastore = require('nedb-1.8.0');

const filename = path.join(folder(), 'test.db');
const rows = ['1', '2', '1'].map((z, i) => JSON.stringify({ _id: `id${i}`, z }));
const store = new Datastore({ filename });

function load() {
  fs.writeFile(filename, rows.join('\n'), (error) => {
    if (error) throw error;
    store.loadDatabase((refusal) => {
      if (refusal?.errorType !== 'uniqueViolated') bug(`loading does not say that a key is there twice: ${refusal?.message}`);
    });
  });
}

if (isFixed) store.ensureIndex({ fieldName: 'z', unique: true }, load);
else {
  store.ensureIndex({ fieldName: 'z', unique: true });
  load();
}
