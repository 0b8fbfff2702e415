'use strict';
// The Markdown of the book's chapters, as HTML: headings, paragraphs, lists, tables, quotations, code, links, emphasis. A line that begins with
// ":::" is a directive of the book; `directive(words)` answers with HTML. What stands between "::: es" and ":::" is the Spanish text beside the
// English text since the last directive or heading.

const { escape } = require('./draw.js');

function inline(text) {
  const codes = [];
  const kept = text.replace(/`([^`]+)`/g, (_, code) => `\u0000${codes.push(`<code>${escape(code)}</code>`) - 1}\u0000`);
  return escape(kept)
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, label, target) => `<a href="${target.replace(/\.md(?=#|$)/, '.html')}">${label}</a>`)
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/(^|\W)\*([^*\s][^*]*)\*/g, '$1<em>$2</em>')
    .replace(/\u0000(\d+)\u0000/g, (_, i) => codes[i]); // eslint-disable-line no-control-regex
}

const anchorOf = (heading) => heading.toLowerCase().replace(/`/g, '').replace(/[^\p{L}\p{N}\- ]/gu, '').trim().replaceAll(' ', '-');

function table(rows) {
  const cells = (row) => row.replace(/^\||\|$/g, '').split('|').map((cell) => inline(cell.trim()));
  const [head, , ...body] = rows;
  const line = (tag) => (row) => `<tr>${cells(row).map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<div class="wide"><table><thead>${line('th')(head)}</thead><tbody>${body.map(line('td')).join('')}</tbody></table></div>`;
}

// One block of lines without an empty line in it.
function block(lines, headings) {
  const text = lines.join('\n');
  const heading = /^(#{1,3}) (.*)$/.exec(lines[0]);
  if (heading !== null) {
    const level = heading[1].length, anchor = anchorOf(heading[2]);
    headings.push({ level, text: heading[2], anchor });
    return `<h${level} id="${anchor}">${inline(heading[2])}</h${level}>`;
  }
  if (lines[0].startsWith('|')) return table(lines);
  if (lines[0].startsWith('> ')) return `<blockquote><p>${inline(lines.map((line) => line.replace(/^> ?/, '')).join(' '))}</p></blockquote>`;
  const list = /^(- |\d+\. )/.exec(lines[0]);
  if (list !== null) {
    const items = text.split(/\n(?=- |\d+\. )/).map((item) => `<li>${inline(item.replace(/^(- |\d+\. )/, '').replace(/\n\s*/g, ' '))}</li>`);
    const tag = list[1] === '- ' ? 'ul' : 'ol';
    return `<${tag}>${items.join('')}</${tag}>`;
  }
  return `<p>${inline(lines.join(' '))}</p>`;
}

// The blocks of a text: lines between empty lines; code and directives are blocks of their own.
function* blocksOf(text) {
  let lines = [], fence = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) {
      if (!fence && lines.length > 0) yield lines.splice(0);
      lines.push(line);
      if (fence) yield lines.splice(0);
      fence = !fence;
    } else if (fence) {
      lines.push(line);
    } else if (line.startsWith(':::') || /^#{1,3} /.test(line)) {
      if (lines.length > 0) yield lines.splice(0);
      yield [line];
    } else if (line.trim() === '') {
      if (lines.length > 0) yield lines.splice(0);
    } else {
      lines.push(line);
    }
  }
  if (lines.length > 0) yield lines;
}

function render(text, directive) {
  const headings = [], out = [];
  let english = [], spanish;
  const flush = () => {
    out.push(...english);
    english = [];
  };
  for (const lines of blocksOf(text)) {
    const [first] = lines;
    if (first === '::: es') {
      spanish = [];
    } else if (first === ':::') {
      out.push(`<div class="two"><div lang="en">${english.join('\n')}</div><div lang="es">${spanish.join('\n')}</div></div>`);
      [english, spanish] = [[], undefined];
    } else if (first.startsWith(':::')) {
      flush();
      out.push(directive(first.slice(3).trim().split(/\s+/)));
    } else {
      const html = first.startsWith('```') ? `<pre class="plain"><code>${escape(lines.slice(1, -1).join('\n'))}</code></pre>` : block(lines, headings);
      if (spanish === undefined && /^<h/.test(html)) {
        flush();
        out.push(html);
      } else {
        (spanish ?? english).push(html);
      }
    }
  }
  flush();
  return { html: out.join('\n'), headings };
}

module.exports = { inline, render };
