'use strict';

// Finds the fewest decisions that suffice: parts of the record are left out, large ones first, as long as the program
// still ends differently. Later decisions often depend on earlier ones, so the last ones are left out first.

const kRunsMax = 150;

async function shrink(entries, stillFails) {
  let runs = 0;
  const tries = async (fewer) => ++runs <= kRunsMax && (await stillFails(fewer));
  // Without any decision: then the program fails undisturbed, and there is nothing to show.
  if (entries.length === 0 || !(await tries(entries))) return entries;
  entries = await cutEnd(entries, tries);
  for (
    let size = Math.ceil(entries.length / 2);
    size >= 1 && runs < kRunsMax;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let end = entries.length; end > 0; end -= size) {
      const begin = Math.max(0, end - size);
      const fewer = [...entries.slice(0, begin), ...entries.slice(end)];
      if (await tries(fewer)) entries = fewer;
    }
  }
  return entries;
}

// The shortest beginning that still fails, by bisection.
async function cutEnd(entries, tries) {
  let fails = entries.length,
    holds = -1;
  while (fails - holds > 1) {
    const middle = (fails + holds) >> 1;
    if (await tries(entries.slice(0, middle))) fails = middle;
    else holds = middle;
  }
  return entries.slice(0, fails);
}

module.exports = { shrink };
