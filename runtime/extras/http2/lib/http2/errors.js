'use strict';

// The coded errors of http2, and those with messages of nghttp2.

const binding = internalBinding('http2');
const { codes, E } = require('internal/errors');

const sentences = `
ALTSVC_INVALID_ORIGIN TypeError HTTP/2 ALTSVC frames require a valid origin
ALTSVC_LENGTH TypeError HTTP/2 ALTSVC frames are limited to 16382 bytes
CONNECT_AUTHORITY Error :authority header is required for CONNECT requests
CONNECT_PATH Error The :path header is forbidden for CONNECT requests
CONNECT_SCHEME Error The :scheme header is forbidden for CONNECT requests
GOAWAY_SESSION Error New streams cannot be created after receiving a GOAWAY
HEADERS_AFTER_RESPOND Error Cannot specify additional headers after response initiated
HEADERS_SENT Error Response has already been initiated.
HEADER_SINGLE_VALUE TypeError Header field "%s" must only have a single value
INFO_STATUS_NOT_ALLOWED RangeError Informational status codes cannot be used
INVALID_CONNECTION_HEADERS TypeError HTTP/1 Connection specific headers are forbidden: "%s"
INVALID_HEADER_VALUE TypeError Invalid value "%s" for header "%s"
INVALID_INFO_STATUS RangeError Invalid informational status code: %s
INVALID_ORIGIN TypeError HTTP/2 ORIGIN frames require a valid origin
INVALID_PACKED_SETTINGS_LENGTH RangeError Packed settings length must be a multiple of six
INVALID_PSEUDOHEADER TypeError "%s" is an invalid pseudoheader or is used incorrectly
INVALID_SESSION Error The session has been destroyed
INVALID_STREAM Error The stream has been destroyed
MAX_PENDING_SETTINGS_ACK Error Maximum number of pending settings acknowledgements
NESTED_PUSH Error A push stream cannot initiate another push stream.
NO_MEM Error Out of memory
NO_SOCKET_MANIPULATION Error HTTP/2 sockets should not be directly manipulated (e.g. read and written)
ORIGIN_LENGTH TypeError HTTP/2 ORIGIN frames are limited to 16382 bytes
OUT_OF_STREAMS Error No stream ID is available because maximum stream ID has been reached
PAYLOAD_FORBIDDEN Error Responses with %s status must not have a payload
PING_CANCEL Error HTTP2 ping cancelled
PING_LENGTH RangeError HTTP2 ping payload must be 8 bytes
PSEUDOHEADER_NOT_ALLOWED TypeError Cannot set HTTP/2 pseudo-headers
PUSH_DISABLED Error HTTP/2 client has disabled push streams
SEND_FILE Error Directories cannot be sent
SEND_FILE_NOSEEK Error Offset or length can only be specified for regular files
SESSION_ERROR Error Session closed with error code %s
SETTINGS_CANCEL Error HTTP2 session settings canceled
SOCKET_BOUND Error The socket is already bound to an Http2Session
SOCKET_UNBOUND Error The socket has been disconnected from the Http2Session
STATUS_101 Error HTTP status code 101 (Switching Protocols) is forbidden in HTTP/2
STATUS_INVALID RangeError Invalid status code: %s
STREAM_ERROR Error Stream closed with error code %s
TOO_MANY_CUSTOM_SETTINGS Error Number of custom settings exceeds MAX_ADDITIONAL_SETTINGS
TOO_MANY_INVALID_FRAMES Error Too many invalid HTTP/2 frames
TOO_MANY_ORIGINS Error Too many origins sent by the server
TRAILERS_ALREADY_SENT Error Trailing headers have already been sent
TRAILERS_NOT_READY Error Trailing headers cannot be sent until after the wantTrailers event is emitted
UNSUPPORTED_PROTOCOL Error protocol "%s" is unsupported.`;

for (const line of sentences.trim().split('\n')) {
  const [name, kind] = line.split(' ', 2);
  E(`ERR_HTTP2_${name}`, line.slice(name.length + kind.length + 2), globalThis[kind]);
}

E(
  'ERR_HTTP2_INVALID_SETTING_VALUE',
  (name, actual, least, most) => ({
    message: `Invalid value for setting "${name}": ${actual}`,
    actual,
    ...(least === undefined ? undefined : { min: least, max: most }),
  }),
  TypeError,
  RangeError,
);

E(
  'ERR_HTTP2_STREAM_CANCEL',
  (cause) => {
    const message = 'The pending stream has been canceled';
    return cause === undefined ? message : { message: `${message} (caused by: ${cause.message})`, cause };
  },
  Error,
);

// An error of nghttp2's own, by its number.
E('ERR_HTTP2_ERROR', (errno) => ({ message: binding.describe(errno), errno }), Error);

module.exports = { codes, NghttpError: codes.ERR_HTTP2_ERROR };
