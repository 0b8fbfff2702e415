'use strict';

// Modules that are another name for a module, or for a part of one. The build embeds this file once under each name
// that follows a `case` (runtime/build.mk).

switch (module.id) {
  case '_http_agent':
    module.exports = { Agent: require('http').Agent, globalAgent: require('http').globalAgent };
    break;
  case '_http_client':
    module.exports = { ClientRequest: require('http').ClientRequest };
    break;
  case '_http_incoming':
    module.exports = { IncomingMessage: require('http').IncomingMessage };
    break;
  case '_http_outgoing': {
    const { OutgoingMessage, validateHeaderName, validateHeaderValue } = require('http');
    module.exports = { OutgoingMessage, validateHeaderName, validateHeaderValue };
    break;
  }
  case '_http_server': {
    const { STATUS_CODES, Server, ServerResponse, _connectionListener } = require('http');
    const { kWatch } = require('internal/http/server');
    module.exports = {
      STATUS_CODES,
      Server,
      ServerResponse,
      _connectionListener,
      kConnectionsCheckingInterval: kWatch,
    };
    break;
  }
  case '_tls_common': {
    const { SecureContext, createSecureContext } = require('tls');
    const { translatePeerCertificate } = require('internal/tls/peer');
    warn('DEP0192', 'The _tls_common module is deprecated. Use `node:tls` instead.');
    module.exports = { SecureContext, createSecureContext, translatePeerCertificate };
    break;
  }
  case '_tls_wrap': {
    const { TLSSocket, Server, createServer, connect } = require('tls');
    warn('DEP0192', 'The _tls_wrap module is deprecated. Use `node:tls` instead.');
    module.exports = { TLSSocket, Server, createServer, connect };
    break;
  }
  case 'assert/strict':
    module.exports = require('assert').strict;
    break;
  case 'cluster':
    module.exports = require('internal/state').cluster.worker
      ? require('internal/cluster/child')
      : require('internal/cluster/primary');
    break;
  // All numbers in one object. Older versions had them here only.
  case 'constants': {
    const os = require('os').constants;
    const { defaultCipherList, ...crypto } = require('crypto').constants; // the list is not among the numbers
    module.exports = Object.freeze(
      Object.assign({}, os.dlopen, os.errno, os.priority, os.signals, require('fs').constants, crypto),
    );
    break;
  }
  case 'fs/promises':
    module.exports = require('internal/fs/promises').exports;
    break;
  case 'module':
    module.exports = require('internal/modules/cjs/loader').Module;
    break;
  case 'path/posix':
    module.exports = require('path').posix;
    break;
  case 'path/win32':
    module.exports = require('path').win32;
    break;
  case 'process':
    module.exports = process;
    break;
  // The package of the same name. Node deprecates its own module in favour of the package.
  case 'punycode':
    if (!require('internal/modules/helpers').calledFromPackage())
      warn('DEP0040', 'The `punycode` module is deprecated. Please use a userland alternative instead.');
    module.exports = require('internal/deps/punycode');
    break;
  case 'stream/promises':
    module.exports = {
      finished: require('internal/streams/finished').finished,
      pipeline: require('internal/streams/pipeline').promisedBefore(
        require('internal/deps/readable-stream/lib/stream/promises').pipeline,
      ),
    };
    break;
  case 'sys':
    module.exports = require('util');
    break;
  case 'util/types':
    module.exports = require('util').types;
    break;
}

function warn(code, message) {
  process.emitWarning(message, 'DeprecationWarning', code);
}
