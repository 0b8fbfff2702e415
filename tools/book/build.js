'use strict';
// Makes the book: runs the programs of doc/book, records them, and writes pages that need nothing else.
//
//   build/bin/rota tools/book/build.js TARGET      (make book)
//
// A chapter is a folder with text.md and its programs. A line of the text like
//
//   ::: program late.js --virtual-time label=in-virtual-time
//
// runs the program with these options and becomes its figure: the text, the steps, the output, the timeline. Kinds of programs: .js and .mjs are run by
// rota with record.js; .c is compiled and run on librota. With --loop=html the page can run an edited text itself, because a browser
// has that loop. `open` is for the test: the order of the lines of the output is not promised.

const { execFile } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { draw, escape } = require('./draw.js');
const { figure } = require('./figure.js');
const { render } = require('./markdown.js');
const { storyOf, storyOfCalls } = require('./steps.js');

const root = path.resolve(__dirname, '..', '..');
const source = path.join(root, 'doc', 'book');
const target = path.resolve(process.argv[2] ?? path.join(root, 'build', 'book'));
const library = path.resolve(path.dirname(process.execPath), '..', 'lib');
const scratch = path.join(target, '.recordings');

function mustRun(program, args, options) {
  return new Promise((resolve, reject) => {
    execFile(program, args, { timeout: 60000, ...options }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${program} ${args.join(' ')}: ${error.signal ?? `status ${error.code}`}\n${stdout}${stderr}`));
    });
  });
}

// ---- the recordings, by kind of program ----

async function recordScript(file, options, trace) {
  const record = `${trace}.record`, environment = { ...process.env, BOOK_RECORD: record, NO_COLOR: '1' };
  const output = await mustRun(process.execPath, [`--trace=${trace}`, `--require=${path.join(__dirname, 'record.js')}`, ...options, file], { env: environment, cwd: path.dirname(file) });
  const story = storyOf(trace, record, fs.readFileSync(file, 'utf8'));
  if (story.output !== output) throw new Error(`${file}: printed something else than was recorded:\n${output}---\n${story.output}`);
  return story;
}

async function recordC(file, _, trace) {
  const program = `${trace}.program`;
  const flags = ['-std=gnu11', '-g', '-Wall', '-Wextra', '-Werror', `-I${path.join(root, 'include')}`, `-L${library}`, `-Wl,-rpath,${library}`];
  await mustRun(process.env.CC ?? 'cc', [...flags, file, '-lrota', '-o', program]);
  const output = await mustRun(program, [], { env: { ...process.env, ROTA_TRACE: trace } });
  return storyOfCalls(trace, output, (call) => call.args.file?.endsWith(path.basename(file)));
}

const RECORDERS = { '.js': recordScript, '.mjs': recordScript, '.c': recordC };

// ---- pages ----

function page({ title, body, chapters, at }) {
  const here = (i) => (i === at ? ' aria-current="page"' : '');
  const links = chapters.slice(1).map((chapter, i) => `<li><a href="${chapter.name}.html"${here(i + 1)}>${escape(chapter.title)}</a></li>`);
  const near = (i, rel, arrow) => (chapters[i] === undefined ? '<span></span>' : `<a rel="${rel}" href="${chapters[i].name}.html">${arrow(escape(chapters[i].title))}</a>`);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)} · The book of the loop</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="book.css">
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<nav class="chapters" aria-label="Chapters"><p><a href="index.html"${here(0)}>The book of the loop</a></p><ol>${links.join('')}</ol>
<p><button type="button" id="theme">Light or dark</button></p></nav>
<main id="text">
${body}
<footer>${near(at - 1, 'prev', (text) => `← ${text}`)}${near(at + 1, 'next', (text) => `${text} →`)}</footer>
</main>
<script src="book.js"></script>
</body>
</html>
`;
}

function readChapters() {
  return fs.readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name).sort().map((folder) => {
    const text = fs.readFileSync(path.join(source, folder, 'text.md'), 'utf8');
    return { folder: path.join(source, folder), name: folder.replace(/^\d+-/, ''), text, title: /^# (.*)$/m.exec(text)[1] };
  });
}

// The programs that a chapter names, in the order of the text.
function programsOf(chapter) {
  return chapter.text.split('\n').filter((line) => line.startsWith('::: program ')).map((line, i) => {
    const [, , name, ...rest] = line.split(/\s+/);
    const label = rest.find((word) => word.startsWith('label='))?.slice(6).replaceAll('-', ' ') ?? '';
    return { id: `${chapter.name}-${i + 1}`, name, label, file: path.join(chapter.folder, name), options: rest.filter((word) => word.startsWith('--')), open: rest.includes('open') };
  });
}

// A few at a time: most of them wait most of the time.
async function recordAll(programs) {
  const waiting = [...programs], talks = process.stderr.isTTY;
  let done = 0;
  const next = async () => {
    for (let program = waiting.shift(); program !== undefined; program = waiting.shift()) {
      program.story = await RECORDERS[path.extname(program.name)](program.file, program.options, path.join(scratch, `${program.id}.json`));
      if (talks) process.stderr.write(`\r\x1b[K${++done} of ${programs.length} programs recorded`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, next));
  if (talks) process.stderr.write('\r\x1b[K');
}

function makeFigure({ id, name, label, file, options, story }) {
  const title = `Timeline of ${name}: ${story.runs.map((run) => `${run.lane}: ${run.name}`).join('; ')}`;
  return figure({ id, name, label, options, story, text: fs.readFileSync(file, 'utf8'), svg: draw(story, title) });
}

function index(chapters) {
  const questions = chapters.slice(1).map((chapter) => {
    const asked = chapter.headings.filter((heading) => heading.text.endsWith('?'));
    return `<h3><a href="${chapter.name}.html">${escape(chapter.title)}</a></h3><ul>${asked.map((heading) => `<li><a href="${chapter.name}.html#${heading.anchor}">${escape(heading.text.replaceAll('`', ''))}</a></li>`).join('')}</ul>`;
  });
  return `${chapters[0].html}<h2 id="questions">All questions</h2><div class="questions">${questions.map((text) => `<section>${text}</section>`).join('')}</div>`;
}

async function main() {
  fs.rmSync(target, { recursive: true, force: true });
  fs.mkdirSync(scratch, { recursive: true });
  const chapters = readChapters();
  for (const chapter of chapters) chapter.programs = programsOf(chapter);
  const programs = chapters.flatMap((chapter) => chapter.programs);
  await recordAll(programs);
  for (const chapter of chapters) {
    const figures = chapter.programs.values();
    Object.assign(chapter, render(chapter.text, () => makeFigure(figures.next().value)));
  }
  chapters[0].name = 'index';
  chapters.forEach((chapter, at) => {
    const body = at === 0 ? index(chapters) : chapter.html;
    fs.writeFileSync(path.join(target, `${chapter.name}.html`), page({ title: chapter.title, body, chapters, at }));
  });
  for (const name of fs.readdirSync(path.join(__dirname, 'site'))) fs.copyFileSync(path.join(__dirname, 'site', name), path.join(target, name));
  const list = chapters.flatMap((chapter) => chapter.programs.map(({ id, file, options, open, story }) => (
    { id, page: `${chapter.name}.html`, file: path.relative(root, file), options, open, output: story.output, steps: story.steps.length })));
  fs.writeFileSync(path.join(target, 'programs.json'), JSON.stringify(list, null, 1));
  fs.rmSync(scratch, { recursive: true });
  console.log(`${chapters.length} chapters, ${programs.length} programs: ${path.relative('.', path.join(target, 'index.html'))}`);
}

main();
