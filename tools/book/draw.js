'use strict';
// Draws the timeline of a story (steps.js) as SVG: a lane for each phase and queue, a box for each run in the order in which they ran, arrows from
// what has scheduled to what was scheduled.
//
// Time is not to scale: a callback of 20 microseconds and a wait of 100 milliseconds are in one picture. Each run and each wait is as wide as its text
// needs; between them, time runs evenly. The texts say how long it was. Colours are the page's (classes), so that it can be light and dark.

const ORDER = ['main', 'timers', 'pending', 'idle', 'prepare', 'poll', 'check', 'close'];
const LAST = ['ticks', 'microtasks'];
const ROW = 34, BOX = 22, LEFT = 96, TOP = 26, GAP = 12, LETTER = 7.3;

const escape = (text) => String(text).replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]);
const msText = (ms) => (ms < 1 ? `${Math.max(1, Math.round(ms * 1000))} \u00b5s` : `${ms.toFixed(ms < 10 ? 1 : 0)} ms`);
const shorten = (text) => (text.length > 22 ? `${text.slice(0, 21)}\u2026` : text);

function lanesOf(story) {
  const used = new Set(story.runs.map((run) => run.lane));
  if (story.waits.length > 0) used.add('poll');
  const others = [...used].filter((lane) => !ORDER.includes(lane) && !LAST.includes(lane));
  const lanes = [...ORDER.filter((lane) => used.has(lane)), ...others, ...LAST.filter((lane) => used.has(lane))];
  const threads = [...new Set(story.jobs.map((job) => job.thread))];
  return { lanes, threads, rows: lanes.length + threads.length };
}

// The boxes with their places, and a function from time to place.
function layOut(story) {
  const boxes = [...story.runs.map((run, i) => ({ ...run, run: i, label: shorten(run.name) })),
    ...story.waits.map((wait, i) => ({ ...wait, wait: i, lane: 'poll', label: `waits ${msText(wait.to - wait.from)}` }))].sort((x, y) => x.from - y.from);
  const points = [];
  let x = LEFT + GAP;
  for (const box of boxes) {
    box.x = x;
    box.width = Math.max(30, box.label.length * LETTER + 12);
    points.push([box.from, x], [Math.max(box.to, box.from), x + box.width]);
    x += box.width + GAP;
  }
  const xOf = (ms) => {
    const next = points.findIndex(([time]) => time >= ms);
    if (next <= 0) return next === 0 ? Math.max(LEFT + 2, points[0][1] - GAP / 2) : x - GAP;
    const [t0, x0] = points[next - 1], [t1, x1] = points[next];
    return t1 > t0 ? x0 + ((ms - t0) / (t1 - t0)) * (x1 - x0) : x1;
  };
  return { boxes, xOf, width: Math.max(x + 4, 420) };
}

function drawIterations(story, boxes, height) {
  const parts = [];
  for (const iteration of story.iterations) {
    const inside = boxes.filter((box) => box.from >= iteration.from - .001 && box.from < iteration.to);
    if (inside.length === 0) continue;
    const from = inside[0].x - GAP / 2, to = inside.at(-1).x + inside.at(-1).width + GAP / 2;
    parts.push(`<rect class="iteration" x="${from.toFixed(1)}" y="4" width="${(to - from).toFixed(1)}" height="${height - 8}" rx="4"/>`,
      `<text class="small" x="${(from + 4).toFixed(1)}" y="16">${to - from > 70 ? `iteration ${iteration.number}` : iteration.number}</text>`);
  }
  return parts;
}

function drawArrow(from, to, yOf) {
  const x0 = from.x + from.width - 6, y0 = yOf(from) + BOX, x1 = to.x + 8, y1 = yOf(to);
  const below = y1 > y0;
  const start = below ? y0 : yOf(from), end = below ? y1 : y1 + BOX;
  const bend = Math.max(14, Math.min(40, Math.abs(end - start) / 2));
  const sign = below ? 1 : -1;
  return `<path class="cause" data-from="${from.run}" data-to="${to.run}" d="M${x0.toFixed(1)} ${start} C${x0.toFixed(1)} ${start + sign * bend} ${x1.toFixed(1)} ${end - sign * bend} ${x1.toFixed(1)} ${end}"/>`;
}

function draw(story, title) {
  const { lanes, threads, rows } = lanesOf(story), { boxes, xOf, width } = layOut(story);
  const height = TOP + rows * ROW + 6;
  const yOfRow = (row) => TOP + row * ROW + (ROW - BOX) / 2;
  const yOf = (box) => yOfRow(lanes.indexOf(box.lane));
  const parts = [`<svg class="timeline" role="img" aria-label="${escape(title)}" viewBox="0 0 ${width.toFixed(0)} ${height}" width="${width.toFixed(0)}" height="${height}" xmlns="http://www.w3.org/2000/svg">`,
    `<title>${escape(title)}</title>`];
  [...lanes, ...threads.map((_, i) => `pool ${i + 1}`)].forEach((lane, row) => {
    parts.push(`<rect class="lane${row % 2 ? ' odd' : ''}" x="0" y="${TOP + row * ROW}" width="${width.toFixed(0)}" height="${ROW}"/>`,
      `<text class="lane-name" x="8" y="${TOP + row * ROW + ROW / 2 + 4}">${escape(lane)}</text>`);
  });
  parts.push(...drawIterations(story, boxes, height));
  const byRun = new Map(boxes.filter((box) => box.run !== undefined).map((box) => [box.run, box]));
  for (const box of byRun.values()) if (byRun.has(box.by) && box.by !== box.run) parts.push(drawArrow(byRun.get(box.by), box, yOf));
  for (const job of story.jobs) {
    const from = xOf(job.from), to = Math.max(xOf(job.to), from + 14), y = yOfRow(lanes.length + threads.indexOf(job.thread));
    parts.push(`<g class="job"><title>${escape(`${job.name}, ${msText(job.to - job.from)} on a thread of the pool`)}</title><rect x="${from.toFixed(1)}" y="${y}" width="${(to - from).toFixed(1)}" height="${BOX}" rx="3"/>`,
      to - from > job.name.length * LETTER + 6 ? `<text class="small" x="${(from + 4).toFixed(1)}" y="${y + 15}">${escape(job.name)}</text></g>` : '</g>');
  }
  for (const box of boxes) {
    const isWait = box.wait !== undefined, y = yOf(box);
    parts.push(`<g class="${isWait ? 'wait' : `run ${ORDER.includes(box.lane) || LAST.includes(box.lane) ? box.lane : 'other'}`}" data-step="${box.step}"${isWait ? '' : ` data-run="${box.run}"`}>`,
      `<title>${escape(isWait ? box.label : `${box.name}${box.line > 0 ? `, line ${box.line}` : ''}: ${msText(box.to - box.from)}`)}</title>`,
      `<rect x="${box.x.toFixed(1)}" y="${y}" width="${box.width.toFixed(1)}" height="${BOX}" rx="3"/>`,
      `<text x="${(box.x + box.width / 2).toFixed(1)}" y="${y + 15}" text-anchor="middle">${escape(box.label)}</text></g>`);
  }
  parts.push('</svg>');
  return parts.join('\n');
}

module.exports = { draw, escape };
