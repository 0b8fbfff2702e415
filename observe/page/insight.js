'use strict';
// What a trace says about causes and delays: who has scheduled a callback, since when it could have run, what ran in its
// place. It knows the columns of the events and nothing of the page, so that other pages can use it.
//
// insight({ start, duration, track, detail, details, late, number, cause, calls, waits }): `calls` and `waits` are numbers
// of events in the order of their beginning; `late` is in nanoseconds, plus 1; 0: unknown.

function insight(events) {
  const { start, duration, track, detail, details, late, number, cause, calls, waits } = events;
  const endOf = (i) => start[i] + duration[i];
  const MOST = 64; // the longest chain that is shown

  // ---- by thread ----

  const byTrack = new Map();
  function ofTrack(t) {
    let found = byTrack.get(t);
    if (found === undefined) {
      const outermost = [];
      let until = -1;
      for (const i of calls) {
        if (track[i] !== t || start[i] < until) continue;
        until = endOf(i);
        outermost.push(i);
      }
      found = { calls: outermost, waits: waits.filter((i) => track[i] === t) };
      byTrack.set(t, found);
    }
    return found;
  }

  // The first of the list that begins at t or later.
  function firstFrom(list, t) {
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (start[list[middle]] < t) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // ---- causes ----

  let places; // number of a callback -> its event
  function eventOf(callNumber) {
    if (places === undefined) {
      places = new Map();
      for (const i of calls) if (number[i] !== 0) places.set(number[i], i);
    }
    return callNumber === 0 ? undefined : places.get(callNumber);
  }

  // From a callback back to what began it all; the callback itself is the first.
  function chain(i) {
    const found = [i];
    for (let at = eventOf(cause[i]); at !== undefined && found.length < MOST && !found.includes(at); at = eventOf(cause[at])) found.push(at);
    return found;
  }

  function effects(i, most) {
    const found = [];
    if (number[i] === 0) return found;
    for (let k = firstFrom(calls, start[i]); k < calls.length && found.length < most; k++) if (cause[calls[k]] === number[i] && calls[k] !== i) found.push(calls[k]);
    return found;
  }

  // ---- delays ----

  // How long it stood ready, in nanoseconds: a timer since it was due, a job's callback since the job was done, what poll
  // has found since the first of the same round ran. 0: unknown, or not at all.
  function delayOf(i) {
    if (late[i] > 0) return late[i] - 1;
    if (details[detail[i]].phase !== 'poll') return 0;
    // Those that ran just before it, of the same round: what is looked for without waiting has no event of its own.
    const { calls: own, waits: waited } = ofTrack(track[i]), before = firstFrom(waited, start[i]) - 1;
    let ready = start[i];
    const woken = before < 0 ? -Infinity : endOf(waited[before]);
    for (let k = firstFrom(own, start[i]) - 1; k >= 0 && details[detail[own[k]]].phase === 'poll' && start[own[k]] >= woken; k--) ready = start[own[k]];
    return start[i] - ready;
  }

  // Which callback ran for most of the time from `from` to `to`: { event, overlap }, or undefined.
  function runningFor(t, from, to) {
    const list = ofTrack(t).calls;
    let best;
    for (let k = Math.max(0, firstFrom(list, from) - 1); k < list.length && start[list[k]] < to; k++) {
      const overlap = Math.min(endOf(list[k]), to) - Math.max(start[list[k]], from);
      if (overlap > 0 && (best === undefined || overlap > best.overlap)) best = { event: list[k], overlap };
    }
    return best;
  }

  // Who made it late. `event` is undefined if the thread did nothing meanwhile: it had no processor, or was not woken.
  function blame(i) {
    const delay = delayOf(i);
    const found = delay > 0 ? runningFor(track[i], start[i] - delay, start[i]) : undefined;
    return { delay, event: found !== undefined && found.overlap * 4 >= delay ? found.event : undefined };
  }

  // The callbacks that were late by `least` or more, gathered by who made them so; the worst first.
  function worstDelays(least, most) {
    const candidates = [];
    for (const i of calls) if (late[i] - 1 >= least) candidates.push(i);
    candidates.sort((x, y) => late[y] - late[x]);
    const groups = new Map();
    for (const i of candidates.slice(0, 2000)) {
      const { delay, event } = blame(i), key = event ?? -1;
      const group = groups.get(key) ?? { event, delay, worst: i, count: 0, total: 0 };
      group.count++;
      group.total += delay;
      groups.set(key, group);
    }
    return [...groups.values()].sort((x, y) => y.delay - x.delay).slice(0, most);
  }

  // ---- a range ----

  function percentile(sorted, part) {
    return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  }

  const phaseOf = details.map((d) => d.phase);

  function addTo(sum, i) {
    const lasted = duration[i];
    sum.count++;
    sum.total += lasted;
    if (late[i] > 0) sum.waited += late[i] - 1;
    if (lasted > duration[sum.worst]) sum.worst = i;
  }

  const newSum = (key, i) => ({ key, count: 0, total: 0, waited: 0, worst: i });

  // Values in buckets, 64 to each power of two: a million of them take too long to be sorted.
  const MANY = 20000, STEPS = 64;
  const bucketOf = (ns) => (ns < STEPS ? ns : (31 - Math.clz32(ns / STEPS)) * STEPS + Math.floor(ns / 2 ** (31 - Math.clz32(ns / STEPS))));
  const valueOf = (bucket) => {
    const shift = bucket < 2 * STEPS ? 0 : Math.floor(bucket / STEPS) - 1;
    return (bucket - shift * STEPS) * 2 ** shift;
  };

  function percentilesOf(items) {
    if (items.length <= MANY) {
      const sorted = Float64Array.from(items, (i) => duration[i]).sort();
      return [.5, .9, .99].map((part) => percentile(sorted, part));
    }
    const buckets = new Uint32Array(STEPS * 48);
    for (const i of items) buckets[bucketOf(Math.floor(duration[i]))]++;
    return [.5, .9, .99].map((part) => {
      let bucket = 0, seen = buckets[0];
      while (seen <= items.length * part && bucket < buckets.length - 1) seen += buckets[++bucket];
      return valueOf(bucket);
    });
  }

  const byTotal = (x, y) => y.total - x.total;

  // Callbacks that begin in the range, by what `keyOf` says, and by phase with percentiles. The most time first. Of all of
  // them it is asked for more than once.
  const isAll = (from, to) => calls.length > 0 && from <= start[calls[0]] && to >= start[calls[calls.length - 1]];
  let allCallbacks;
  function byCallback(from, to, keyOf) {
    if (isAll(from, to) && allCallbacks !== undefined) return allCallbacks;
    const callbacks = new Map();
    for (let k = firstFrom(calls, from); k < calls.length && start[calls[k]] <= to; k++) {
      const i = calls[k], key = keyOf(i);
      let sum = callbacks.get(key);
      if (sum === undefined) callbacks.set(key, (sum = newSum(key, i)));
      addTo(sum, i);
    }
    const sorted = [...callbacks.values()].sort(byTotal);
    if (isAll(from, to)) allCallbacks = sorted;
    return sorted;
  }

  function byPhase(from, to) {
    const phases = new Map();
    let last, sum, items;
    for (let k = firstFrom(calls, from); k < calls.length && start[calls[k]] <= to; k++) {
      const i = calls[k], phase = phaseOf[detail[i]];
      if (phase !== last) {
        last = phase;
        if (!phases.has(phase)) phases.set(phase, { sum: newSum(phase, i), items: [] });
        ({ sum, items } = phases.get(phase));
      }
      addTo(sum, i);
      items.push(i);
    }
    for (const found of phases.values()) [found.sum.p50, found.sum.p90, found.sum.p99] = percentilesOf(found.items);
    return Array.from(phases.values(), (found) => found.sum).sort(byTotal);
  }

  return { chain, effects, blame, delayOf, worstDelays, byCallback, byPhase, eventOf, firstFrom };
}
