'use strict';

// The diagnostics channels of child processes: the creation of one, and the result of its start.

const { channel } = require('diagnostics_channel');
const { ErrnoException } = require('internal/errors');

const made = channel('child_process');
const [start, end, failed] = ['start', 'end', 'error'].map((name) => channel(`tracing:child_process.spawn:${name}`));

function tellMade(child) {
  if (made.hasSubscribers) made.publish({ process: child });
}

// Calls `begin`, which returns a number: a negative one is an error.
function traced(child, options, begin) {
  if (!start.hasSubscribers && !end.hasSubscribers && !failed.hasSubscribers) return begin();
  const message = { process: child, options };
  start.publish(message);
  const id = begin();
  if (id < 0) {
    message.error = new ErrnoException(id, 'spawn');
    failed.publish(message);
  } else {
    end.publish(message);
  }
  return id;
}

module.exports = { tellMade, traced };
