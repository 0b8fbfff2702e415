'use strict';

// The module http2. nghttp2 makes and reads the frames (runtime/bind/http2*.c); sessions, streams and servers are in
// internal/http2, and are loaded on first use.

const { constants } = require('internal/http2/constants');
const { sensitiveHeaders } = require('internal/http2/headers');
const { getDefaultSettings, getPackedSettings, getUnpackedSettings } = require('internal/http2/settings');

module.exports = {
  connect: require('internal/http2/client').connect,
  constants,
  createServer(options, handler) {
    return require('internal/http2/server').createServer(options, handler);
  },
  createSecureServer(options, handler) {
    return require('internal/http2/server').createSecureServer(options, handler);
  },
  getDefaultSettings,
  getPackedSettings,
  getUnpackedSettings,
  performServerHandshake(socket, options) {
    return require('internal/http2/server').performServerHandshake(socket, options);
  },
  sensitiveHeaders,
  Http2ServerRequest: require('internal/http2/compat_request').Http2ServerRequest,
  Http2ServerResponse: require('internal/http2/compat_response').Http2ServerResponse,
};
