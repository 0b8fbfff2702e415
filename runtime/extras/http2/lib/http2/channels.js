'use strict';

// The diagnostics channels of HTTP/2, for the streams of either side.

const { channel } = require('diagnostics_channel');

const side = (name) => ({
  created: channel(`http2.${name}.stream.created`),
  start: channel(`http2.${name}.stream.start`),
  error: channel(`http2.${name}.stream.error`),
  finish: channel(`http2.${name}.stream.finish`),
  close: channel(`http2.${name}.stream.close`),
});

const client = {
  ...side('client'),
  chunk: channel('http2.client.stream.bodyChunkSent'),
  sent: channel('http2.client.stream.bodySent'),
};

module.exports = { client, server: side('server') };
