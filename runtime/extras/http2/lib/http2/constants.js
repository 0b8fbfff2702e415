'use strict';

// The constants of http2: numbers of the protocol, and names that the specifications know.

const { STATUS_CODES } = require('internal/http/tables');

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

module.exports = { constants, nameOfError: (code) => errorNames[code] ?? code };
