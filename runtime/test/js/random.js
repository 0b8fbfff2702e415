'use strict';

// A deterministic sequence of random choices for a seed, used by the generators of programs.

module.exports = function choices(seed, kind) {
  let state = (seed * 2654435761 + kind) >>> 0;
  function random() {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4294967296;
  }
  for (let i = 0; i < 8; i++) random();
  return {
    random,
    pick: (list) => list[Math.floor(random() * list.length)],
    chance: (p) => random() < p,
    below: (n) => Math.floor(random() * n),
  };
};
