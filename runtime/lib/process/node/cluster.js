'use strict';

// The module `cluster`: one of two, as this process is a worker or not.

module.exports = require('internal/cluster/mode').worker
  ? require('internal/cluster/child')
  : require('internal/cluster/primary');
