'use strict';

// Reads from the trace of a steered run which callback of the program came next after each decision. A decision is a
// mark in the trace ("steered: ..."), whose value is its number.

// Decisions and callbacks with a known position, in their order.
function eventsOf(text) {
  const events = [];
  for (const line of text.split('\n')) {
    const from = line.indexOf('{');
    if (from < 0) continue;
    try {
      const event = JSON.parse(
        line
          .slice(from)
          .replace(/,\s*$/, '')
          .replace(/\]\s*$/, ''),
      );
      if (
        (event.cat === 'mark' && event.name.startsWith('steered: ')) ||
        (event.cat === 'call' && event.args?.file !== undefined)
      )
        events.push(event);
    } catch {
      // The last line of a killed program may be incomplete.
    }
  }
  return events.sort((a, b) => a.ts - b.ts);
}

function placesAfter(text) {
  const places = new Map();
  let waiting = [];
  for (const event of eventsOf(text)) {
    if (event.cat === 'mark') {
      waiting.push(`${event.args.value} ${event.name.slice('steered: '.length)}`);
      continue;
    }
    if (event.args.file.startsWith('node:')) continue;
    for (const key of waiting) places.set(key, `${event.name} (${event.args.file}:${event.args.line})`);
    waiting = [];
  }
  return places;
}

module.exports = { eventsOf, placesAfter };
