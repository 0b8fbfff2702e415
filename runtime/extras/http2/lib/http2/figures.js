'use strict';

// The entries for perf_hooks' observers of 'http2' when a stream or a session ends. Nothing is
// measured without an observer.

const { now } = internalBinding('performance');

const figures = {
  tell: undefined, // (name, startTime, duration, detail), once there is an observer

  // When something began; undefined without an observer.
  begin() {
    return figures.tell === undefined ? undefined : { at: now(), header: 0, byte: 0, byteSent: 0, read: 0, sent: 0 };
  },

  // The first time that something happens.
  note(record, what) {
    if (record !== undefined && record[what] === 0) record[what] = now();
  },

  streamEnded(id, record) {
    const since = (time) => (time === 0 ? 0 : time - record.at);
    const duration = now() - record.at;
    figures.tell?.('Http2Stream', record.at, duration, {
      bytesRead: record.read,
      bytesWritten: record.sent,
      id,
      timeToFirstByte: since(record.byte),
      timeToFirstByteSent: since(record.byteSent),
      timeToFirstHeader: since(record.header),
    });
    return duration;
  },

  sessionEnded(record, type, counts, { bytesRead, bytesWritten, pingRTT, total }) {
    const [framesReceived, framesSent, , , streamCount, maxConcurrentStreams] = counts;
    figures.tell?.('Http2Session', record.at, now() - record.at, {
      bytesRead,
      bytesWritten,
      framesReceived,
      framesSent,
      maxConcurrentStreams,
      pingRTT,
      streamAverageDuration: streamCount === 0 ? 0 : total / streamCount,
      streamCount,
      type,
    });
  },
};

module.exports = figures;
