'use strict';
// The timeline: decodes the stream, sorts events into lanes, draws what is visible on a canvas.
//
// A lane's events are sorted and do not overlap, so that with running sums of their durations any pixel column costs two
// searches, however many events lie in it: the time of a frame depends on the width of the window, not on the trace.
(() => {
  let warnNs = 50e6; // from how long on something is a warning; see chooseThreshold
  const PHASES = ['timers', 'pending', 'idle', 'prepare', 'poll', 'check', 'closing', 'outside'];
  const ABOUT = {
    timers: 'Timers that are due run now, in the order of their times.',
    pending: 'Callbacks that the last round had put off, such as a failed write.',
    idle: 'Idle handles run in every iteration; while there is one, the loop does not wait.',
    prepare: 'Prepare handles run just before the loop looks for events.',
    poll: 'The loop has asked the system what has happened, and tells those who wait for it.',
    check: 'Check handles run just after poll: this is where setImmediate lives.',
    closing: 'Handles that were closed say goodbye.',
    outside: 'Outside of the loop: the main script, and what else the program runs by itself.',
  };
  const BROWSER = {
    'timer': 'A timer is due: a task of the timer task source.',
    'message': 'A message of a port, a channel or the window. Each port is a task source of its own.',
    'networking': 'Something has come over the network.',
    'file': 'A file operation, or other work of the pool, is done.',
    'user interaction': 'A key was pressed, or a signal has come.',
    'DOM manipulation': 'Unhandled rejections are told by tasks of this source.',
    'immediate': 'setImmediate, which no browser has, is a task as any other.',
    'scheduler': 'A task of scheduler.postTask, or what goes on after scheduler.yield.',
    'rendering': 'A rendering opportunity: the callbacks of requestAnimationFrame.',
    'idle': 'No task could run: the callbacks of requestIdleCallback.',
    'other': 'Work of the runtime itself.',
    'outside': 'The script.',
  };
  const $ = (id) => document.getElementById(id);
  const header = JSON.parse($('header').textContent);
  const ORDER = header.lanes === undefined ? PHASES : Object.keys(header.lanes); // of the lanes of a loop
  const colorOf = (phase) => `--${header.lanes?.[phase] ?? (phase === 'outside' ? 'span' : phase)}`;
  const CAT = Object.fromEntries(header.categories.map((name, i) => [name, i]));

  // ---- the events ----

  const count = header.count;
  const start = new Float64Array(count), duration = new Float64Array(count), a = new Float64Array(count);
  const b = new Float64Array(count), category = new Uint8Array(count), track = new Uint16Array(count);
  const name = new Uint32Array(count), detail = new Uint32Array(count);
  const number = new Uint32Array(count), cause = new Uint32Array(count); // of callbacks: its own, and who has scheduled it

  function bytesOf(base64) {
    if (Uint8Array.fromBase64 !== undefined) return Uint8Array.fromBase64(base64);
    const text = atob(base64), bytes = new Uint8Array(text.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
  }

  function decode() {
    const bytes = bytesOf($('data').textContent.trim());
    let at = 0, time = header.origin, lastNumber = 0;
    const signed = (value) => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
    const next = () => {
      let byte = bytes[at++];
      if (byte < 128) return byte;
      let value = byte & 127, factor = 128;
      do {
        byte = bytes[at++];
        value += (byte & 127) * factor;
        factor *= 128;
      } while (byte > 127);
      return value;
    };
    for (let i = 0; i < count; i++) {
      category[i] = next();
      track[i] = next();
      start[i] = time += next();
      duration[i] = next();
      name[i] = next();
      detail[i] = next();
      a[i] = next();
      b[i] = next();
      const own = next(), by = next();
      if (own > 0) number[i] = lastNumber += signed(own - 1);
      if (by > 0) cause[i] = number[i] - signed(by - 1);
    }
    $('data').remove();
  }
  decode();

  const details = header.details.map((text) => JSON.parse(text));
  // A job or an operation is told with what it is about: a path, of which the end is short enough, or a host.
  const shortOf = (about) => (about.length <= 40 ? about : `\u2026${about.slice(Math.max(about.length - 40, about.lastIndexOf('/')))}`);
  function nameOf(i) {
    const text = header.strings[name[i]];
    if (category[i] !== CAT.job && category[i] !== CAT.operation) return text;
    const { about } = details[detail[i]];
    return about === undefined ? text : `${text} ${shortOf(about)}`;
  }
  const trackName = (t) => header.meta.threads[header.tracks[t]] || `thread ${header.tracks[t]}`;
  const endOf = (i) => start[i] + duration[i];
  const first = count > 0 ? start[0] : 0;
  let last = first + 1;
  for (let i = 0; i < count; i++) last = Math.max(last, endOf(i));

  // ---- lanes ----

  class Series {
    constructor() {
      this.items = [];
    }
    seal() {
      this.items = new Uint32Array(this.items);
      this.sums = new Float64Array(this.items.length + 1);
      this.longest = new Float64Array((this.items.length >> 6) + 1); // of each 64
      for (let i = 0; i < this.items.length; i++) {
        const lasts = duration[this.items[i]];
        this.sums[i + 1] = this.sums[i] + lasts;
        if (lasts > this.longest[i >> 6]) this.longest[i >> 6] = lasts;
      }
    }
    // The first from i on, before j, that lasts at least so long; or j.
    nextLong(i, j, least) {
      while (i < j) {
        if ((i & 63) === 0 && this.longest[i >> 6] < least) i += 64;
        else if (duration[this.items[i]] >= least) return i;
        else i++;
      }
      return j;
    }
    // The first whose start is not before t. From `low` on it is looked for in leaps, as it mostly is near.
    search(t, low = 0) {
      let high = this.items.length;
      for (let leap = 1; low > 0 && low + leap < high; leap *= 2) {
        if (start[this.items[low + leap]] < t) low += leap;
        else high = low + leap;
      }
      while (low < high) {
        const middle = (low + high) >> 1;
        if (start[this.items[middle]] < t) low = middle + 1;
        else high = middle;
      }
      return low;
    }
  }

  const lanes = [], calls = [], drains = [], jobs = [], operations = [], errors = [], iterations = new Series(), waits = [];
  let warnings = [];
  const POOL = 1e6, RING = 2e6; // the groups below the loops' threads
  const ROWS = 12; // of operations that overlap; the rest share the last
  const laneOf = new Map(), threadOfLoop = new Map();

  function lane(key, label, group, color) {
    let found = laneOf.get(key);
    if (found === undefined) {
      found = { label, group, color, order: lanes.length, events: new Series(), under: new Series(), behind: new Series() };
      laneOf.set(key, found);
      lanes.push(found);
    }
    return found;
  }

  function sortIntoLanes() {
    const open = []; // by thread: the callback that is the outermost at this time
    const kept = []; // by thread and detail: its lane
    const phaseLane = (t, phase) => {
      const found = lane(`${t} ${phase}`, phase, t, colorOf(phase));
      found.rank = phase === 'outside' ? -1 : ORDER.indexOf(phase);
      return found;
    };
    const rows = [];
    const spans = [];
    for (let i = 0; i < count; i++) {
      const t = track[i];
      switch (category[i]) {
        case CAT.iteration: iterations.items.push(i); break;
        case CAT.phase: if (header.lanes === undefined) spans.push(i); break;
        case CAT.wait: phaseLane(t, header.lanes === undefined ? 'poll' : 'outside').behind.items.push(i); waits.push(i); break;
        case CAT.call: {
          const inside = (open[t] ??= { home: undefined, until: -1 }), lanesOfThread = (kept[t] ??= []);
          // One that runs inside of another is shown below it.
          const home = (lanesOfThread[detail[i]] ??= phaseLane(t, details[detail[i]].phase));
          const nested = inside.home === home && start[i] < inside.until;
          (nested ? home.under : home.events).items.push(i);
          inside.home = home;
          if (!nested) inside.until = endOf(i);
          calls.push(i);
          break;
        }
        case CAT.drain: {
          const inside = open[t];
          const home = inside !== undefined && start[i] < inside.until ? inside.home : phaseLane(t, 'outside');
          if (header.lanes === undefined) home.under.items.push(i);
          else phaseLane(t, 'microtasks').events.items.push(i);
          drains.push(i);
          break;
        }
        case CAT.job: {
          const home = lane(`job ${t}`, `thread ${header.tracks[t]}`, POOL, '--job');
          home.rank = t;
          home.events.items.push(i);
          jobs.push(i);
          break;
        }
        case CAT.sample: {
          const home = lane(`sample ${t} ${a[i]}`, a[i] === 1 ? 'stacks' : '', t, '--sample');
          home.rank = 100 + a[i];
          home.slim = true;
          home.events.items.push(i);
          break;
        }
        case CAT.operation: {
          let row = 0;
          while (row < ROWS - 1 && rows[row] > start[i]) row++;
          rows[row] = Math.max(rows[row] || 0, endOf(i));
          const home = lane(`operation ${row}`, 'in flight', RING, '--ring');
          home.rank = row;
          home.events.items.push(i);
          operations.push(i);
          break;
        }
        default: {
          if (category[i] === CAT.mark && /^(uncaught error|unhandled rejection): /.test(nameOf(i))) errors.push(i);
          // The trace repeats that a callback still runs: if its end is missing, there is a call for it (pack.js).
          if (category[i] === CAT.rota && nameOf(i) === 'still running') break;
          const home = lane(`own ${t}`, trackName(t), 1e5 + t, '--span');
          home.rank = 0;
          home.events.items.push(i);
        }
      }
    }
    // The phases of a loop lie behind the calls of the thread that ran them.
    for (const i of spans) {
      const loop = details[detail[i]].loop, phase = nameOf(i);
      if (threadOfLoop.has(loop)) continue;
      for (const other of lanes) {
        if (other.label !== phase || other.group >= 1e5) continue;
        const at = other.events.items.find((c) => start[c] >= start[i] - 2 && endOf(c) <= endOf(i) + 2);
        if (at !== undefined) threadOfLoop.set(loop, other.group);
      }
    }
    for (const i of spans) {
      const loop = details[detail[i]].loop, phase = nameOf(i);
      const thread = threadOfLoop.get(loop);
      if (thread !== undefined) {
        const home = phaseLane(thread, phase);
        home.phases = home.phases || new Series();
        home.phases.items.push(i);
      }
    }
    lanes.sort((x, y) => x.group - y.group || x.rank - y.rank);
    for (const l of lanes) {
      for (const series of [l.events, l.under, l.behind, l.phases]) if (series !== undefined) series.seal();
    }
    iterations.seal();
  }
  sortIntoLanes();
  const causes = insight({ start, duration, track, detail, details, late: b, number, cause, calls, waits });

  // ---- words ----

  function time(ns) {
    const digits = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));
    if (ns < 1e3) return `${Math.round(ns)} ns`;
    if (ns < 1e6) return `${digits(ns / 1e3)} \u00b5s`;
    if (ns < 1e9) return `${digits(ns / 1e6)} ms`;
    return `${digits(ns / 1e9)} s`;
  }

  function lines(i) {
    const d = details[detail[i]], out = [];
    const kind = header.categories[category[i]];
    out.push(`${time(duration[i])}, at ${time(start[i] - first)}`);
    if (d.file) out.push(`${d.file}:${d.line}`);
    if (kind === 'call') {
      out.push(isUnfinished(i) ? 'it has not ended' : `${d.phase}: ${d.on}${d.operation ? ` ${d.operation}` : ''}${a[i] > 0 ? `, descriptor ${a[i] - 1}` : ''}`);
      out.push(...whyLate(i));
      const by = causes.eventOf(cause[i]);
      if (by !== undefined) out.push(`scheduled by ${nameOf(by)}`);
    }
    if (d.about !== undefined) out.push(d.about);
    if (kind === 'sample') out.push(`${d.samples} sample${d.samples === 1 ? '' : 's'}`);
    if (kind === 'operation') out.push(`${d.kind} operation, done by the ring without a thread`);
    if (kind === 'drain' && d.first) out.push(`the first one: ${d.first}`);
    if (kind === 'job') out.push(`${d.kind}: waited ${time(waitedOf(i))} in the queue, ran ${time(duration[i])}`);
    if (kind === 'wait') out.push(`${a[i] - 1} events${b[i] > 0 ? `, at most ${time(b[i] - 1)}` : ', for ever'}`);
    if (kind === 'drain' && a[i] > 0) out.push(`${a[i] - 1} run`);
    if (kind === 'mark' && a[i] > 0) out.push(`value ${a[i] - 1}`);
    if (kind === 'rota' && d.call) out.push(d.call);
    const symbol = header.meta.symbols[nameOf(i)];
    if (symbol && !d.file) out.push(symbol);
    return out;
  }

  const waitedOf = (job) => Math.max(0, b[job] - 1);

  // When it could have run, and what ran in its place.
  function whyLate(i) {
    const { delay, event } = causes.blame(i);
    if (delay < 1e3 || (b[i] === 0 && delay < 1e5)) return [];
    const how = b[i] > 0 ? 'late' : 'after it was ready';
    return [`${time(delay)} ${how}${event === undefined ? '' : `, because of ${nameOf(event)}`}`];
  }

  function element(tag, text, className) {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  // ---- the summary ----

  function block(title) {
    const div = element('div');
    div.append(element('h2', title));
    $('summary').append(div);
    return div;
  }

  // The end of the path is what tells one file from another.
  function place(event) {
    const { file, line } = details[detail[event]];
    return file === undefined ? '' : `${file.split('/').slice(-2).join('/')}:${line}`;
  }

  function link(text, event, title = text) {
    const button = element('button', text, 'link');
    button.type = 'button';
    button.title = title;
    button.addEventListener('click', () => show(event));
    return button;
  }

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

  // Two may have the same name.
  const places = details.map((d) => (d.file === undefined ? '' : `${d.file}:${d.line}`));
  const placeNumber = new Map(), placeOf = places.map((p) => placeNumber.get(p) ?? (placeNumber.set(p, placeNumber.size), placeNumber.size - 1));
  const keyOf = (i) => name[i] * 65536 + placeOf[detail[i]];
  const many = (n) => n.toLocaleString('en');

  // Tables have their names in the first column: a bar behind it shows the share of the whole.
  function bar(tr, share) {
    const percent = Math.max(0, Math.min(100, share * 100)).toFixed(1);
    tr.firstChild.style.background = `linear-gradient(to right, var(--share) ${percent}%, transparent ${percent}%)`;
  }

  function tableOf(head, rows) {
    const table = element('table');
    if (head !== null) row(table, head).className = 'head';
    for (const { cells, event, where, share } of rows) {
      const tr = row(table, cells, event, where);
      if (share !== undefined) bar(tr, share);
    }
    return table;
  }

  // How long the loops ran, those of the main thread and the others: together, a loop without a pause and one that waits would look half busy.
  function loopTimes() {
    const main = header.tracks.indexOf(header.meta.process);
    const times = { main: { whole: 0, waited: 0 }, others: { whole: 0, waited: 0 } };
    for (const i of iterations.items) times[threadOfLoop.get(details[detail[i]].loop) === main ? 'main' : 'others'].whole += duration[i];
    for (const i of waits) times[track[i] === main ? 'main' : 'others'].waited += duration[i];
    for (const i of calls) if (isUnfinished(i) && details[detail[i]].phase !== 'outside') times[track[i] === main ? 'main' : 'others'].whole += endOf(i) - lastBegin(track[i]);
    return times;
  }

  const isUnfinished = (i) => details[detail[i]].on === 'unfinished';

  // An iteration that has not ended is not in the trace: it begins where the one before has ended, or with the first that the loop has done.
  function lastBegin(thread) {
    const before = iterations.items.filter((i) => threadOfLoop.get(details[detail[i]].loop) === thread).map(endOf);
    if (before.length > 0) return before.reduce((x, y) => Math.max(x, y));
    const inside = [...waits, ...calls.filter((i) => details[detail[i]].phase !== 'outside')].filter((i) => track[i] === thread);
    return inside.reduce((least, i) => Math.min(least, start[i]), Infinity);
  }

  const busy = ({ whole, waited }) => (whole > 0 ? `${Math.max(0, 100 - (waited / whole) * 100).toFixed(1)} %` : '\u2013');

  function summarizeLoop() {
    const { main, others } = loopTimes();
    const use = block('The loop was busy for');
    use.append(element('div', busy(main.whole > 0 ? main : others), 'big'));
    use.append(element('div', `of ${time(last - first)}: ${many(iterations.items.length)} iterations, ${many(calls.length)} callbacks`, 'quiet'));
    if (waits.length > 0) {
      const sorted = Float64Array.from(waits, (i) => duration[i]).sort();
      use.append(element('div', waits.length === 1 ? `It waited once, for ${time(sorted[0])}.`
        : `It waited ${many(waits.length)} times: half of them under ${time(sorted[sorted.length >> 1])}, longest ${time(sorted[sorted.length - 1])}.`, 'quiet'));
    }
    if (main.whole > 0 && others.whole > 0) use.append(element('div', `Loops of other threads: ${busy(others)} of ${time(others.whole)}.`, 'quiet'));
    if (operations.length > 0) use.append(element('div', `${many(operations.length)} file operations by the ring`, 'quiet'));
  }

  function summarizeTime() {
    const callbacks = causes.byCallback(-Infinity, Infinity, keyOf);
    const all = callbacks.reduce((sum, c) => sum + c.total, 0);
    const slow = block('What took the loop\u2019s time');
    slow.className = 'wide';
    slow.append(tableOf(['', 'calls', 'total', 'longest'], callbacks.slice(0, 6).map((c) => ({
      cells: [nameOf(c.worst), many(c.count), time(c.total), time(duration[c.worst])], event: c.worst, where: place(c.worst), share: c.total / all,
    }))));
  }

  function summarizeDelays() {
    const delays = causes.worstDelays(Math.min(warnNs / 10, 1e6), 6);
    const late = block('What was late, and why');
    late.className = 'wide';
    if (delays.length === 0) late.append(element('div', 'Nothing that was due had to wait.', 'quiet'));
    else late.append(delayTable(delays));
  }

  function delayTable(delays) {
    const table = element('table');
    const head = row(table, ['', 'late by', 'because of']);
    head.className = 'head';
    head.lastChild.className = 'who';
    for (const { event, worst, delay, count } of delays) {
      const tr = row(table, [nameOf(worst), time(delay)], worst, count > 1 ? `and ${many(count - 1)} more` : place(worst));
      const td = element('td', undefined, 'who');
      if (event === undefined) td.append(element('span', 'no processor was free', 'quiet'));
      else td.append(link(nameOf(event), event), ' ', element('span', time(duration[event]), 'quiet small'));
      tr.append(td);
    }
    return table;
  }

  // Waiting against running, by what the jobs do; those that waited and ran longest first.
  function poolTable() {
    const kinds = new Map();
    for (const i of jobs) {
      const kind = kinds.get(name[i]) ?? { count: 0, waited: 0, ran: 0, worst: i };
      kind.count++;
      kind.waited += waitedOf(i);
      kind.ran += duration[i];
      if (waitedOf(i) + duration[i] > waitedOf(kind.worst) + duration[kind.worst]) kind.worst = i;
      kinds.set(name[i], kind);
    }
    const sorted = [...kinds].sort(([, x], [, y]) => y.waited + y.ran - x.waited - x.ran).slice(0, 6);
    const table = element('table');
    row(table, ['', 'waited', 'ran']).className = 'head';
    for (const [text, { count: n, waited, ran, worst }] of sorted)
      row(table, [header.strings[text], time(waited), time(ran)], worst, `\u00d7 ${many(n)}`);
    return table;
  }

  function summarizePool() {
    if (jobs.length === 0) return;
    const queue = block('Time in the pool\u2019s queue');
    queue.className = 'pool';
    const columns = new Array(8).fill(0);
    let worst = 0;
    for (const i of jobs) {
      const ns = Math.max(1, b[i] - 1);
      worst = Math.max(worst, ns);
      columns[Math.min(7, Math.max(0, Math.floor(Math.log10(ns)) - 2))]++;
    }
    const bars = element('div', undefined, 'bars');
    bars.setAttribute('role', 'img');
    const labels = ['<1\u00b5s', '1\u00b5s', '10\u00b5s', '100\u00b5s', '1ms', '10ms', '100ms', '1s'];
    bars.setAttribute('aria-label', labels.map((l, n) => `${l}: ${columns[n]}`).join(', '));
    columns.forEach((n, k) => {
      const column = element('span'), shown = element('i');
      shown.style.height = `${(n / Math.max(...columns)) * 100}%`;
      column.title = `from ${labels[k]}: ${n} jobs`;
      column.append(shown, element('small', labels[k]));
      bars.append(column);
    });
    queue.append(bars, element('div', `${many(jobs.length)} jobs, longest ${time(worst)}`, 'quiet'), poolTable());
  }

  function summarize() {
    $('file').textContent = header.file;
    document.title = `${header.file}: timeline`;
    $('summary').replaceChildren();
    collectWarnings();
    summarizeLoop();
    summarizeTime();
    summarizeDelays();
    warn();
    summarizePool();
  }

  // What is long by itself, and what nobody would call so: half of the longest callback is not a warning.
  function chooseThreshold() {
    let longest = 0;
    for (const i of calls) longest = Math.max(longest, duration[i]);
    warnNs = [50e6, 10e6, 5e6].find((ns) => longest >= ns) ?? 1e6;
    $('threshold').value = String(warnNs / 1e6);
  }

  // A callback and what is drained after it are one warning: of the one that took the larger part.
  function collectWarnings() {
    const drained = new Map();
    for (const i of drains) {
      const before = drained.get(number[i]);
      if (duration[i] >= warnNs / 2 && (before === undefined || duration[before] < duration[i])) drained.set(number[i], i);
    }
    warnings = calls.filter((i) => duration[i] >= warnNs).map((i) => {
      const drain = number[i] === 0 ? undefined : drained.get(number[i]);
      return drain !== undefined && duration[drain] * 2 >= duration[i] ? drain : i;
    });
    for (const i of drains) if (duration[i] >= warnNs && causes.eventOf(number[i]) === undefined) warnings.push(i);
    warnings.sort((x, y) => start[x] - start[y]);
  }

  // Jobs that no thread was free for.
  function warnOfPool(list) {
    const waited = jobs.filter((i) => b[i] - 1 >= warnNs);
    if (waited.length === 0) return;
    const longest = waited.reduce((x, y) => (b[y] > b[x] ? y : x));
    row(list, [`the pool was full: ${waited.length === 1 ? 'a job' : `${waited.length.toLocaleString('en')} jobs`} waited`, time(b[longest] - 1)], longest);
  }

  function ofCall(drain) {
    const call = causes.eventOf(number[drain]);
    return call === undefined ? '' : ` of ${nameOf(call)}`;
  }

  function warn() {
    const trouble = block('Warnings');
    const list = element('table');
    for (const i of errors.slice(0, 3)) row(list, [nameOf(i), ''], i);
    // Starvation comes first: it is rarer, and worse.
    const worst = warnings.slice().sort((x, y) => category[y] - category[x] || duration[y] - duration[x]);
    for (const i of worst.slice(0, 5))
      row(list, [category[i] === CAT.drain ? `starved by ${nameOf(i)}${ofCall(i)}` : `blocked by ${nameOf(i)}`, time(duration[i])], i);
    if (warnings.length > 5) row(list, [`and ${warnings.length - 5} more (!)`]);
    warnOfPool(list);
    if (header.meta.dropped > 0) row(list, [`${header.meta.dropped.toLocaleString('en')} events were dropped`]);
    if (!header.meta.ended) row(list, ['The file breaks off: the program did not end by itself.']);
    if (list.children.length === 0) row(list, [`none: nothing took ${time(warnNs)}`]);
    else trouble.className = 'warn';
    trouble.append(list);
  }

  // ---- drawing ----

  const canvas = $('chart'), context = canvas.getContext('2d');
  const TOP = 36, GAP = 4, GROUP = 24;
  let LEFT = 130, HEIGHT = 28; // by the size of the window: see resize
  const SLIM = 18; // of a row of a stack
  const heightOf = (l) => (l.slim ? SLIM : HEIGHT);
  const gapOf = (l) => (l.slim ? 1 : GAP);
  const view = { from: first, to: last, top: 0 };
  let width = 0, height = 0, colors = {}, selected = -1, onlyFound = false, mouse = null, range = null, query = '', matches = null, found = [], foundAt = -1, scheduled = false;
  const frames = [];

  function readColors() {
    const style = getComputedStyle(document.documentElement);
    for (const key of ['back', 'front', 'quiet', 'line', 'lane', 'strong', 'wait', 'drain', 'found', 'warn', 'job', 'ring', 'sample', 'span', 'band', 'arrow', 'share', ...PHASES])
      colors[`--${key}`] = style.getPropertyValue(`--${key}`).trim();
  }

  const xOf = (t) => LEFT + ((t - view.from) / (view.to - view.from)) * (width - LEFT);
  const tOf = (x) => view.from + ((x - LEFT) / (width - LEFT)) * (view.to - view.from);

  function draw() {
    scheduled = false;
    const began = performance.now();
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.fillStyle = colors['--back'];
    context.fillRect(0, 0, width, height);
    drawBands();
    drawIterations();
    let y = TOP - view.top, group;
    for (const l of lanes) {
      if (group !== l.group) y += drawGroup(l, y);
      group = l.group;
      l.y = y;
      if (y + heightOf(l) > TOP && y < height) drawLane(l, y);
      y += heightOf(l) + gapOf(l);
    }
    drawRange();
    drawArrows();
    drawRuler();
    drawOverview();
    if (mouse !== null && drag === null) hover(mouse.x, mouse.y); // what is under it may have changed
    tellRange();
    frames.push(performance.now() - began);
    if (frames.length > 600) frames.shift();
  }

  // The text, or as much of it as there is room for.
  function shortened(text, room) {
    if (context.measureText(text).width <= room) return text;
    let length = text.length - 1;
    while (length > 1 && context.measureText(`${text.slice(0, length)}\u2026`).width > room) length--;
    return `${text.slice(0, length)}\u2026`;
  }

  function groupName(l) {
    if (l.group === POOL) {
      const count = lanes.filter((o) => o.group === POOL).length;
      return `thread pool, ${count} ${count === 1 ? 'thread' : 'threads'}`;
    }
    if (l.group === RING) return 'ring: file operations without a thread';
    return l.group >= 1e5 ? '' : `loop on thread ${header.tracks[l.group]} (${trackName(l.group)})`;
  }

  // A heading above the lanes that belong together.
  function drawGroup(l, y) {
    const text = groupName(l);
    if (text === '') return GAP;
    if (y + GROUP > TOP && y < height) {
      context.fillStyle = colors['--front'];
      context.font = '600 11px system-ui, sans-serif';
      context.textBaseline = 'middle';
      context.fillText(shortened(text, width - 16), 8, y + GROUP / 2 + 1);
    }
    return GROUP;
  }

  // Iterations as columns: every second one is tinted, as long as there are few enough to tell them apart.
  function fewIterations() {
    return iterations.search(view.to) - iterations.search(view.from) <= (width - LEFT) / 10;
  }

  function drawBands() {
    if (!fewIterations()) return;
    context.fillStyle = colors['--band'];
    for (let k = Math.max(0, iterations.search(view.from) - 1); k < iterations.items.length; k++) {
      const event = iterations.items[k], x = Math.max(LEFT, xOf(start[event]));
      if (x > width) break;
      if (a[event] % 2 === 0) context.fillRect(x, TOP, Math.max(0, xOf(endOf(event)) - x), height);
    }
  }

  function schedule() {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(draw);
  }

  function drawLane(l, y) {
    const color = colors[l.color], tall = heightOf(l);
    context.globalAlpha = .55;
    context.fillStyle = colors['--lane'];
    context.fillRect(LEFT, y, width - LEFT, tall);
    context.globalAlpha = 1;
    context.fillStyle = color;
    if (l.label !== '') context.fillRect(8, y + tall / 2 - 4, 8, 8);
    context.fillStyle = colors['--quiet'];
    context.font = '12px system-ui, sans-serif';
    context.textBaseline = 'middle';
    context.fillText(shortened(l.label, LEFT - 28), 22, y + tall / 2);
    if (l.phases !== undefined) drawSeries(l.phases, y, tall, color, .18, false);
    drawSeries(l.behind, y + 7, tall - 14, colors['--wait'], 1, false);
    drawSeries(l.events, y + 1, l.under.items.length > 0 ? tall - 10 : tall - 2, color, 1, true);
    drawSeries(l.under, y + tall - 8, 7, colors['--drain'], 1, false);
  }

  function drawSeries(series, y, h, color, strength, labelled) {
    const { items, sums } = series;
    let i = Math.max(0, series.search(view.from) - 1);
    const column = (view.to - view.from) / (width - LEFT);
    while (i < items.length && start[items[i]] < view.to) {
      const event = items[i];
      const x0 = xOf(start[event]), x1 = xOf(endOf(event));
      if (x1 < LEFT) {
        i++;
        continue;
      }
      if (x1 - x0 >= 1.5) {
        const from = Math.max(LEFT, x0), to = Math.min(width, x1);
        const match = matches !== null && matches(event);
        context.globalAlpha = onlyFound && matches !== null && !match ? strength * .12 : strength;
        context.fillStyle = match ? colors['--found'] : color;
        context.fillRect(from, y, to - from - (to - from > 4 ? .5 : 0), h);
        if (event === selected) {
          context.strokeStyle = colors['--front'];
          context.lineWidth = 2;
          context.strokeRect(from, y, to - from, h);
        }
        if (labelled && to - from > 34) {
          context.globalAlpha = 1;
          context.fillStyle = match ? '#1f2328' : colors['--back'];
          context.save();
          context.beginPath();
          context.rect(from, y, to - from - 3, h);
          context.clip();
          context.fillText(shortened(nameOf(event), to - from - 8), from + 4, y + h / 2);
          context.restore();
        }
        i++;
        continue;
      }
      // All that begins in this pixel, as one: the darker, the busier.
      const x = Math.max(LEFT, Math.floor(x0));
      const j = series.nextLong(i + 1, Math.max(i + 1, series.search(tOf(x + 1), i + 1)), column * 1.5);
      const busy = (sums[j] - sums[i]) / column;
      const match = matches !== null && anyMatch(items, i, j);
      context.globalAlpha = strength * Math.min(1, .35 + busy * .65) * (onlyFound && matches !== null && !match ? .12 : 1);
      context.fillStyle = match ? colors['--found'] : color;
      context.fillRect(x, y, 1.2, h);
      i = j;
    }
    context.globalAlpha = 1;
  }

  function anyMatch(items, i, j) {
    for (let k = i; k < j && k < i + 200; k++) if (matches(items[k])) return true;
    return false;
  }

  function drawIterations() {
    if (!fewIterations()) return;
    context.strokeStyle = colors['--line'];
    context.fillStyle = colors['--quiet'];
    context.lineWidth = 1;
    context.font = '11px system-ui, sans-serif';
    for (let k = Math.max(0, iterations.search(view.from) - 1); k < iterations.items.length; k++) {
      const event = iterations.items[k], x = xOf(start[event]);
      if (x > width) break;
      if (x < LEFT) continue;
      context.beginPath();
      context.moveTo(x, TOP);
      context.lineTo(x, height);
      context.stroke();
    }
  }

  // With as many digits as it takes to tell one from the next.
  function mark(t, step) {
    const [unit, text] = step >= 1e8 ? [1e9, 's'] : step >= 1e2 ? [1e6, 'ms'] : [1e3, '\u00b5s'];
    return `${(t / unit).toFixed(Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-9)))} ${text}`;
  }

  function drawRuler() {
    context.fillStyle = colors['--back'];
    context.fillRect(0, 0, width, TOP - 3);
    context.fillStyle = colors['--quiet'];
    context.font = '11px system-ui, sans-serif';
    const span = view.to - view.from;
    let step = 10 ** Math.floor(Math.log10(span / 6));
    if (span / step > 14) step *= 5;
    else if (span / step > 8) step *= 2;
    let until = 0;
    for (let t = Math.ceil((view.from - first) / step) * step; t <= view.to - first; t += step) {
      const x = xOf(t + first), text = mark(t, step);
      if (x < LEFT || x < until) continue;
      until = x + context.measureText(text).width + 14;
      if (until - 10 > width) break;
      context.fillText(text, x + 4, 11);
      context.fillRect(x, 4, 1, 12);
    }
    if (!fewIterations()) return;
    context.fillText('iteration', 8, TOP - 12);
    for (let k = Math.max(0, iterations.search(view.from) - 1); k < iterations.items.length; k++) {
      const event = iterations.items[k], x = Math.max(LEFT, xOf(start[event]));
      if (x > width) break;
      const text = `${a[event] - 1}`;
      if (xOf(endOf(event)) - x > context.measureText(text).width + 8) context.fillText(text, x + 4, TOP - 12);
    }
  }

  // ---- causes, as arrows ----

  function laneOfEvent(event) {
    for (const l of lanes) {
      if (track[event] !== l.group && l.group < 1e5) continue;
      for (const series of [l.events, l.under]) {
        for (let k = series.search(start[event]); k < series.items.length && start[series.items[k]] === start[event]; k++) {
          if (series.items[k] === event) return l;
        }
      }
    }
    return undefined;
  }

  let arrows = []; // [from, to] of the selected callback

  function findArrows(event) {
    arrows = [];
    if (event < 0 || category[event] !== CAT.call) return;
    const chain = causes.chain(event);
    for (let k = 0; k + 1 < chain.length; k++) arrows.push([chain[k + 1], chain[k]]);
    for (const effect of causes.effects(event, 40)) arrows.push([event, effect]);
  }

  function drawArrows() {
    if (arrows.length === 0) return;
    context.save();
    context.beginPath();
    context.rect(LEFT, TOP - 2, width - LEFT, height);
    context.clip();
    context.strokeStyle = context.fillStyle = colors['--arrow'];
    context.lineWidth = 1.5;
    for (const [from, to] of arrows) {
      const fromLane = laneOfEvent(from), toLane = laneOfEvent(to);
      if (fromLane === undefined || toLane === undefined) continue;
      const x0 = xOf(endOf(from)), x1 = xOf(start[to]), y0 = fromLane.y + heightOf(fromLane) / 2, y1 = toLane.y + heightOf(toLane) / 2;
      if (x1 < LEFT - 50 || x0 > width + 50) continue;
      const bend = Math.min(60, Math.max(12, (x1 - x0) / 2));
      context.beginPath();
      context.moveTo(x0, y0);
      context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1 - 4, y1);
      context.stroke();
      context.beginPath();
      context.moveTo(x1, y1);
      context.lineTo(x1 - 7, y1 - 4);
      context.lineTo(x1 - 7, y1 + 4);
      context.fill();
    }
    context.restore();
  }

  // ---- a marked range ----

  function drawRange() {
    if (range === null) return;
    const from = Math.max(LEFT, xOf(Math.min(range.from, range.to))), to = Math.min(width, xOf(Math.max(range.from, range.to)));
    context.globalAlpha = .14;
    context.fillStyle = colors['--strong'];
    context.fillRect(from, TOP, Math.max(1, to - from), height);
    context.globalAlpha = 1;
    context.fillRect(from, TOP, 1, height);
    context.fillRect(to, TOP, 1, height);
  }

  // ---- the whole, as a strip ----

  const strip = $('overview'), stripContext = strip.getContext('2d');
  let stripImage = null;

  // How busy each phase was, one above the other, for each column.
  function paintStrip() {
    const w = strip.clientWidth, h = strip.clientHeight, span = last - first;
    const image = document.createElement('canvas');
    image.width = strip.width;
    image.height = strip.height;
    const to = image.getContext('2d');
    to.scale(devicePixelRatio, devicePixelRatio);
    to.fillStyle = colors['--lane'];
    to.fillRect(0, 0, w, h);
    const loops = lanes.filter((l) => l.group < 1e5 && l.events.items.length > 0);
    const at = loops.map(() => 0);
    for (let x = 0; x < w; x++) {
      const from = first + (x / w) * span, until = first + ((x + 1) / w) * span;
      let y = h;
      loops.forEach((l, n) => {
        const series = l.events, i = at[n], j = series.search(until, i);
        at[n] = j;
        let busy = series.sums[j] - series.sums[i];
        // One that goes on into the next columns, and one that came from those before.
        if (j > 0) busy -= Math.max(0, endOf(series.items[j - 1]) - until) * (j > i ? 1 : 0);
        if (i > 0) busy += Math.max(0, Math.min(endOf(series.items[i - 1]), until) - from);
        const part = Math.min(y, Math.max(busy > 0 ? 1 : 0, (busy / (until - from)) * h));
        if (part <= 0) return;
        y -= part;
        to.fillStyle = colors[l.color];
        to.fillRect(x, y, 1, part);
      });
    }
    stripImage = image;
  }

  function drawOverview() {
    if (strip.clientWidth === 0) return;
    if (stripImage === null) paintStrip();
    const w = strip.clientWidth, h = strip.clientHeight, span = last - first;
    stripContext.setTransform(1, 0, 0, 1, 0, 0);
    stripContext.drawImage(stripImage, 0, 0);
    stripContext.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    const from = Math.max(0, ((view.from - first) / span) * w), to = Math.min(w, ((view.to - first) / span) * w);
    stripContext.fillStyle = colors['--back'];
    stripContext.globalAlpha = .7;
    stripContext.fillRect(0, 0, from, h);
    stripContext.fillRect(to, 0, w - to, h);
    stripContext.globalAlpha = 1;
    stripContext.strokeStyle = colors['--strong'];
    stripContext.lineWidth = 1;
    stripContext.strokeRect(from + .5, .5, Math.max(3, to - from - 1), h - 1);
  }

  // ---- moving ----

  function setView(from, to) {
    const span = Math.min(Math.max(to - from, 200), (last - first) * 1.1);
    const middle = (from + to) / 2;
    view.from = Math.min(Math.max(middle - span / 2, first - span * .05), Math.max(first - span * .05, last + span * .05 - span));
    view.to = view.from + span;
    schedule();
  }

  const zoom = (factor, at = (view.from + view.to) / 2) =>
    setView(at - (at - view.from) * factor, at + (view.to - at) * factor);
  const move = (part) => setView(view.from + (view.to - view.from) * part, view.to + (view.to - view.from) * part);

  function show(event) {
    const around = Math.max(duration[event] * 2, 2e4);
    setView(start[event] - around, endOf(event) + around);
    choose(event);
    canvas.focus({ preventScroll: true });
  }

  // Selected: its arrows, its story; and its lane is in view.
  function choose(event) {
    selected = event;
    findArrows(event);
    tell(event);
    const home = event < 0 ? undefined : laneOfEvent(event);
    if (home !== undefined) {
      const y = offsetOf(home);
      if (y < view.top) view.top = y;
      else if (y + heightOf(home) + TOP > view.top + height) view.top = y + heightOf(home) + TOP - height;
    }
    showTab('selected');
    schedule();
  }

  // Of a lane, from the first one's top.
  function offsetOf(lane_) {
    let y = 0, group;
    for (const l of lanes) {
      if (group !== l.group) y += groupName(l) === '' ? GAP : GROUP;
      group = l.group;
      if (l === lane_) return y;
      y += heightOf(l) + gapOf(l);
    }
    return y;
  }

  function tell(event) {
    $('told').textContent = event < 0 ? '' : `${nameOf(event)}: ${lines(event).join('; ')}`;
  }

  // ---- what is under the mouse ----

  function eventsAt(x, y) {
    const hit = lanes.find((l) => y >= l.y && y < l.y + heightOf(l));
    if (hit === undefined || x < LEFT) return null;
    const low = y - hit.y > heightOf(hit) - 9 && hit.under.items.length > 0;
    for (const series of low ? [hit.under, hit.events, hit.behind] : [hit.events, hit.behind, hit.phases]) {
      if (series === undefined) continue;
      const t = tOf(x), near = (view.to - view.from) / (width - LEFT);
      const j = series.search(t + near * 1.5);
      let i = j - 1;
      if (i < 0 || endOf(series.items[i]) < t - near * 1.5) continue;
      let longest = series.items[i], n = 0;
      for (; i >= 0 && n < 5000 && endOf(series.items[i]) >= t - near * 1.5; i--, n++)
        if (duration[series.items[i]] > duration[longest]) longest = series.items[i];
      return { event: longest, n };
    }
    return null;
  }

  function hover(x, y) {
    const card = $('card'), hit = eventsAt(x, y);
    card.hidden = hit === null;
    if (hit === null) return;
    card.replaceChildren(element('b', nameOf(hit.event)));
    for (const line of lines(hit.event)) card.append(element('div', line));
    if (hit.n > 1) card.append(element('div', `the longest of ${hit.n} here`, 'quiet'));
    card.style.left = `${Math.min(x + 14, width - card.offsetWidth - 8)}px`;
    card.style.top = `${Math.min(y + 16, height - card.offsetHeight - 8)}px`;
  }

  // ---- the panel ----

  let tab = 'selected', tabTimer = 0;

  function showTab(wanted) {
    tab = wanted;
    for (const button of document.querySelectorAll('[data-tab]')) button.setAttribute('aria-selected', String(button.dataset.tab === tab));
    const content = $('content');
    content.replaceChildren();
    if (tab === 'selected') tellCallback(content);
    else if (tab === 'range') tellStatistics(content);
    else tellDelays(content);
  }

  function tellRange() {
    if (tab !== 'range') return;
    clearTimeout(tabTimer);
    tabTimer = setTimeout(() => tab === 'range' && showTab('range'), 120);
  }

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
      li.style.setProperty('--of', `var(${colorOf(phase)})`);
      li.append(link(nameOf(i), i), ' ', element('span', `${place(i)} ${phase}, ${time(duration[i])}, at ${time(start[i] - first)}`, 'quiet small'));
      list.append(li);
    }
    return list;
  }

  function tellCallback(content) {
    if (selected < 0) {
      content.append(element('p', 'Click a callback: who has scheduled it, what it waited for, what made it late.', 'quiet'));
      return;
    }
    content.append(element('h3', nameOf(selected)));
    for (const line of lines(selected)) if (!/because of |^scheduled by /.test(line)) content.append(element('div', line, 'quiet'));
    if (category[selected] === CAT.drain) {
      const call = causes.eventOf(number[selected]);
      if (call !== undefined) facts(content, [['after', link(nameOf(call), call)]]);
    }
    if (category[selected] === CAT.job || category[selected] === CAT.operation) {
      const by = causes.eventOf(cause[selected]);
      if (by !== undefined) facts(content, [['asked for by', link(nameOf(by), by)]]);
    }
    if (category[selected] !== CAT.call) return;
    const { delay, event } = causes.blame(selected);
    if (event !== undefined) facts(content, [[`${time(delay)} late because of`, link(nameOf(event), event), ` ${place(event)}, which took ${time(duration[event])}`]]);
    const job = jobOf(selected);
    if (job !== undefined) facts(content, [['waited for', link(nameOf(job), job), `, a job that stood ${time(Math.max(0, b[job] - 1))} in the queue and ran for ${time(duration[job])}`]]);
    const chain = causes.chain(selected);
    content.append(element('h4', chain.length > 1 ? 'Scheduled by' : 'Nobody is known to have scheduled it'));
    if (chain.length > 1) content.append(chainList(chain.slice(1)));
    const effects = causes.effects(selected, 20);
    if (effects.length > 0) content.append(element('h4', `Has scheduled${effects.length === 20 ? ', the first 20' : ''}`), chainList(effects));
  }

  // The pool's job behind a callback: it ended when the callback became ready.
  function jobOf(call) {
    if (b[call] === 0 || !/^(fs|work|random|getaddrinfo|getnameinfo)$/.test(details[detail[call]].on)) return undefined;
    const done = start[call] - (b[call] - 1);
    let best;
    for (let k = causes.firstFrom(jobs, start[call]) - 1, n = 0; k >= 0 && n < 2000; k--, n++) {
      if (cause[jobs[k]] === cause[call] && Math.abs(endOf(jobs[k]) - done) < 2000) best = jobs[k];
    }
    return best;
  }

  function tellStatistics(content) {
    const from = range === null ? view.from : Math.min(range.from, range.to), to = range === null ? view.to : Math.max(range.from, range.to);
    const phases = causes.byPhase(from, to), callbacks = causes.byCallback(from, to, keyOf);
    content.append(element('p', `${range === null ? 'What is in view' : 'The marked range'}: ${time(to - from)}` +
      `${range === null ? ' (shift and drag to mark a part)' : ' (Escape takes it back)'}`, 'quiet'));
    if (callbacks.length === 0) return void content.append(element('p', 'No callback begins here.'));
    const all = phases.reduce((sum, p) => sum + p.total, 0);
    content.append(element('h4', header.lanes === undefined ? 'By phase' : 'By task source'), tableOf(['', 'calls', 'total', 'p50', 'p90', 'p99'], phases.map((p) => ({
      cells: [p.key, many(p.count), time(p.total), time(p.p50), time(p.p90), time(p.p99)], share: p.total / all,
    }))));
    content.append(element('h4', 'By callback'), tableOf(['', 'calls', 'total', 'longest', 'waited'], callbacks.slice(0, 60).map((c) => ({
      cells: [nameOf(c.worst), many(c.count), time(c.total), time(duration[c.worst]), c.waited > 0 ? time(c.waited) : ''],
      event: c.worst, where: place(c.worst), share: c.total / all,
    }))));
  }

  function tellDelays(content) {
    const delays = causes.worstDelays(1e5, 40);
    content.append(element('p', 'Callbacks that were ready and could not run, by what ran in their place.', 'quiet'));
    content.append(delays.length > 0 ? delayTable(delays) : element('p', 'none'));
  }

  // ---- finding ----

  function search(text) {
    query = text.trim().toLowerCase();
    found = [];
    foundAt = -1;
    matches = null;
    if (query !== '') {
      const names = header.strings.map((s) => s.toLowerCase().includes(query));
      const others = header.details.map((s) => s.toLowerCase().includes(query));
      matches = (i) => names[name[i]] || others[detail[i]];
      for (let i = 0; i < count; i++)
        if (category[i] !== CAT.iteration && category[i] !== CAT.phase && category[i] !== CAT.wait && category[i] !== CAT.rota &&
          matches(i)) found.push(i);
    }
    $('found').textContent = query === '' ? '' : `${found.length.toLocaleString('en')} found`;
    schedule();
  }

  function nextFound(by) {
    if (found.length === 0) return;
    foundAt = (foundAt + by + found.length) % found.length;
    show(found[foundAt]);
    $('found').textContent = `${foundAt + 1} of ${found.length.toLocaleString('en')}`;
  }

  // ---- step by step ----

  let stepAt = -1;

  // What the pool was doing at a moment.
  function poolAt(t) {
    let low = 0, high = jobs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (start[jobs[middle]] <= t) low = middle + 1;
      else high = middle;
    }
    const running = [], waiting = [];
    for (let i = low - 1; i >= 0 && i > low - 2000; i--) if (endOf(jobs[i]) > t) running.push(nameOf(jobs[i]));
    for (let i = low; i < jobs.length && i < low + 5000; i++)
      if (start[jobs[i]] - Math.max(0, b[jobs[i]] - 1) <= t) waiting.push(nameOf(jobs[i]));
    return { running, waiting };
  }

  function step(by) {
    if (calls.length === 0) return;
    stepAt = Math.min(calls.length - 1, Math.max(0, stepAt + by));
    const event = calls[stepAt], d = details[detail[event]], story = $('story');
    show(event);
    $('position').textContent = `callback ${stepAt + 1} of ${calls.length.toLocaleString('en')}`;
    const k = iterations.search(start[event] + 1) - 1;
    const what = header.lanes === undefined ? 'phase' : 'task source';
    const iteration = k >= 0 && endOf(iterations.items[k]) >= start[event] ? `Iteration ${a[iterations.items[k]] - 1}, ${what} ` : `${what[0].toUpperCase()}${what.slice(1)} `;
    story.replaceChildren(element('p', `${iteration}${d.phase}. ${(header.lanes === undefined ? ABOUT : BROWSER)[d.phase] || ''}`));
    story.append(element('p', `${nameOf(event)}: ${lines(event).join('; ')}`));
    showQueues(event);
  }

  // What stood in the queues when the callback began, as far as it was seen to be taken from them.
  function showQueues(event) {
    const t = start[event], pool = poolAt(t), phase = details[detail[event]].phase;
    const next = [], drained = { ticks: [], microtasks: [] };
    for (let k = stepAt + 1; k < calls.length && next.length < 50; k++) {
      if (track[calls[k]] !== track[event]) continue;
      if (details[detail[calls[k]]].phase !== phase || start[calls[k]] - endOf(event) > 1e9) break;
      next.push(nameOf(calls[k]));
    }
    for (let i = event + 1; i < count && start[i] <= endOf(event); i++) {
      if (category[i] === CAT.drain && track[i] === track[event]) {
        drained[nameOf(i)].push(`${a[i] > 0 ? a[i] - 1 : '?'}${details[detail[i]].first ? `, the first: ${details[detail[i]].first}` : ''}`);
      }
    }
    const flying = operations.filter((i) => start[i] <= t && endOf(i) > t).map(nameOf);
    const box = (title, list, kind) => {
      const div = element('div', undefined, `queue ${kind}`);
      div.append(element('h3', `${title} (${list.length})`));
      const ul = element('ol');
      for (const text of list.slice(0, 6)) ul.append(element('li', text));
      if (list.length > 6) ul.append(element('li', `and ${list.length - 6} more`, 'quiet'));
      if (list.length === 0) ul.append(element('li', 'empty', 'quiet'));
      div.append(ul);
      return div;
    };
    $('queues').replaceChildren(
      box(`still to come in ${phase}`, next, phase),
      ...(header.lanes === undefined ? [box('ticks, drained after it', drained.ticks, 'drain')] : []),
      box('microtasks, drained after it', drained.microtasks, 'drain'),
      box('pool: running', pool.running, 'job'),
      box('pool: in the queue', pool.waiting, 'job'),
      box('ring: in flight', flying, 'ring'));
  }

  function stepMode(on) {
    $('step').hidden = !on;
    document.querySelector('[data-do="step"]').setAttribute('aria-pressed', String(on));
    if (!on) return;
    // From what is seen.
    stepAt = Math.max(0, calls.findIndex((i) => start[i] >= view.from));
    step(0);
  }

  // ---- hands ----

  let warningAt = -1;
  const actions = {
    in: () => zoom(.5),
    out: () => zoom(2),
    fit: () => setView(first, last),
    step: () => stepMode($('step').hidden),
    next: () => step(1),
    back: () => step(-1),
    help: () => $('help').showModal(),
    filter: () => {
      onlyFound = !onlyFound;
      document.querySelector('[data-do="filter"]').setAttribute('aria-pressed', String(onlyFound));
      schedule();
    },
    theme: () => setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'),
    warning: () => {
      if (warnings.length > 0) show(warnings[(warningAt = (warningAt + 1) % warnings.length)]);
    },
  };
  const keys = {
    ArrowLeft: () => ($('step').hidden ? move(-.2) : step(-1)), ArrowRight: () => ($('step').hidden ? move(.2) : step(1)), ArrowUp: () => scroll(-40), ArrowDown: () => scroll(40),
    '+': actions.in, '=': actions.in, '-': actions.out, 0: actions.fit, Home: actions.fit,
    '.': () => ($('step').hidden ? stepMode(true) : step(1)), ',': () => ($('step').hidden ? stepMode(true) : step(-1)),
    n: () => nextFound(1), N: () => nextFound(-1), t: actions.theme, '?': actions.help,
    '/': () => $('query').focus(), Escape: () => { range = null; mouse = null; choose(-1); $('card').hidden = true; },
    '[': () => follow(causes.chain(selected)[1]), ']': () => follow(causes.effects(selected, 1)[0]), '!': actions.warning, f: actions.filter, e: actions.step,
    a: () => move(-.2), d: () => move(.2), w: () => zoom(.7), s: () => zoom(1 / .7),
  };

  function follow(event) {
    if (selected >= 0 && event !== undefined) show(event);
  }

  function scroll(by) {
    const all = lanes.reduce((sum, l) => sum + heightOf(l) + gapOf(l), 0) + new Set(lanes.map((l) => l.group)).size * GROUP + 40;
    view.top = Math.min(Math.max(0, view.top + by), Math.max(0, all - (height - TOP)));
    schedule();
  }

  function setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    readColors();
    stripImage = null;
    schedule();
  }

  function resize() {
    width = canvas.clientWidth;
    height = canvas.clientHeight;
    canvas.width = Math.round(width * devicePixelRatio);
    canvas.height = Math.round(height * devicePixelRatio);
    strip.width = Math.round(strip.clientWidth * devicePixelRatio);
    strip.height = Math.round(strip.clientHeight * devicePixelRatio);
    stripImage = null;
    LEFT = width < 600 ? 84 : 130;
    // Few lanes take the room that there is.
    const groups = new Set(lanes.map((l) => l.group)).size;
    const slim = lanes.filter((l) => l.slim).length, room = height - TOP - groups * GROUP - slim * (SLIM + 1) - 8;
    HEIGHT = Math.min(64, Math.max(26, Math.floor(room / Math.max(1, lanes.length - slim)) - GAP));
    scroll(0);
  }

  document.addEventListener('click', (event) => {
    const button = event.target.closest('[data-do]');
    if (button !== null) actions[button.dataset.do]();
  });
  document.addEventListener('keydown', (event) => {
    if (event.target.matches('input') || event.ctrlKey || event.metaKey || event.altKey || $('help').open) return;
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  $('tabs').addEventListener('click', (event) => event.target.dataset.tab !== undefined && showTab(event.target.dataset.tab));
  $('threshold').addEventListener('change', () => {
    warnNs = $('threshold').value * 1e6;
    summarize();
  });
  let stripDrag = null;
  const stripTime = (event) => first + ((event.clientX - strip.getBoundingClientRect().left) / strip.clientWidth) * (last - first);
  strip.addEventListener('pointerdown', (event) => {
    const t = stripTime(event), whole = view.to - view.from > (last - first) * .98;
    stripDrag = { from: t, moves: !whole && t >= view.from && t <= view.to, at: t - view.from };
    strip.setPointerCapture(event.pointerId);
  });
  strip.addEventListener('pointermove', (event) => {
    if (stripDrag === null) return;
    const t = stripTime(event), span = view.to - view.from;
    if (stripDrag.moves) setView(t - stripDrag.at, t - stripDrag.at + span);
    else if (Math.abs(t - stripDrag.from) > (last - first) / 500) setView(Math.min(t, stripDrag.from), Math.max(t, stripDrag.from));
  });
  strip.addEventListener('pointerup', () => { stripDrag = null; });
  $('query').addEventListener('input', () => search($('query').value));
  $('search').addEventListener('submit', (event) => {
    event.preventDefault();
    nextFound(1);
  });
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) move((event.deltaX || event.deltaY) / 1000);
    else zoom(Math.exp(event.deltaY * .0015), tOf(Math.max(LEFT, event.offsetX)));
  }, { passive: false });
  let drag = null;
  canvas.addEventListener('pointerdown', (event) => {
    drag = { x: event.clientX, y: event.clientY, from: view.from, to: view.to, top: view.top, moved: false };
    if (event.shiftKey && event.offsetX > LEFT) drag.marks = tOf(event.offsetX);
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (drag === null) {
      mouse = { x: event.offsetX, y: event.offsetY };
      return hover(mouse.x, mouse.y);
    }
    if (drag.marks !== undefined) {
      range = { from: drag.marks, to: tOf(Math.max(LEFT, event.offsetX)) };
      drag.moved = true;
      if (tab !== 'range') showTab('range');
      return schedule();
    }
    const by = ((event.clientX - drag.x) / (width - LEFT)) * (drag.to - drag.from);
    drag.moved = drag.moved || Math.abs(event.clientX - drag.x) + Math.abs(event.clientY - drag.y) > 4;
    if (!drag.moved) return undefined;
    $('card').hidden = true;
    view.top = drag.top - (event.clientY - drag.y);
    scroll(0);
    return setView(drag.from - by, drag.to - by);
  });
  canvas.addEventListener('pointerup', (event) => {
    const hit = drag !== null && !drag.moved ? eventsAt(event.offsetX, event.offsetY) : null;
    drag = null;
    if (hit !== null) choose(hit.event);
  });
  canvas.addEventListener('dblclick', (event) => {
    const hit = eventsAt(event.offsetX, event.offsetY);
    if (hit !== null) show(hit.event);
  });
  canvas.addEventListener('pointerleave', () => {
    mouse = null;
    $('card').hidden = true;
  });
  new ResizeObserver(resize).observe(canvas);

  chooseThreshold();
  summarize();
  tab = 'range'; // filled in after the first picture
  for (const button of document.querySelectorAll('[data-tab]')) button.setAttribute('aria-selected', String(button.dataset.tab === tab));
  setTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  resize();
  setView(first, last);
  // For tests and measurements.
  const centreOf = (l, i) => ({ x: Math.max(LEFT + 1, (xOf(start[i]) + xOf(endOf(i))) / 2), y: l.y + 6 });
  window.timeline = { placeOf: centreOf, middleOf: (i) => start[i] + duration[i] / 2, causes, choose, view, show, search, step, setView, lanes, frames, count, calls, jobs, operations, errors, nameOf, ready: true, get warnings() { return warnings; } };
})();
