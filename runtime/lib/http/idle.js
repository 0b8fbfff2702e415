'use strict';

// Connections that wait for their next request, in the order of their timeouts.
//
// There is one timer for all of them, and it is not touched when a connection comes or goes: it fires when the first of
// the list may be due, closes those that are, and sets itself for the next.

const { now } = internalBinding('runtime');

class IdleList {
  constructor(expire) {
    this.first = null;
    this.last = null;
    this.timer = null;
    this.timerDue = 0;
    this.expire = expire;
  }

  add(connection, milliseconds) {
    const until = now() + milliseconds;
    connection.idleUntil = until;
    // Nearly always at the end; a server whose timeout was made shorter inserts some further ahead.
    let before = this.last;
    while (before !== null && before.idleUntil > until) before = before.idleBefore;
    const after = before === null ? this.first : before.idleAfter;
    connection.idleBefore = before;
    connection.idleAfter = after;
    if (before === null) this.first = connection;
    else before.idleAfter = connection;
    if (after === null) this.last = connection;
    else after.idleBefore = connection;
    if (this.timer === null || until < this.timerDue) this.arm(until);
  }

  remove(connection) {
    const { idleBefore: before, idleAfter: after } = connection;
    if (before === null) this.first = after;
    else before.idleAfter = after;
    if (after === null) this.last = before;
    else after.idleBefore = before;
    connection.idleBefore = connection.idleAfter = null;
    connection.idleUntil = 0;
  }

  arm(due) {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timerDue = due;
    this.timer = setTimeout(() => this.sweep(), Math.max(1, due - now())).unref();
  }

  sweep() {
    this.timer = null;
    const time = now();
    while (this.first !== null && this.first.idleUntil <= time) {
      const connection = this.first;
      this.remove(connection);
      this.expire(connection);
    }
    if (this.first !== null) this.arm(this.first.idleUntil);
  }
}

module.exports = { IdleList };
