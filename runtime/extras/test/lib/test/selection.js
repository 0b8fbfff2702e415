'use strict';

// Which of the declared tests are to be run: by name, and by `only`. Entries that are not selected do not appear in the
// report. A suite is selected if something below it is, since its own body has run when it was declared.

const { settings } = require('internal/test/settings');

const matches = (patterns, entry) =>
  patterns.some((pattern) => {
    pattern.lastIndex = 0;
    if (pattern.test(entry.name)) return true;
    pattern.lastIndex = 0;
    return pattern.test(entry.path.join(' '));
  });

function isNamed(entry) {
  const { namePatterns, skipPatterns } = settings;
  if (namePatterns.length === 0 && skipPatterns.length === 0) return true;
  if (entry.isSuite && entry.children.length > 0) return entry.children.some(isNamed);
  return (namePatterns.length === 0 || matches(namePatterns, entry)) && !matches(skipPatterns, entry);
}

const marked = (entry) => entry.only === true || (entry.isSuite && entry.children.some(marked));

function isMarked(entry) {
  const { parent } = entry;
  if (entry.only === false) return false;
  if (marked(entry)) return true;
  if (!parent.isSuite) return parent.parent !== null && !parent.onlyMarked;
  return !parent.children.some(marked) && isMarked(parent);
}

const isSelected = (entry) => isNamed(entry) && (!settings.only || isMarked(entry));

module.exports = { isSelected };
