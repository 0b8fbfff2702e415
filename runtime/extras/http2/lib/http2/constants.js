'use strict';

// The numbers, names and errors of http2.
//
// The constants of http2: numbers of the protocol, and names that the specifications know.

const { STATUS_CODES } = require('internal/http/tables');
const binding = internalBinding('http2');
const { codes, E } = require('internal/errors');

const numbers = `
ERR_FRAME_SIZE_ERROR=-522 SESSION_SERVER=0 SESSION_CLIENT=1 STREAM_STATE_IDLE=1 STREAM_STATE_OPEN=2
STREAM_STATE_RESERVED_LOCAL=3 STREAM_STATE_RESERVED_REMOTE=4 STREAM_STATE_HALF_CLOSED_LOCAL=5
STREAM_STATE_HALF_CLOSED_REMOTE=6 STREAM_STATE_CLOSED=7 FLAG_NONE=0 FLAG_END_STREAM=1 FLAG_END_HEADERS=4 FLAG_ACK=1
FLAG_PADDED=8 FLAG_PRIORITY=32 SETTINGS_HEADER_TABLE_SIZE=1 SETTINGS_ENABLE_PUSH=2 SETTINGS_MAX_CONCURRENT_STREAMS=3
SETTINGS_INITIAL_WINDOW_SIZE=4 SETTINGS_MAX_FRAME_SIZE=5 SETTINGS_MAX_HEADER_LIST_SIZE=6
SETTINGS_ENABLE_CONNECT_PROTOCOL=8 NO_ERROR=0 PROTOCOL_ERROR=1 INTERNAL_ERROR=2 FLOW_CONTROL_ERROR=3
SETTINGS_TIMEOUT=4 STREAM_CLOSED=5 FRAME_SIZE_ERROR=6 REFUSED_STREAM=7 CANCEL=8 COMPRESSION_ERROR=9 CONNECT_ERROR=10
ENHANCE_YOUR_CALM=11 INADEQUATE_SECURITY=12 HTTP_1_1_REQUIRED=13 DEFAULT_WEIGHT=16`;

const limits = {
  DEFAULT_SETTINGS_HEADER_TABLE_SIZE: 4096,
  DEFAULT_SETTINGS_ENABLE_PUSH: 1,
  DEFAULT_SETTINGS_MAX_CONCURRENT_STREAMS: 4294967295,
  DEFAULT_SETTINGS_INITIAL_WINDOW_SIZE: 65535,
  DEFAULT_SETTINGS_MAX_FRAME_SIZE: 16384,
  DEFAULT_SETTINGS_MAX_HEADER_LIST_SIZE: 65535,
  DEFAULT_SETTINGS_ENABLE_CONNECT_PROTOCOL: 0,
  MAX_MAX_FRAME_SIZE: 16777215,
  MIN_MAX_FRAME_SIZE: 16384,
  MAX_INITIAL_WINDOW_SIZE: 2147483647,
  PADDING_STRATEGY_NONE: 0,
  PADDING_STRATEGY_ALIGNED: 1,
  PADDING_STRATEGY_MAX: 2,
  PADDING_STRATEGY_CALLBACK: 1,
};

const headers = `
:status :method :authority :scheme :path :protocol accept-encoding accept-language accept-ranges accept
access-control-allow-credentials access-control-allow-headers access-control-allow-methods access-control-allow-origin
access-control-expose-headers access-control-request-headers access-control-request-method age authorization
cache-control connection content-disposition content-encoding content-length content-type cookie date etag forwarded
host if-modified-since if-none-match if-range last-modified link location range referer server set-cookie
strict-transport-security transfer-encoding te upgrade-insecure-requests upgrade user-agent vary
x-content-type-options x-frame-options keep-alive proxy-connection x-xss-protection alt-svc content-security-policy
early-data expect-ct origin purpose timing-allow-origin x-forwarded-for priority accept-charset access-control-max-age
allow content-language content-location content-md5 content-range dnt expect expires from if-match if-unmodified-since
max-forwards prefer proxy-authenticate proxy-authorization refresh retry-after trailer tk via warning www-authenticate
http2-settings`;

const methods = `
ACL BASELINE-CONTROL BIND CHECKIN CHECKOUT CONNECT COPY DELETE GET HEAD LABEL LINK LOCK MERGE MKACTIVITY MKCALENDAR
MKCOL MKREDIRECTREF MKWORKSPACE MOVE OPTIONS ORDERPATCH PATCH POST PRI PROPFIND PROPPATCH PUT REBIND REPORT SEARCH
TRACE UNBIND UNCHECKOUT UNLINK UNLOCK UPDATE UPDATEREDIRECTREF VERSION-CONTROL`;

const words = (text) => text.trim().split(/\s+/);
const constants = { __proto__: null };
for (const pair of words(numbers)) {
  const [name, value] = pair.split('=');
  constants[`NGHTTP2_${name}`] = Number(value);
}
Object.assign(constants, limits);
for (const name of words(headers))
  constants[`HTTP2_HEADER_${name.replace(':', '').toUpperCase().replaceAll('-', '_')}`] = name;
for (const name of words(methods)) constants[`HTTP2_METHOD_${name.replaceAll('-', '_')}`] = name;
for (const code of Object.keys(STATUS_CODES)) {
  const name = code === '418' ? 'TEAPOT' : STATUS_CODES[code].toUpperCase().replace(/[ -]/g, '_');
  constants[`HTTP_STATUS_${name}`] = Number(code);
}

// The name of an error number.
const errorNames = Object.keys(constants).slice(
  Object.keys(constants).indexOf('NGHTTP2_NO_ERROR'),
  Object.keys(constants).indexOf('NGHTTP2_HTTP_1_1_REQUIRED') + 1,
);

// The coded errors of http2, and those with messages of nghttp2.

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

module.exports = {
  constants,
  nameOfError: (code) => errorNames[code] ?? code,
  codes,
  NghttpError: codes.ERR_HTTP2_ERROR,
};
