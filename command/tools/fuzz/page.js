'use strict';

// The page of a find: the undisturbed run and the different one side by side, aligned by their callbacks, with the
// decisions between them. The two callbacks whose order made the difference are marked, and the program's lines are
// shown. It is one file without external resources.

const fs = require('fs');
const path = require('path');
const { writeOwn } = require('internal/cli/own_file');
const { keyOf, wordsOf } = require('internal/cli/fuzz/places');
const { placed, ranIn, storyOf, swapOf } = require('internal/cli/fuzz/story');

const kRowsMax = 400;
const kAlignedMax = 1500; // callbacks of a run that are compared
const kFilesMax = 6;
const kLinesMax = 2000;

const escape = (text) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

// ---- what ran ----

// Rows of [left, right]: the longest common sequence is in both columns, the rest in one.
function align(left, right) {
  left = left.slice(0, kAlignedMax);
  right = right.slice(0, kAlignedMax);
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        left[i].key === right[j].key
          ? lengths[(i + 1) * width + j + 1] + 1
          : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
  const rows = [];
  let i = 0,
    j = 0;
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i].key === right[j].key) rows.push([left[i++], right[j++]]);
    else if (j >= right.length || (i < left.length && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]))
      rows.push([left[i++], undefined]);
    else rows.push([undefined, right[j++]]);
  }
  return rows;
}

// ---- HTML ----

const kStyle = `
:root { color-scheme: light dark; --line: #d8dbe0; --soft: #f4f5f7; --mark: #ffe08a; 
  --bad: #c62828; --good: #2e7d32; --note: #5b6472; --on: #1a1d21; --back: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --line: #3a3f47; --soft: #23272d; --mark: #6b5200; 
    --bad: #ff8a80; --good: #81c784; --note: #a2abb8; --on: #e6e8eb; --back: #181b1f; } }
* { box-sizing: border-box; }
body { margin: 0; font: 14px/1.45 system-ui, sans-serif; color: var(--on); background: var(--back); }
header { padding: 16px 20px; border-bottom: 1px solid var(--line); }
h1 { font-size: 18px; margin: 0 0 6px; }
h2 { font-size: 14px; margin: 0 0 6px; }
p { margin: 4px 0; }
code, pre { font: 12.5px/1.5 ui-monospace, monospace; }
.note { color: var(--note); }
main { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr);
  gap: 0 20px; padding: 16px 20px; align-items: start; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
th { text-align: left; padding: 6px 8px; border-bottom: 2px solid var(--line); }
td { padding: 3px 8px; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
td.only { background: var(--soft); }
td.swap { background: var(--mark); font-weight: 600; }
tr.decision td { color: var(--note); font-style: italic; }
tr.decision td:last-child::before { content: "\\2193\\a0"; }
button { all: unset; cursor: pointer; color: inherit; }
button:focus-visible { outline: 2px solid currentColor; }
button span { color: var(--note); font-weight: 400; }
.good { color: var(--good); } .bad { color: var(--bad); }
aside { position: sticky; top: 12px; }
.file { border: 1px solid var(--line); border-radius: 6px; overflow: auto; max-height: 70vh; margin-bottom: 14px; }
.file pre { margin: 0; padding: 6px 0; min-width: max-content; }
.file div { padding: 0 10px; }
.file i { display: inline-block; width: 3em; color: var(--note); font-style: normal; user-select: none; }
.file .ran { background: var(--soft); }
.file .swap { background: var(--mark); }
.file .now { outline: 2px solid var(--bad); outline-offset: -2px; }
@media (max-width: 900px) { main { grid-template-columns: minmax(0, 1fr); } aside { position: static; } }`;

const kScript = `
document.addEventListener('click', (event) => {
  const button = event.target.closest('button[data-line]');
  if (!button) return;
  for (const line of document.querySelectorAll('.now')) line.classList.remove('now');
  const line = document.getElementById(button.dataset.line);
  if (!line) return;
  line.classList.add('now');
  line.scrollIntoView({ block: 'center' });
});`;

function cell(step, swap, files, isAlone) {
  if (step === undefined) return `<td${isAlone ? ' class="only"' : ''}></td>`;
  const kind = swap?.includes(step.id) ? 'swap' : isAlone ? 'only' : '';
  if (step.file === undefined) return `<td class="${kind}">${escape(step.name)} <span class="note">awaited</span></td>`;
  const place = `${path.basename(step.file)}:${step.line}`;
  const label = `${escape(step.name)} <span>${escape(place)}</span>`;
  return `<td class="${kind}"><button data-line="${lineId(files, step)}">${label}</button></td>`;
}

