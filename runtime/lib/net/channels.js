'use strict';

// The diagnostics channels of net and dgram, made on first use.

const names = {
  clientSocket: 'net.client.socket',
  serverSocket: 'net.server.socket',
  datagramSocket: 'udp.socket',
  listenStart: 'tracing:net.server.listen:asyncStart',
  listenEnd: 'tracing:net.server.listen:asyncEnd',
  listenError: 'tracing:net.server.listen:error',
};

let channels;

function publish(which, message) {
  if (channels === undefined) {
    const { channel } = require('diagnostics_channel');
    channels = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, channel(name)]));
  }
  const channel = channels[which];
  if (channel.hasSubscribers) channel.publish(message);
}

module.exports = { publish };
