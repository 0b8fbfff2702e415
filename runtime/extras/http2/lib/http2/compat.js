'use strict';

// A stream as a request and a response, and which event of the server gets them.

const { constants } = require('internal/http2/constants');

const { HTTP_STATUS_METHOD_NOT_ALLOWED, HTTP_STATUS_EXPECTATION_FAILED } = constants;

function refuse(response, status) {
  response.statusCode = status;
  response.end();
}

function onStream(server, options, stream, headers, flags, raw) {
  const { Http2ServerRequest, Http2ServerResponse } = options;
  const request = new Http2ServerRequest(stream, headers, undefined, raw);
  const response = new Http2ServerResponse(stream);
  const { expect } = headers;
  if (headers[':method'] === 'CONNECT') {
    if (!server.emit('connect', request, response)) refuse(response, HTTP_STATUS_METHOD_NOT_ALLOWED);
    return;
  }
  if (expect === '100-continue') {
    if (server.emit('checkContinue', request, response)) return;
    response.writeContinue();
  } else if (expect !== undefined) {
    if (!server.emit('checkExpectation', request, response)) refuse(response, HTTP_STATUS_EXPECTATION_FAILED);
    return;
  }
  server.emit('request', request, response);
}

module.exports = { onStream };
