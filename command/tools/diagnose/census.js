'use strict';

// Reads what observe/trace/census.c has noted: how many handles there were, how much memory, and what kept the loop
// alive, again and again. The last census may be incomplete.

const fs = require('fs');

const kTimer = /^ {2}(?:timeout|interval) /;
const kPlace = /^ {6}at (?:.* \()?((?:\/|file:)[^()]*):(\d+)\)?$/; // a frame of JavaScript

// The first place of a stack that is the program's own: { words, file, line }, or undefined.
function placeOf(lines) {
  for (const line of lines) {
    const found = kPlace.exec(line);
    if (found === null) continue;
    return { words: line.trim().replace(/^at /, ''), file: found[1], line: Number(found[2]) };
  }
  return undefined;
}

// What keeps the loop alive, each as { title, lines }.
function parseAlive(lines) {
  const items = [];
  for (const line of lines) {
    if (/^ {2}\S/.test(line)) items.push({ title: line.trim().replace(/ 0x[0-9a-f]+/g, ''), lines: [] });
    else if (items.length > 0) items.at(-1).lines.push(line);
  }
  return items.map((item) => ({ ...item, place: placeOf(item.lines) }));
}

function parseOne(text, startedAt) {
  const [head, ...lines] = text.split('\n');
  const [at, resident, active, requests] = head.split(' ').map(Number);
  const census = { at: at - startedAt, resident, active, requests, handles: {}, places: [], alive: undefined };
  let stack;
  for (let i = 0; i < lines.length; i++) {
    const [word, type, all, open] = lines[i].split(' ');
    if (word === 'alive') {
      census.alive = parseAlive(lines.slice(i + 1));
      break;
    }
    if (word === 'handles') census.handles[type] = { all: Number(all), active: Number(open) };
    else if (word === 'place') census.places.push({ type, count: Number(all), lines: (stack = []) });
    else stack?.push(lines[i]);
  }
  for (const each of census.places) each.place = placeOf(each.lines);
  const timers = census.alive?.filter(({ title }) => kTimer.test(`  ${title}`));
  if (timers !== undefined && timers.length > 0) {
    census.handles['JavaScript timer'] = { all: timers.length, active: timers.length };
    census.places.push(...countPlaces('JavaScript timer', timers));
  }
  return census;
}

function countPlaces(type, items) {
  const counts = new Map();
  for (const { place } of items) {
    if (place === undefined) continue;
    const found = counts.get(place.words) ?? { type, count: 0, place };
    found.count++;
    counts.set(place.words, found);
  }
  return [...counts.values()];
}

// Times are from the beginning of the trace. Without a file the list is empty.
function readCensus(file, startedAt) {
  let text;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
  const pieces = text.split(/^census /m).slice(1);
  return pieces
    .filter((piece) => piece.endsWith('\n'))
    .map((piece) => parseOne(piece, startedAt))
    .filter(({ at }) => Number.isFinite(at));
}

module.exports = { readCensus };
