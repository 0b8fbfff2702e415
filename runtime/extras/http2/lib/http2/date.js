'use strict';

// The Date header, made again when the loop's clock has reached the next second.

const { now } = internalBinding('runtime');

let until = 0;
let text = '';

function utcDate() {
  const time = now();
  if (time >= until) {
    const date = new Date();
    until = time + 1000 - date.getMilliseconds();
    text = date.toUTCString();
  }
  return text;
}

module.exports = { utcDate };
