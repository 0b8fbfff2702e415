'use strict';

// The module `cluster`: one of two modules, depending on whether this process is a worker.

module.exports = require('internal/cluster/mode').worker
  ? require('internal/cluster/child')
  : require('internal/cluster/primary');
