'use strict';
// The figure of a program: its text with numbered lines, the controls of the steps, the queues, the output, the timeline, and what the page's script
// needs (site/book.js). Without a script it shows the text, the whole output and the timeline.

const path = require('node:path');
const { escape } = require('./draw.js');

const KEYWORDS = /^(?:async|await|break|case|catch|class|const|continue|do|else|export|finally|for|from|function|if|import|in|let|new|of|return|static|switch|throw|try|typeof|var|void|while|yield|int|char|struct|include|define)$/;
const TOKENS = /(\/\/.*|\/\*.*?\*\/)|('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`)|([A-Za-z_$][\w$]*)|([^'"`A-Za-z_$/]+|\/)/g;

// Each line stands for itself: comments and strings of the programs end where they begin.
function colour(line) {
  return line.replace(TOKENS, (_, comment, string, word, other) => {
    if (comment !== undefined) return `<i class="c">${escape(comment)}</i>`;
    if (string !== undefined) return `<i class="s">${escape(string)}</i>`;
    if (word !== undefined) return KEYWORDS.test(word) ? `<i class="k">${word}</i>` : word;
    return escape(other);
  });
}

const QUEUES = [['ticks', 'ticks'], ['microtasks', 'microtasks'], ['timers', 'timers'], ['check', 'check'], ['system', 'the system']];

function controls(count) {
  const button = (what, text, label) => `<button type="button" data-do="${what}" aria-label="${label}" title="${label}">${text}</button>`;
  return `<div class="controls" role="group" aria-label="Steps">${button('first', '|◀', 'First step')}${button('back', '◀ Back', 'Step back (left arrow)')}${button('next', 'Next ▶', 'Next step (right arrow)')}${button('last', '▶|', 'The whole run')}
<input type="range" min="0" max="${count}" value="${count}" aria-label="Step"><span class="position"></span><span class="say" aria-live="polite">The whole run. Next goes through it step by step.</span></div>`;
}

// What editing does, said where it is done. A page cannot run Node.
function editor(id, name, canRun, command) {
  return `<div class="editor" hidden>
<label for="${id}-text">Your version of <code>${escape(name)}</code></label>
<textarea id="${id}-text" spellcheck="false" autocapitalize="off" autocomplete="off"></textarea>
<p class="note">The steps, the output and the timeline are a recording of the program as it is printed in this book. This page has no Node inside and does not run your version${canRun ? ' by Node\'s loop. But your browser has the loop of this chapter: <b>Run here</b> runs it in an empty frame of this page, for at most three seconds, and prints what it prints.' : '. To see what your version does, save it and run:'}</p>
<pre class="plain command"><code>${escape(command)}</code></pre>
<p class="buttons">${canRun ? '<button type="button" data-do="run">Run here</button>' : ''}<button type="button" data-do="copy">Copy the program</button><button type="button" data-do="save">Save ${escape(name)}</button><button type="button" data-do="restore">Back to the recording</button><span class="done" role="status"></span></p>
${canRun ? '<pre class="plain result" aria-live="polite"></pre>' : ''}</div>`;
}

function commandFor(name, options) {
  const kind = path.extname(name);
  if (kind === '.c') return `cc ${name} -lrota -o program && rota timeline -o page.html -- ./program`;
  if (kind === '.repl') return 'rota     (and type the lines)';
  return `rota ${[...options, '--timeline=page.html', name].join(' ')}`;
}

function figure({ id, name, label, options, story, text, svg }) {
  const canStep = story.steps.length > 1, canRun = options.includes('--loop=html');
  const lines = text.replace(/\n$/, '').split('\n').map((line, i) => `<li data-line="${i + 1}">${colour(line) || ' '}</li>`).join('');
  const hasQueues = Object.keys(story.steps[0]?.queues ?? {}).length > 0;
  const queues = hasQueues ? `<table class="queues"><caption>What waits</caption><tbody>${QUEUES.filter(([key]) => !canRun || key === 'microtasks').map(([key, title]) => `<tr data-queue="${key}"><th scope="row">${title}</th><td></td></tr>`).join('')}</tbody></table>` : '';
  const data = JSON.stringify({ output: story.output, steps: story.steps, name }).replaceAll('<', '\\u003c');
  return `<figure class="program" id="${id}" tabindex="0" aria-label="Program ${escape(name)}">
<figcaption><code>${escape(name)}</code>${label ? `<span class="label">${escape(label)}</span>` : ''}${options.length > 0 ? `<span class="options">${escape(options.join(' '))}</span>` : ''}<button type="button" data-do="edit">Edit</button></figcaption>
${canStep ? controls(story.steps.length) : ''}<div class="columns"><ol class="code">${lines}</ol>
<div class="side">${queues}<p class="output-title">Output</p><pre class="output">${escape(story.output)}</pre></div></div>
${editor(id, name, canRun, commandFor(name, options))}
<div class="strip" tabindex="0" role="region" aria-label="Timeline of ${escape(name)}">${svg}</div>
<script type="application/json">${data}</script>
</figure>`;
}

module.exports = { figure };
