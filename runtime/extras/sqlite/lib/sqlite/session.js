'use strict';

// Session: the changes in a database since it began.

const native = internalBinding('sqlite');
const { wrongState, needKey, present } = require('internal/sqlite/arguments');

class Session {
  #connection; // of its database
  #handle;
  #isWriting = false; // SQLite reads the changes, and may call an authorizer meanwhile

  constructor(shown, connection, handle) {
    needKey(shown);
    this.#connection = connection;
    this.#handle = handle;
  }

  #changes(asPatch) {
    this.#connection.open();
    if (!native.sessionIsOpen(this.#handle)) throw wrongState('session is not open');
    this.#connection.use();
    this.#isWriting = true;
    try {
      return native.changes(this.#handle, asPatch);
    } finally {
      this.#isWriting = false;
    }
  }

  changeset() {
    return this.#changes(false);
  }

  patchset() {
    return this.#changes(true);
  }

  close() {
    this.#connection.open();
    if (!native.sessionIsOpen(this.#handle)) throw wrongState('session is not open');
    if (this.#isWriting) throw wrongState('session is currently in use');
    native.closeSession(this.#handle);
  }

  [Symbol.dispose]() {
    if (native.sessionIsOpen(this.#handle) && !this.#isWriting) native.closeSession(this.#handle);
  }
}

present(Session, ['changeset', 'patchset', 'close', Symbol.dispose]);

module.exports = { Session };