const lineId = (files, { file, line }) => `f${files.indexOf(file)}l${line}`;

function rowsOf(rows, decisions, swap, files) {
  const html = [];
  for (const [left, right] of rows) {
    for (const words of decisions.get(right) ?? [])
      html.push(`<tr class="decision"><td></td><td>${escape(words)}</td></tr>`);
    const isAlone = left === undefined || right === undefined;
    html.push(`<tr>${cell(left, swap, files, isAlone)}${cell(right, swap, files, isAlone)}</tr>`);
  }
  for (const words of decisions.get(undefined) ?? [])
    html.push(`<tr class="decision"><td></td><td>${escape(words)}</td></tr>`);
  if (html.length > kRowsMax)
    html.splice(
      kRowsMax,
      html.length,
      `<tr><td colspan="2" class="note">and ${html.length - kRowsMax} rows more</td></tr>`,
    );
  return html.join('\n');
}

// The decisions before each callback of the right run; those after the last one are at undefined.
function decisionsBefore(steps) {
  const before = new Map();
  let waiting = [];
  for (const step of steps) {
    if (step.decision !== undefined) waiting.push(step.decision);
    else if (waiting.length > 0) {
      before.set(step, waiting);
      waiting = [];
    }
  }
  if (waiting.length > 0) before.set(undefined, waiting);
  return before;
}

function sourceOf(file, index, ran, swapped) {
  let text;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
  const lines = text.split('\n').slice(0, kLinesMax);
  const html = lines.map((line, i) => {
    const place = `${file}:${i + 1}`;
    const kind = swapped.has(place) ? 'swap' : ran.has(place) ? 'ran' : '';
    return `<div id="f${index}l${i + 1}" class="${kind}"><i>${i + 1}</i>${escape(line)}</div>`;
  });
  return `<h2>${escape(path.relative(process.cwd(), file))}</h2><div class="file"><pre>${html.join('')}</pre></div>`;
}

// Function, file and line of both callbacks, and what made them.
function decidesIn(story) {
  if (story === undefined) return '';
  const told = (step) =>
    `<b>${escape(placed(step))}</b>${step.maker ? ` (made by ${escape(placed(step.maker))})` : ''}`;
  const came = story.isMissing ? 'came, and no longer' : 'came before';
  return `What decides: ${told(story.early)} ${came} ${told(story.late)}.`;
}

function pageOf({ usual, other, entries, label, command }) {
  const left = ranIn(usual).filter((step) => step.key !== undefined);
  const steps = ranIn(other);
  const words = wordsOf(other.trace, entries);
  for (const step of steps) {
    const at = entries.findIndex(({ words: each }) => step.decision && keyOf(0, each) === keyOf(0, step.decision));
    if (at >= 0) step.decision = words[at];
  }
  const right = steps.filter((step) => step.key !== undefined);
  const swap = swapOf(left, right);
  const places = (list) => list.filter(({ file }) => file !== undefined).map(({ file, line }) => `${file}:${line}`);
  const all = [...left, ...right];
  const files = [...new Set(all.map(({ file }) => file).filter(Boolean))].slice(0, kFilesMax);
  const swapped = new Set(places(all.filter(({ id }) => swap?.includes(id))));
  const title = /^\d+$/.test(label) ? `Seed ${label}` : `Run ${label}`;
  const said =
    other.stderr === ''
      ? ''
      : `<h2>what it printed</h2><div class="file"><pre><div>${escape(other.stderr.slice(0, 4000))}</div></pre></div>`;
  return `<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}: ${escape(other.end)}</title><style>${kStyle}</style>
<header><h1>${title}: <span class="bad">${escape(other.end)}</span></h1>
<p>Undisturbed, <span class="good">${escape(usual.end)}</span>.
${decidesIn(storyOf(usual, other))}</p>
<p>${entries.length === 1 ? 'One decision suffices' : `${entries.length} decisions suffice`}:</p>
<ul>${words.map((text) => `<li>${escape(text)}</li>`).join('')}</ul>
<p class="note">To see it again: <code>${escape(command)}</code></p></header>
<main><table><thead><tr><th class="good">undisturbed</th><th class="bad">${title.toLowerCase()}</th></tr></thead>
<tbody>${rowsOf(align(left, right), decisionsBefore(steps), swap, files)}</tbody></table>
<aside>${files.map((file, i) => sourceOf(file, i, new Set(places(all)), swapped)).join('\n')}
${said}</aside></main>
<script>${kScript}</script></html>
`;
}

function writePage(file, find) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  writeOwn(file, pageOf(find));
  return file;
}

module.exports = { writePage };
