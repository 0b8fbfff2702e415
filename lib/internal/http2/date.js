'use strict';

// The time as a header says it, made anew once a second.

let second = 0;
let text = '';

function utcDate() {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) {
    second = now;
    text = new Date(now * 1000).toUTCString();
  }
  return text;
}

module.exports = { utcDate };
