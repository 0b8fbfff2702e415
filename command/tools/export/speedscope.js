'use strict';
// speedscope's own format: https://www.speedscope.app/file-format-schema.json

const { stacksOf } = require('internal/cli/export/stacks');

function speedscope(trace, { title, exporter }) {
  const frames = [];
  const known = new Map();
  const indexOf = ({ name, file, line }) => {
    const key = JSON.stringify([name, file, line]);
    if (!known.has(key)) {
      known.set(key, frames.length);
      frames.push({ name, ...(file !== undefined && { file }), ...(line !== undefined && { line }) });
    }
    return known.get(key);
  };
  const profiles = stacksOf(trace).map(({ name, stacks }) => {
    const samples = stacks.map((stack) => stack.frames.map(indexOf));
    const weights = stacks.map(({ took }) => took);
    const endValue = weights.reduce((sum, took) => sum + took, 0);
    return { type: 'sampled', name, unit: 'nanoseconds', startValue: 0, endValue, samples, weights };
  });
  const $schema = 'https://www.speedscope.app/file-format-schema.json';
  return Buffer.from(
    `${JSON.stringify({ $schema, exporter, name: title, activeProfileIndex: 0, shared: { frames }, profiles })}\n`,
  );
}

module.exports = { speedscope };
