require('./e.mjs');
