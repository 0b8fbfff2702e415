'use strict';

// Files of the package readable-stream that are replaced by modules of ours. The build embeds this file once under each
// name that follows a `case` (runtime/build.mk).

switch (module.id) {
  case 'internal/deps/readable-stream/lib/stream':
    module.exports = require('stream');
    break;
  case 'internal/deps/readable-stream/lib/internal/streams/compose':
    module.exports = require('internal/streams/compose').compose;
    break;
  case 'internal/deps/readable-stream/lib/internal/streams/duplex':
    module.exports = require('internal/streams/duplex');
    break;
  case 'internal/deps/readable-stream/lib/internal/streams/passthrough':
    module.exports = require('internal/streams/transform').PassThrough;
    break;
  case 'internal/deps/readable-stream/lib/internal/streams/readable':
    module.exports = require('internal/streams/readable');
    break;
  case 'internal/deps/readable-stream/lib/internal/streams/state':
    module.exports = require('internal/streams/package').highWaterMarks;
    break;
  case 'internal/deps/readable-stream/lib/internal/streams/transform':
    module.exports = require('internal/streams/transform').Transform;
    break;
  case 'internal/deps/readable-stream/lib/internal/streams/writable':
    module.exports = require('internal/streams/writable');
    break;
  case 'internal/deps/readable-stream/lib/internal/streams/end-of-stream':
    module.exports = require('internal/streams/finished');
    break;
  case 'internal/deps/readable-stream/lib/internal/shims/process':
    module.exports = require('internal/streams/package').clock;
    break;
  case 'internal/deps/readable-stream/lib/internal/validators':
    module.exports = require('internal/validators');
    break;
  case 'internal/deps/readable-stream/lib/ours/errors':
    module.exports = require('internal/streams/package').errors;
    break;
  case 'internal/deps/readable-stream/lib/ours/util':
    module.exports = require('internal/streams/package').util;
    break;
}
