'use strict';

// --env-file and --env-file-if-exists: variables from files, set before the program runs. A variable that is set
// already stays; a later file overrides an earlier one.

const kBadOption = 9; // exit code

function load(words) {
  const found = {};
  let count = 0;
  words.forEach((word) => {
    const match = /^--env-file(-if-exists)?=(.*)$/s.exec(word);
    if (match === null) return;
    const file = match[2];
    const text = internalBinding('modules').readEnvironmentFile(count++);
    if (typeof text === 'string') {
      Object.assign(found, require('util').parseEnv(text));
    } else if (match[1] !== undefined) {
      internalBinding('stdio').writeSync(2, `${file} not found. Continuing without it.\n`);
    } else {
      internalBinding('stdio').writeSync(2, `${process.execPath}: ${file}: not found\n`);
      process.reallyExit(kBadOption);
    }
  });
  const before = process.env.NODE_OPTIONS;
  for (const name of Object.keys(found)) process.env[name] ??= found[name];
  if (process.env.NODE_OPTIONS !== before) {
    const binding = internalBinding('process');
    const before = binding.optionWords.length;
    binding.optionWords = binding.addEnvironmentOptions(process.env.NODE_OPTIONS);
    binding.environmentWordCount += binding.optionWords.length - before;
  }
}

module.exports = { load };
