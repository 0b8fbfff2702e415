'use strict';
// Finding events by a text in their name, file or kind.

const { CAT, category, count, detail, header, name } = require('./trace.js');
const { byId } = require('./dom.js');
const { schedule, show, view } = require('./view.js');

let found = [];
let at = -1;

const isSought = (i) =>
  category[i] !== CAT.iteration && category[i] !== CAT.phase && category[i] !== CAT.wait && category[i] !== CAT.rota;

function search(text) {
  const query = text.trim().toLowerCase();
  const isIn = (s) => s.toLowerCase().includes(query);
  found = [];
  at = -1;
  view.matches = null;
  if (query !== '') {
    const names = header.strings.map(isIn);
    const others = header.details.map(isIn);
    view.matches = (i) => names[name[i]] || others[detail[i]];
    for (let i = 0; i < count; i++) if (isSought(i) && view.matches(i)) found.push(i);
  }
  byId('found').textContent = query === '' ? '' : `${found.length.toLocaleString('en')} found`;
  schedule();
}

function nextFound(by) {
  if (found.length === 0) return;
  at = (at + by + found.length) % found.length;
  show(found[at]);
  byId('found').textContent = `${at + 1} of ${found.length.toLocaleString('en')}`;
}

module.exports = { nextFound, search };
