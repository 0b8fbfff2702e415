'use strict';

// node:sqlite. SQLite is linked into the program, and initialized when this module is first loaded.

const { DatabaseSync } = require('internal/sqlite/database');
const { StatementSync } = require('internal/sqlite/statement');
const { Session } = require('internal/sqlite/session');
const { backup } = require('internal/sqlite/backup');

// ---- constants ----

const constants = {};
const number = (prefix, first, names) =>
  names.forEach((name, i) => {
    constants[`SQLITE_${prefix}${name}`] = first + i;
  });

// The results of a conflict handler, and its argument.
number('CHANGESET_', 0, ['OMIT', 'REPLACE', 'ABORT']);
number('CHANGESET_', 1, ['DATA', 'NOTFOUND', 'CONFLICT', 'CONSTRAINT', 'FOREIGN_KEY']);
// The results of an authorizer, and its actions.
number('', 0, ['OK', 'DENY', 'IGNORE']);
number('', 1, [
  'CREATE_INDEX',
  'CREATE_TABLE',
  'CREATE_TEMP_INDEX',
  'CREATE_TEMP_TABLE',
  'CREATE_TEMP_TRIGGER',
  'CREATE_TEMP_VIEW',
  'CREATE_TRIGGER',
  'CREATE_VIEW',
  'DELETE',
  'DROP_INDEX',
  'DROP_TABLE',
  'DROP_TEMP_INDEX',
  'DROP_TEMP_TABLE',
  'DROP_TEMP_TRIGGER',
  'DROP_TEMP_VIEW',
  'DROP_TRIGGER',
  'DROP_VIEW',
  'INSERT',
  'PRAGMA',
  'READ',
  'SELECT',
  'TRANSACTION',
  'UPDATE',
  'ATTACH',
  'DETACH',
  'ALTER_TABLE',
  'REINDEX',
  'ANALYZE',
  'CREATE_VTABLE',
  'DROP_VTABLE',
  'FUNCTION',
  'SAVEPOINT',
]);
number('', 0, ['COPY']);
number('', 33, ['RECURSIVE']);

module.exports = { DatabaseSync, StatementSync, Session, constants, backup };
