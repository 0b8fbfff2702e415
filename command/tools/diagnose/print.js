'use strict';

// A verdict as text and as JSON. If nothing is wrong, the figures say so.

const { longestOf, plural, time } = require('internal/cli/events');
const { leftNote } = require('internal/cli/diagnose/left');
const { megabytes } = require('internal/cli/diagnose/growth');

const kWidth = 100;
const kSlow = 0.75; // the thread had a processor for less of the time in which it wanted one

const percent = (part, whole) => `${((part / whole) * 100).toFixed(whole > 0 && part / whole < 0.1 ? 1 : 0)} %`;

// Figures of the run, whatever was found.
function figuresOf(study) {
  const { calls, census, events, main } = study;
  const longest = longestOf(calls, (i) => events.duration[i]);
  const timers = calls.filter((i) => events.detailOf(i).on === 'timer' && study.lateness(i) >= 0);
  const latest = longestOf(timers, (i) => study.lateness(i));
  const queued = longestOf(events.jobs, (i) => events.b[i]);
  return {
    loop: main === undefined ? undefined : { ns: main.whole, busy: main.whole - main.waited },
    callbacks: calls.length,
    longest: longest === undefined ? undefined : { ns: events.duration[longest], words: events.inWords(longest) },
    timers: { count: timers.length, latest: latest === undefined ? 0 : study.lateness(latest) },
    jobs: { count: events.jobs.length, longestWait: queued === undefined ? 0 : events.b[queued] - 1 },
    memory: census.length === 0 ? undefined : { first: census[0].resident, last: census.at(-1).resident },
    processorShare: study.share,
    dropped: study.trace.meta.dropped,
  };
}

function figureLines(figures) {
  const { loop, callbacks, longest, timers, jobs, memory } = figures;
  const lines = [];
  if (loop !== undefined && loop.ns > 0)
    lines.push(
      `the loop was busy for ${percent(loop.busy, loop.ns)} of ${time(loop.ns)}, with ${plural(callbacks, 'callback')}`,
    );
  if (longest !== undefined) lines.push(`the longest callback took ${time(longest.ns)}: ${longest.words}`);
  if (timers.count > 0) lines.push(`${plural(timers.count, 'timer')}, at most ${time(timers.latest)} late`);
  if (jobs.count > 0)
    lines.push(`${plural(jobs.count, 'job')} of the thread pool, which waited at most ${time(jobs.longestWait)}`);
  if (memory !== undefined)
    lines.push(`memory: ${megabytes(memory.first)} at first, ${megabytes(memory.last)} at last`);
  return lines;
}

// What makes the verdict less certain.
function warningsOf(study) {
  const warnings = [leftNote(study)].filter((note) => note !== undefined);
  if (study.share < kSlow)
    warnings.push(
      `the machine was busy: the loop's thread had a processor for ${percent(study.share, 1)} of the time ` +
        'in which it wanted one, so times are longer than they need be',
    );
  const others = study.trace.meta.loops.filter((loop) => loop !== study.main && loop.thread !== undefined).length;
  if (others > 0)
    warnings.push(
      `${plural(others, 'loop')} of other threads (workers) ran, too, ` +
        `and ${others === 1 ? 'was' : 'were'} not judged: rota timeline shows them`,
    );
  if (study.trace.meta.dropped > 0)
    warnings.push(
      `${plural(study.trace.meta.dropped, 'event')} of the trace could not be kept: there may be more than this`,
    );
  if (!study.trace.meta.ended)
    warnings.push(
      study.ended === undefined
        ? 'the trace has no end: its program was killed, or the file was cut off; there may be more than this'
        : 'the trace breaks off before the end of the program',
    );
  return warnings;
}

function wrapped(text, first, indent) {
  const lines = [];
  let line = first;
  for (const word of text.split(' ')) {
    if (line.length + word.length + 1 > kWidth && line.trim() !== '') {
      lines.push(line);
      line = indent;
    }
    line += line.trim() === '' || line === first ? word : ` ${word}`;
  }
  return [...lines, line];
}

function endOf({ ended }) {
  if (ended === undefined) return '';
  return ended.startsWith('SIG') ? `, ended by ${ended}` : `, ended with exit code ${ended}`;
}

function asText(study, verdicts, of) {
  const found = verdicts.length === 0 ? 'nothing is wrong with' : `${plural(verdicts.length, 'finding')} in`;
  const lines = [`rota diagnose: ${found} the loop of ${of}${endOf(study)}`];
  verdicts.forEach((verdict, k) => {
    lines.push(...wrapped(verdict.title, `${k + 1}. `.padStart(5), '     '));
    for (const line of verdict.lines) lines.push(`       ${line}`);
    if (verdict.more > 0) lines.push(`       and ${verdict.more} more`);
    lines.push(...wrapped(verdict.advice, '     > ', '       '));
  });
  for (const line of figureLines(figuresOf(study))) lines.push(`  ${line}`);
  for (const line of warningsOf(study)) lines.push(...wrapped(line, '  note: ', '        '));
  return `${lines.join('\n')}\n`;
}

function asJson(study, verdicts, program) {
  const { ended } = study;
  const list = verdicts.map(({ ranges: _ranges, more: _more, ...verdict }) => verdict);
  const figures = figuresOf(study);
  return `${JSON.stringify({ program, ended, verdicts: list, figures, warnings: warningsOf(study) })}\n`;
}

module.exports = { asJson, asText };
