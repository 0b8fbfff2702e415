'use strict';
// A race: a callback that is called twice. The timeout gives up, and nobody tells the reader: when the file comes after all, there
// is a second answer. Half a second is plenty for a small file, on a good day.
//
//   rota fuzz examples/races/callback.js

const fs = require('fs');

function readSoon(file, answer) {
  let callback = (...results) => {
    callback = () => {};
    answer(...results);
  };
  const timer = setTimeout(function giveUp() {
    callback(new Error('too late'));
  }, 500);
  fs.readFile(file, function onRead(error, data) {
    clearTimeout(timer);
    callback(error, data);
  });
}

let answers = 0;
readSoon(__filename, function onAnswer() {
  if (++answers > 1) throw new Error('answered twice');
});
