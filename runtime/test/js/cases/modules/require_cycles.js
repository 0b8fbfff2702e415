// Cycles of ES modules through require() are refused.
'use strict';
const here = (text) => text.replaceAll(__dirname, '');
const attempt = (file) => {
  try {
    console.log(require(file));
  } catch (error) {
    console.log(file, error.code, here(error.message));
  }
};
attempt('./support/cycles/a.mjs');
attempt('./support/cycles/b.cjs');
attempt('./support/cycles/c.mjs');
attempt('./support/cycles/d.cjs');
