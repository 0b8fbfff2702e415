'use strict';
// Elements of the page, and the tables and lists that the summary and the panel are made of.

const { colorOf, detail, details, duration, first, nameOf, start } = require('./trace.js');
const { many, place, time } = require('./words.js');
const { show } = require('./view.js');

const byId = (id) => document.getElementById(id);

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

// A button that shows an event in the chart.
function link(text, event, title = text) {
  const button = element('button', text, 'link');
  button.type = 'button';
  button.title = title;
  button.addEventListener('click', () => show(event));
  return button;
}

// ---- tables ----

function row(table, cells, event, where = '') {
  const tr = element('tr');
  cells.forEach((cell, n) => {
    const td = element('td');
    if (n === 0 && event !== undefined) {
      td.append(link(cell, event, `${cell} ${where}`));
      if (where !== '') td.append(' ', element('span', where, 'quiet small'));
    } else {
      td.textContent = cell;
    }
    tr.append(td);
  });
  table.append(tr);
  return tr;
}

// Tables have their names in the first column: a bar behind it shows the share of the whole.
function bar(tr, share) {
  const percent = Math.max(0, Math.min(100, share * 100)).toFixed(1);
  tr.firstChild.style.background = `linear-gradient(to right, var(--share) ${percent}%, transparent ${percent}%)`;
}

function tableOf(head, rows) {
  const table = element('table');
  row(table, head).className = 'head';
  for (const { cells, event, where, share } of rows) bar(row(table, cells, event, where), share);
  return table;
}

// Callbacks that were late, each with the callback that ran meanwhile.
function delayTable(delays) {
  const table = element('table');
  const head = row(table, ['', 'late by', 'because of']);
  head.className = 'head';
  head.lastChild.className = 'who';
  for (const { event, worst, delay, count } of delays) {
    const where = count > 1 ? `and ${many(count - 1)} more` : place(worst);
    const tr = row(table, [nameOf(worst), time(delay)], worst, where);
    const td = element('td', undefined, 'who');
    if (event === undefined) td.append(element('span', 'no processor was free', 'quiet'));
    else td.append(link(nameOf(event), event), ' ', element('span', time(duration[event]), 'quiet small'));
    tr.append(td);
  }
  return table;
}

// ---- lists ----

function facts(content, list) {
  const dl = element('dl');
  for (const [term, ...values] of list) {
    dl.append(element('dt', term));
    const dd = element('dd');
    dd.append(...values);
    dl.append(dd);
  }
  content.append(dl);
}

function chainList(events) {
  const list = element('ol', undefined, 'chain');
  for (const i of events) {
    const li = element('li');
    const phase = details[detail[i]].phase ?? '';
    const about = `${place(i)} ${phase}, ${time(duration[i])}, at ${time(start[i] - first)}`;
    li.style.setProperty('--of', `var(${colorOf(phase)})`);
    li.append(link(nameOf(i), i), ' ', element('span', about, 'quiet small'));
    list.append(li);
  }
  return list;
}

module.exports = { byId, element, link, row, tableOf, delayTable, facts, chainList };
