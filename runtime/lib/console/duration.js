'use strict';

// A duration as console.timeEnd tells it: 5.12ms, 1.234s, 1:02.345 (m:ss.mmm), 1:01:02.345 (h:mm:ss.mmm)

const two = (number) => `${number}`.padStart(2, '0');

module.exports = function formatDuration(ms) {
  if (ms < 1000) return `${Number(ms.toFixed(3))}ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(3)}s`;
  const minutes = Math.floor(ms / 60_000);
  const seconds = ((ms % 60_000) / 1000).toFixed(3).padStart(6, '0');
  if (minutes < 60) return `${minutes}:${seconds} (m:ss.mmm)`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${seconds} (h:mm:ss.mmm)`;
};
