'use strict';

// The fewest decisions that suffice: whole parts of the record are left out, large ones first, as long as the program
// still ends otherwise. What was decided later often depends on what came before, so the last decisions are tried
// first: they are the cheapest to be without.

const kRunsMax = 150;

async function shrink(entries, stillFails) {
  let runs = 0;
  const tries = async (fewer) => ++runs <= kRunsMax && (await stillFails(fewer));
  // Without a single one: then the program does not need us to fail, and there is nothing to show.
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

// The shortest beginning that still fails, by halving.
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
