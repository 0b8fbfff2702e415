'use strict';

// The diagnostics channels of HTTP.

const { channel } = require('diagnostics_channel');

module.exports = {
  requestStart: channel('http.server.request.start'),
  responseCreated: channel('http.server.response.created'),
  responseFinish: channel('http.server.response.finish'),
  clientCreated: channel('http.client.request.created'),
  clientStart: channel('http.client.request.start'),
  clientError: channel('http.client.request.error'),
  clientFinish: channel('http.client.response.finish'),
};
