'use strict';

// node:async_hooks: AsyncLocalStorage, AsyncResource, and hooks for resources that are
// not the engine's (runtime/doc/LIMITS.md).

const { codes } = require('internal/errors');
const { validateBoolean } = require('internal/validators');
const tracker = require('internal/async/tracker');
const { AsyncLocalStorage } = require('internal/async/local_storage');
const { AsyncResource } = require('internal/async/resource');

const kEvents = ['init', 'before', 'after', 'destroy', 'promiseResolve'];
const kProviders =
  'NONE DIRHANDLE DNSCHANNEL ELDHISTOGRAM FILEHANDLE FILEHANDLECLOSEREQ BLOBREADER FSEVENTWRAP FSREQCALLBACK ' +
  'FSREQPROMISE GETADDRINFOREQWRAP GETNAMEINFOREQWRAP HEAPSNAPSHOT HTTP2SESSION HTTP2STREAM HTTP2PING HTTP2SETTINGS ' +
  'HTTPINCOMINGMESSAGE HTTPCLIENTREQUEST LOCKS DTLS_ENDPOINT DTLS_SESSION JSSTREAM JSUDPWRAP MESSAGEPORT ' +
  'PIPECONNECTWRAP PIPESERVERWRAP PIPEWRAP PROCESSWRAP PROMISE QUERYWRAP QUIC_ENDPOINT QUIC_LOGSTREAM QUIC_SESSION ' +
  'QUIC_STREAM QUIC_UDP SHUTDOWNWRAP SIGNALWRAP STATWATCHER STREAMPIPE TCPCONNECTWRAP TCPSERVERWRAP TCPWRAP TTYWRAP ' +
  'UDPSENDWRAP UDPWRAP SIGINTWATCHDOG WORKER WORKERCPUPROFILE WORKERCPUUSAGE WORKERHEAPPROFILE WORKERHEAPSNAPSHOT ' +
  'WORKERHEAPSTATISTICS WRITEWRAP ZLIB CHECKPRIMEREQUEST PBKDF2REQUEST KEYPAIRGENREQUEST KEYGENREQUEST ' +
  'KEYEXPORTREQUEST ARGON2REQUEST CIPHERREQUEST DERIVEBITSREQUEST HASHREQUEST RANDOMBYTESREQUEST RANDOMPRIMEREQUEST ' +
  'SCRYPTREQUEST SIGNREQUEST TLSWRAP VERIFYREQUEST';

class AsyncHook {
  #hook = { owner: this };

  constructor(callbacks) {
    for (const name of kEvents) {
      const callback = callbacks[name];
      if (callback !== undefined && typeof callback !== 'function') throw new codes.ERR_ASYNC_CALLBACK(`hook.${name}`);
      this.#hook[name] = callback;
    }
    const { trackPromises } = callbacks;
    this.#hook.promises = trackPromises !== false && kEvents.some((name) => callbacks[name] !== undefined);
    if (trackPromises === undefined) return;
    validateBoolean(trackPromises, 'trackPromises');
    if (!trackPromises && callbacks.promiseResolve !== undefined) {
      throw new codes.ERR_INVALID_ARG_VALUE(
        'trackPromises',
        trackPromises,
        'must not be false when promiseResolve is enabled',
      );
    }
  }

  enable() {
    tracker.begin();
    if (tracker.enable(this.#hook)) require('internal/async/promise_jobs').listen(true);
    return this;
  }

  disable() {
    if (!tracker.disable(this.#hook) && this.#hook.promises) require('internal/async/promise_jobs').listen(false);
    return this;
  }
}

function createHook(callbacks) {
  return new AsyncHook(callbacks);
}

// From the first request for a number on, every resource has one.
function running() {
  tracker.begin();
  return tracker.running();
}

module.exports = {
  AsyncLocalStorage,
  createHook,
  executionAsyncId: function executionAsyncId() {
    return running().id;
  },
  triggerAsyncId: function triggerAsyncId() {
    return running().trigger;
  },
  executionAsyncResource: function executionAsyncResource() {
    return running().resource;
  },
  asyncWrapProviders: Object.freeze({
    __proto__: null,
    ...Object.fromEntries(kProviders.split(' ').map((name, number) => [name, number])),
  }),
  AsyncResource,
};
